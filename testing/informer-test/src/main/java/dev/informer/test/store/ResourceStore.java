/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * Objects of one resource and their latest changes. All methods except those for
 * followers are called with the store's lock held.
 */
public final class ResourceStore {

	private final NavigableMap<String, StoredObject> objects = new TreeMap<>();

	private final List<Follower> followers = new CopyOnWriteArrayList<>();

	private final ChangeLog changes;

	ResourceStore(int historySize, long floor) {
		this.changes = new ChangeLog(historySize, floor);
	}

	ChangeLog changes() {
		return this.changes;
	}

	@Nullable StoredObject get(StoredObjectKey key) {
		return this.objects.get(key.path());
	}

	int size() {
		return this.objects.size();
	}

	/**
	 * Return the current objects of a namespace, or of all namespaces.
	 */
	public List<StoredObject> objects(String namespace) {
		return List.copyOf(within(this.objects, namespace).values());
	}

	/**
	 * Return the objects of a namespace, or of all namespaces, at a past resource
	 * version.
	 */
	List<StoredObject> objects(String namespace, long resourceVersion) {
		if (this.changes.last().resourceVersion() <= resourceVersion) {
			return objects(namespace);
		}
		return List.copyOf(within(this.changes.rewind(this.objects, resourceVersion), namespace).values());
	}

	StoredObject put(StoredObject object) {
		StoredObject previous = this.objects.put(object.key().path(), object);
		append(new Change((previous != null) ? Change.Type.MODIFIED : Change.Type.ADDED, object.resourceVersion(),
				previous, object));
		return object;
	}

	StoredObject remove(StoredObject object, long resourceVersion) {
		StoredObject deleted = object.at(resourceVersion);
		this.objects.remove(object.key().path());
		append(new Change(Change.Type.DELETED, resourceVersion, object, deleted));
		return deleted;
	}

	private void append(Change change) {
		this.changes.append(change);
		this.followers.forEach(Follower::wake);
	}

	public void addFollower(Follower follower) {
		this.followers.add(follower);
	}

	public void removeFollower(Follower follower) {
		this.followers.remove(follower);
	}

	/**
	 * End all followers because the resource is no longer served.
	 */
	void retire() {
		this.followers.forEach(Follower::end);
	}

	private static NavigableMap<String, StoredObject> within(NavigableMap<String, StoredObject> objects,
			String namespace) {
		return namespace.isEmpty() ? objects : objects.subMap(namespace + "/", true, namespace + "0", false);
	}

	/**
	 * Follower of the changes of a resource.
	 */
	public interface Follower {

		/**
		 * Notify the follower of a new change.
		 */
		void wake();

		/**
		 * Notify the follower that the resource is no longer served.
		 */
		void end();

	}

}
