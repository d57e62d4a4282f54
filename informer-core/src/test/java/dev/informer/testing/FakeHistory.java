package dev.informer.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.informer.source.UndecodableObject;
import dev.informer.source.WatchEvent;
import dev.informer.source.WatchEvent.ChangeType;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * The pods of an API server in memory: what there is, how that came about, and what there
 * was at each resource version. Every object that is given out is a new instance, as
 * decoding makes them. Not thread-safe, the {@link FakeSource} guards it.
 */
public final class FakeHistory {

	private final TreeMap<Long, Map<String, Item>> states = new TreeMap<>(Map.of(1L, Map.of()));

	private final List<Change> changes = new ArrayList<>();

	private long version = 1;

	private long compacted;

	private int uids;

	/**
	 * Creates or changes an object.
	 * @param name its name
	 * @param shape whether it can be decoded from now on
	 * @return what happened
	 */
	Change put(String name, Shape shape) {
		Item known = current().get(name);
		if (known == null) {
			this.uids++;
			return change(ChangeType.ADDED, new Item(name, name + "-" + this.uids, this.version + 1, shape));
		}
		return change(ChangeType.MODIFIED, new Item(name, known.uid(), this.version + 1, shape));
	}

	/**
	 * Deletes an object.
	 * @param name its name
	 * @param shape whether its last state can be decoded
	 * @return what happened; {@code null} when there is no such object
	 */
	@Nullable Change delete(String name, Shape shape) {
		Item known = current().get(name);
		return (known != null) ? change(ChangeType.DELETED, new Item(name, known.uid(), this.version + 1, shape))
				: null;
	}

	private Change change(ChangeType type, Item item) {
		Map<String, Item> state = new LinkedHashMap<>(current());
		if (type == ChangeType.DELETED) {
			state.remove(item.name());
		}
		else {
			state.put(item.name(), item);
		}
		this.version = item.version();
		this.states.put(this.version, state);
		Change change = new Change(type, item);
		this.changes.add(change);
		return change;
	}

	/**
	 * Other resources of the server change.
	 */
	void tick() {
		Map<String, Item> state = current();
		this.version++;
		this.states.put(this.version, state);
	}

	/**
	 * Forgets how the current state came about.
	 */
	void compact() {
		this.compacted = this.version;
	}

	/**
	 * Goes back, as a server does that is restored from a backup.
	 * @param earlier the version that is current from now on
	 */
	void goBack(long earlier) {
		this.states.tailMap(earlier, false).clear();
		this.changes.removeIf((change) -> change.item().version() > earlier);
		this.version = earlier;
		this.compacted = Math.min(this.compacted, earlier);
	}

	List<Change> changesAfter(long earlier) {
		return this.changes.stream().filter((change) -> change.item().version() > earlier).toList();
	}

	Map<String, Item> current() {
		return at(this.version);
	}

	/**
	 * What there was at a version.
	 */
	Map<String, Item> at(long version) {
		return this.states.floorEntry(version).getValue();
	}

	long version() {
		return this.version;
	}

	long compacted() {
		return this.compacted;
	}

	/**
	 * A state as tests compare it: resource versions by key.
	 */
	static Map<String, String> versions(Map<String, Item> state) {
		return state.values().stream().collect(Collectors.toMap(Item::key, (item) -> Long.toString(item.version())));
	}

	/**
	 * How much of an object can be read.
	 */
	public enum Shape {

		/** All of it. */
		FINE,

		/** Its names, but it does not fit the model. */
		BROKEN,

		/** Not even its names. */
		NAMELESS

	}

	/**
	 * One object at one resource version.
	 */
	public record Item(String name, String uid, long version, Shape shape) {

		public String key() {
			return "ns/" + this.name;
		}

		V1Pod pod() {
			return Pods.pod(this.name, this.uid, this.version);
		}

		UndecodableObject undecodable() {
			boolean named = this.shape != Shape.NAMELESS;
			return new UndecodableObject(named ? "ns" : null, named ? this.name : null, named ? this.uid : null,
					Long.toString(this.version), "spec: for the test");
		}

	}

	/**
	 * One change of one object.
	 */
	public record Change(ChangeType type, Item item) {

		WatchEvent<V1Pod> event() {
			return (this.item.shape() == Shape.FINE) ? new WatchEvent.Change<>(this.type, this.item.pod())
					: new WatchEvent.Undecodable<>(this.type, this.item.undecodable());
		}

	}

}
