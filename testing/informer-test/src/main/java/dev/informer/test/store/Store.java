/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.informer.test.ResourceDefinition;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * All objects, under one lock and with one increasing resource version, like etcd.
 * <p>
 * Thread-safe. Use {@link #locked} for atomic sequences.
 */
public final class Store {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, ResourceStore> resources = new HashMap<>();

	private final Map<String, Map<String, StoredObject>> dependents = new HashMap<>();

	private final int historySize;

	private long resourceVersion;

	private long floor;

	public Store(int historySize) {
		this.historySize = historySize;
	}

	public <T> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	public long resourceVersion() {
		return locked(() -> this.resourceVersion);
	}

	public ResourceStore resource(ResourceDefinition definition) {
		return locked(() -> this.resources.computeIfAbsent(definition.resource(),
				(name) -> new ResourceStore(this.historySize, this.floor)));
	}

	public @Nullable StoredObject get(ResourceDefinition definition, StoredObjectKey key) {
		this.lock.lock();
		try {
			return resource(definition).get(key);
		}
		finally {
			this.lock.unlock();
		}
	}

	public StoredObject put(ResourceDefinition definition, StoredObjectKey key, ObjectNode tree) {
		return locked(() -> {
			ResourceStore resource = resource(definition);
			StoredObject previous = resource.get(key);
			if (previous != null) {
				forget(previous);
			}
			StoredObject object = resource.put(StoredObject.of(definition, key, ++this.resourceVersion, tree));
			object.owners()
				.forEach((uid) -> this.dependents.computeIfAbsent(uid, (missing) -> new TreeMap<>())
					.put(name(object), object));
			return object;
		});
	}

	public StoredObject remove(StoredObject object) {
		return locked(() -> {
			forget(object);
			return resource(object.definition()).remove(object, ++this.resourceVersion);
		});
	}

	/**
	 * Return the objects that name an object as their owner.
	 */
	public List<StoredObject> dependents(String uid) {
		return locked(() -> List.copyOf(this.dependents.getOrDefault(uid, Map.of()).values()));
	}

	private void forget(StoredObject object) {
		object.owners().forEach((uid) -> this.dependents.computeIfPresent(uid, (key, objects) -> {
			objects.remove(name(object));
			return objects.isEmpty() ? null : objects;
		}));
	}

	private static String name(StoredObject object) {
		return object.definition().resource() + "/" + object.key().path();
	}

	/**
	 * Discard the changes of a resource that is no longer served, and end its followers.
	 */
	public void retire(ResourceDefinition definition) {
		locked(() -> {
			ResourceStore resource = resource(definition);
			resource.changes().compact(++this.resourceVersion);
			return resource;
		}).retire();
	}

	/**
	 * Discard all past changes.
	 */
	public void compact() {
		locked(() -> {
			this.floor = this.resourceVersion;
			this.resources.values().forEach((resource) -> resource.changes().compact(this.resourceVersion));
			return this.floor;
		});
	}

}
