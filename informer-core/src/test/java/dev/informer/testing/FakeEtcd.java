/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.client.ObjectSelector;
import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.jspecify.annotations.Nullable;

/**
 * Pods of an API server in memory: the current state, the changes that led to it, and the
 * objects at each resource version. Every returned object is a new instance, as a decoder
 * returns it. Thread-safe.
 */
public final class FakeEtcd {

	private final TreeMap<Long, Map<String, Item>> states = new TreeMap<>(Map.of(1L, Map.of()));

	private final List<Change> changes = new ArrayList<>();

	/** States of the epochs that ended with a rollback. */
	private final List<TreeMap<Long, Map<String, Item>>> abandoned = new ArrayList<>();

	private long version = 1;

	private long compacted;

	private int uids;

	private boolean everNameless;

	/**
	 * Create or change an object.
	 * @param name its name, with its namespace unless that is {@code ns}
	 * @param shape whether it can be decoded from now on
	 * @param content its content; {@code null} for the current one
	 * @return the change
	 */
	synchronized Change put(String name, Shape shape, @Nullable Content content) {
		String key = key(name);
		Item known = current().get(key);
		if (known == null) {
			this.uids++;
			return change(ChangeType.ADDED, new Item(key, name + "-" + this.uids, this.version + 1, shape,
					(content != null) ? content : Content.NONE));
		}
		return change(ChangeType.MODIFIED,
				new Item(key, known.uid(), this.version + 1, shape, (content != null) ? content : known.content()));
	}

	/**
	 * Delete an object.
	 * @param name its name, with its namespace unless that is {@code ns}
	 * @param shape whether its last state can be decoded
	 * @return the change; {@code null} for an unknown object
	 */
	synchronized @Nullable Change delete(String name, Shape shape) {
		Item known = current().get(key(name));
		return (known != null) ? change(ChangeType.DELETED,
				new Item(known.key(), known.uid(), this.version + 1, shape, known.content())) : null;
	}

	private static String key(String name) {
		return (name.indexOf('/') < 0) ? "ns/" + name : name;
	}

	private Change change(ChangeType type, Item item) {
		Map<String, Item> state = new LinkedHashMap<>(current());
		if (type == ChangeType.DELETED) {
			state.remove(item.key());
		}
		else {
			state.put(item.key(), item);
		}
		this.everNameless |= item.shape() == Shape.NAMELESS;
		this.version = item.version();
		this.states.put(this.version, state);
		Change change = new Change(type, item);
		this.changes.add(change);
		return change;
	}

	/**
	 * Advance the version, as changes of other resources do.
	 */
	synchronized void tick() {
		Map<String, Item> state = current();
		this.version++;
		this.states.put(this.version, state);
	}

	/**
	 * Remove the changes that led to the current state.
	 */
	synchronized void compact() {
		this.compacted = this.version;
	}

	/**
	 * Roll back, as a server does that is restored from a backup.
	 * @param earlier the current version after the rollback
	 */
	synchronized void rollBack(long earlier) {
		this.abandoned.add(new TreeMap<>(this.states));
		this.states.tailMap(earlier, false).clear();
		this.changes.removeIf((change) -> change.item().version() > earlier);
		this.version = earlier;
		this.compacted = Math.min(this.compacted, earlier);
	}

	public synchronized List<Change> changesAfter(long earlier) {
		return this.changes.stream().filter((change) -> change.item().version() > earlier).toList();
	}

	public synchronized Map<String, Item> current() {
		return at(this.version);
	}

	/**
	 * Return the objects at a version.
	 */
	public synchronized Map<String, Item> at(long version) {
		return this.states.floorEntry(version).getValue();
	}

	/**
	 * Return the objects at a version, in any epoch that had it.
	 */
	public synchronized List<Map<String, Item>> everAt(long version) {
		return Stream.concat(Stream.of(this.states), this.abandoned.stream())
			.filter((epoch) -> version <= epoch.lastKey())
			.map((epoch) -> epoch.floorEntry(version).getValue())
			.toList();
	}

	/**
	 * Return whether there was a rollback.
	 */
	public synchronized boolean rolledBack() {
		return !this.abandoned.isEmpty();
	}

	/**
	 * Return whether an object whose names cannot be read existed between two versions,
	 * or was deleted then. After a rollback: whether one ever existed.
	 */
	public synchronized boolean wasNameless(long since, long until) {
		if (rolledBack()) {
			return this.everNameless;
		}
		Stream<Item> there = this.states.subMap(this.states.floorKey(since), true, until, true)
			.values()
			.stream()
			.flatMap((state) -> state.values().stream());
		Stream<Item> gone = changesAfter(since - 1).stream()
			.map(Change::item)
			.filter((item) -> item.version() <= until);
		return Stream.concat(there, gone).anyMatch((item) -> item.shape() == Shape.NAMELESS);
	}

	synchronized long version() {
		return this.version;
	}

	synchronized long compacted() {
		return this.compacted;
	}

	/**
	 * Return a state as tests compare it: resource versions by key.
	 */
	static Map<String, String> versions(Map<String, Item> state) {
		return state.values().stream().collect(Collectors.toMap(Item::key, (item) -> Long.toString(item.version())));
	}

	/**
	 * Readable part of an object.
	 */
	public enum Shape {

		/** The whole object can be decoded. */
		FINE,

		/** Only its names can be read, because it does not fit the model. */
		BROKEN,

		/** Not even its names can be read. */
		NAMELESS

	}

	/**
	 * Parts of an object that handlers can distinguish.
	 *
	 * @param app its label {@code app}; empty for none
	 * @param phase the phase in its status; empty for none
	 */
	public record Content(String app, String phase) {

		static final Content NONE = new Content("", "");

		void applyTo(V1Pod pod) {
			if (!this.app.isEmpty()) {
				pod.getMetadata().putLabelsItem("app", this.app);
			}
			if (!this.phase.isEmpty()) {
				pod.setStatus(new V1PodStatus().phase(this.phase));
			}
		}

	}

	/**
	 * Object at one resource version.
	 */
	public record Item(String key, String uid, long version, Shape shape, Content content) {

		private String namespace() {
			return this.key.substring(0, Math.max(this.key.indexOf('/'), 0));
		}

		/**
		 * Return whether it is in a namespace; empty for all namespaces.
		 */
		public boolean isIn(String namespace) {
			return namespace.isEmpty() || namespace.equals(namespace());
		}

		public boolean isIn(@Nullable ObjectSelector selector) {
			return selector == null || !selector.excludes(new ObjectState(namespace(), name(), this.uid, null));
		}

		private String name() {
			return this.key.substring(this.key.indexOf('/') + 1);
		}

		V1Pod pod() {
			V1Pod pod = TestObjects.pod(name(), this.uid, this.version);
			pod.getMetadata().setNamespace(namespace());
			this.content.applyTo(pod);
			return pod;
		}

		UndecodableObject undecodable() {
			boolean named = this.shape != Shape.NAMELESS;
			return new UndecodableObject(new ObjectState(named ? namespace() : null, named ? name() : null,
					named ? this.uid : null, Long.toString(this.version)), "spec: for the test");
		}

	}

	/**
	 * Change of one object.
	 */
	public record Change(ChangeType type, Item item) {

		WatchEvent<V1Pod> event() {
			return (this.item.shape() == Shape.FINE) ? new WatchEvent.Change<>(this.type, this.item.pod())
					: new WatchEvent.Undecodable<>(this.type, this.item.undecodable());
		}

	}

}
