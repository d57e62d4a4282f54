/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.IndexFunction;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Index of an {@link Indexer}: the objects by value and key. Values without an object are
 * removed. Immutable: a change returns another index.
 *
 * @param <T> the type of the objects
 * @param name the name
 * @param function returns the values of an object
 * @param failureHandler the callback for a function that throws
 * @param objectsByValue the objects by value and key
 */
record Index<T extends KubernetesObject>(String name, IndexFunction<T> function, IndexFailureHandler failureHandler,
		HashTrieMap<String, HashTrieMap<String, T>> objectsByValue) {

	/**
	 * Return this index after a change of the store.
	 * @param removed the keys that are removed at first, stored or not
	 * @param stored the objects that are stored then, by key
	 * @param previous the objects before the change
	 */
	Index<T> with(Collection<String> removed, Map<String, T> stored, HashTrieMap<String, T> previous) {
		HashTrieMap<String, HashTrieMap<String, T>> changed = this.objectsByValue;
		for (String key : removed) {
			changed = without(changed, key, previous.get(key), List.of());
		}
		Map<String, Map<String, T>> added = new HashMap<>();
		for (Map.Entry<String, T> entry : stored.entrySet()) {
			List<String> values = values(entry.getKey(), entry.getValue());
			changed = without(changed, entry.getKey(), previous.get(entry.getKey()), values);
			for (String value : values) {
				added.computeIfAbsent(value, (any) -> new LinkedHashMap<>()).put(entry.getKey(), entry.getValue());
			}
		}
		Map<String, HashTrieMap<String, T>> merged = new HashMap<>();
		for (Map.Entry<String, Map<String, T>> entry : added.entrySet()) {
			merged.put(entry.getKey(), objects(changed, entry.getKey()).withAll(entry.getValue()));
		}
		return new Index<>(this.name, this.function, this.failureHandler, changed.withAll(merged));
	}

	/**
	 * Return a map without an object, except under the values that it keeps.
	 */
	private HashTrieMap<String, HashTrieMap<String, T>> without(HashTrieMap<String, HashTrieMap<String, T>> map,
			String key, @Nullable T previous, List<String> kept) {
		HashTrieMap<String, HashTrieMap<String, T>> changed = map;
		for (String value : (previous != null) ? previousValues(previous) : List.<String>of()) {
			HashTrieMap<String, T> others = kept.contains(value) ? null : changed.get(value);
			if (others != null) {
				others = others.without(key);
				changed = (others.size() > 0) ? changed.with(value, others) : changed.without(value);
			}
		}
		return changed;
	}

	List<T> objects(String value) {
		return objects(this.objectsByValue, value).values();
	}

	/**
	 * Return the objects that share a value with another one, which need not be stored.
	 * An exception of the function for that object is rethrown.
	 */
	List<T> objectsLike(T object) {
		Map<String, T> alike = new LinkedHashMap<>();
		for (String value : this.function.values(object)) {
			objects(this.objectsByValue, value).forEach(alike::put);
		}
		return new ArrayList<>(alike.values());
	}

	List<String> keys(String value) {
		return objects(this.objectsByValue, value).keys();
	}

	List<String> values() {
		return this.objectsByValue.keys();
	}

	private static <T> HashTrieMap<String, T> objects(HashTrieMap<String, HashTrieMap<String, T>> map, String value) {
		HashTrieMap<String, T> objects = map.get(value);
		return (objects != null) ? objects : HashTrieMap.empty();
	}

	private List<String> values(String key, T object) {
		try {
			return List.copyOf(this.function.values(object));
		}
		catch (Throwable ex) {
			this.failureHandler.indexFailed(this.name, key, ex);
			return List.of();
		}
	}

	/**
	 * Return the values under which an object may be: all of them, if the function throws
	 * now for an object that it once accepted.
	 */
	private List<String> previousValues(T object) {
		try {
			return List.copyOf(this.function.values(object));
		}
		catch (Throwable ex) {
			return values();
		}
	}

}
