package dev.informer.reflector;

import java.util.ArrayList;
import java.util.List;

import dev.informer.source.ListSink;
import dev.informer.source.UndecodableObject;

/**
 * Collects the items of a list. Not thread-safe.
 *
 * @param <T> the type of the objects
 */
final class Snapshot<T> implements ListSink<T> {

	private final List<T> objects = new ArrayList<>();

	private final List<UndecodableObject> undecodable = new ArrayList<>();

	@Override
	public void accept(T object) {
		this.objects.add(object);
	}

	@Override
	public void acceptUndecodable(UndecodableObject object) {
		this.undecodable.add(object);
	}

	List<T> objects() {
		return this.objects;
	}

	List<UndecodableObject> undecodable() {
		return this.undecodable;
	}

	/**
	 * Forgets what came after a mark, because the page that brought it broke off.
	 */
	void rollback(int objects, int undecodable) {
		this.objects.subList(objects, this.objects.size()).clear();
		this.undecodable.subList(undecodable, this.undecodable.size()).clear();
	}

}
