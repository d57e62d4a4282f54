/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * The objects by key, and by the values of any number of indices. The objects are shared
 * with whoever reads them.
 * <p>
 * <b>Concurrency.</b> Any number of readers and writers. What is stored is one immutable
 * {@link Contents}: a reader takes the one that is there and waits for nobody, a writer
 * makes the next one from it and puts that in its place, so that nobody sees half of a
 * batch or of an index. Writers exclude each other by {@code writing}.
 *
 * @param <T> the type of the objects
 */
public final class Indexer<T extends KubernetesObject> {

	/**
	 * The name of the index by namespace, which is always there.
	 */
	public static final String NAMESPACE_INDEX = Lister.NAMESPACE_INDEX;

	private final Object writing = new Object();

	private final IndexFailureHandler failureHandler;

	private volatile Contents<T> contents = new Contents<>(HashTrieMap.empty(), Map.of(), HashTrieMap.empty());

	/**
	 * Creates an empty store.
	 * @param failureHandler is told when an index function throws
	 */
	public Indexer(IndexFailureHandler failureHandler) {
		this.failureHandler = failureHandler;
		enableIndex(NAMESPACE_INDEX);
	}

	/**
	 * Adds an index and fills it.
	 * @param name its name
	 * @param function gives the values of an object
	 * @throws IllegalArgumentException when there is an index of this name, or it is the
	 * name of a built-in one
	 */
	public void addIndex(String name, IndexFunction<T> function) {
		if (BuiltInIndices.contains(name)) {
			throw new IllegalArgumentException("The index '" + name
					+ "' is built in: switch it on by enableIndex(name), or give yours another name");
		}
		synchronized (this.writing) {
			if (this.contents.indices().containsKey(name)) {
				throw new IllegalArgumentException("There is an index '" + name + "' already");
			}
			add(name, function);
		}
	}

	/**
	 * Switches a built-in index on. Does nothing when it is on already.
	 * @param name its name
	 * @throws IllegalArgumentException when there is no such index
	 */
	public void enableIndex(String name) {
		IndexFunction<T> function = BuiltInIndices.function(name);
		synchronized (this.writing) {
			if (!this.contents.indices().containsKey(name)) {
				add(name, function);
			}
		}
	}

	private void add(String name, IndexFunction<T> function) {
		this.contents = this.contents.with(new Index<>(name, function, this.failureHandler, HashTrieMap.empty()));
	}

	/**
	 * Remove and store objects in one step.
	 * @param removed the keys to remove at first, stored or not
	 * @param stored the objects to store then, by key
	 * @param resourceVersions by namespace the resource version that is reached
	 */
	public void apply(Collection<String> removed, Map<String, T> stored, Map<String, String> resourceVersions) {
		synchronized (this.writing) {
			this.contents = this.contents.with(removed, stored, resourceVersions);
		}
	}

	/**
	 * Gets an object.
	 * @param key its key
	 * @return the object; {@code null} when there is none
	 */
	public @Nullable T get(String key) {
		return this.contents.objects().get(key);
	}

	/**
	 * All objects.
	 * @return a snapshot
	 */
	public List<T> list() {
		return this.contents.objects().values();
	}

	/**
	 * How many objects there are.
	 * @return the number of objects
	 */
	public int size() {
		return this.contents.objects().size();
	}

	/**
	 * The objects under a value of an index.
	 * @param index the name of the index
	 * @param value the value
	 * @return a snapshot
	 * @throws IllegalArgumentException when there is no such index
	 */
	public List<T> byIndex(String index, String value) {
		return this.contents.index(index).objects(value);
	}

	/**
	 * The objects that an index has under a value that another object has, too.
	 * @param index the name of the index
	 * @param object the other object, stored or not
	 * @return a snapshot, each object once
	 * @throws IllegalArgumentException when there is no such index
	 */
	public List<T> index(String index, T object) {
		return this.contents.index(index).objectsLike(object);
	}

	/**
	 * The keys under a value of an index.
	 * @param index the name of the index
	 * @param value the value
	 * @return a snapshot, sorted
	 * @throws IllegalArgumentException when there is no such index
	 */
	public List<String> indexKeys(String index, String value) {
		List<String> keys = this.contents.index(index).keys(value);
		keys.sort(null);
		return keys;
	}

	/**
	 * The values of an index under which there is an object.
	 * @param index the name of the index
	 * @return a snapshot
	 * @throws IllegalArgumentException when there is no such index
	 */
	public Set<String> indexValues(String index) {
		return new LinkedHashSet<>(this.contents.index(index).values());
	}

	/**
	 * The keys of a scope.
	 * @param scope a namespace, empty for everything
	 * @return a snapshot, in an order that depends on the keys alone
	 */
	public List<String> keys(String scope) {
		Contents<T> current = this.contents;
		return scope.isEmpty() ? current.objects().keys() : current.index(NAMESPACE_INDEX).keys(scope);
	}

	/**
	 * The resource version that a scope has reached.
	 * @param scope the scope
	 * @return the version; empty when nothing is known of it
	 */
	public String resourceVersion(String scope) {
		String version = this.contents.resourceVersions().get(scope);
		return (version != null) ? version : "";
	}

	/**
	 * What is stored at one moment.
	 */
	private record Contents<T extends KubernetesObject>(HashTrieMap<String, T> objects, Map<String, Index<T>> indices,
			HashTrieMap<String, String> resourceVersions) {

		Contents<T> with(Index<T> empty) {
			Map<String, T> all = new LinkedHashMap<>();
			this.objects.forEach(all::put);
			Map<String, Index<T>> more = new HashMap<>(this.indices);
			more.put(empty.name(), empty.with(List.of(), all, HashTrieMap.empty()));
			return new Contents<>(this.objects, more, this.resourceVersions);
		}

		Contents<T> with(Collection<String> removed, Map<String, T> stored, Map<String, String> versions) {
			HashTrieMap<String, T> changed = this.objects;
			for (String key : removed) {
				changed = changed.without(key);
			}
			Map<String, Index<T>> changedIndices = new HashMap<>(this.indices);
			changedIndices.replaceAll((name, index) -> index.with(removed, stored, this.objects));
			return new Contents<>(changed.withAll(stored), changedIndices, this.resourceVersions.withAll(versions));
		}

		Index<T> index(String name) {
			Index<T> index = this.indices.get(name);
			if (index == null) {
				throw new IllegalArgumentException("There is no index '" + name + "'; there are "
						+ this.indices.keySet().stream().sorted().toList());
			}
			return index;
		}

	}

}
