/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import dev.informer.IndexFunction;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Index of an {@link Indexer}: the objects by value and key. Values without an object are
 * removed. The values of each object are kept, so that its entries are found again
 * without the function, whose values may have changed since. Immutable: a change returns
 * another index.
 *
 * @param failures accepts the description of a failure of the function, and the cause
 * @param valuesByKey the values of each object that has any, sorted and distinct
 */
record Index<T extends KubernetesObject>(String name, IndexFunction<T> function, BiConsumer<String, Throwable> failures,
		HashTrieMap<String, HashTrieMap<String, T>> objectsByValue, HashTrieMap<String, List<String>> valuesByKey) {

	/**
	 * Create an index without objects.
	 */
	Index(String name, IndexFunction<T> function, BiConsumer<String, Throwable> failures) {
		this(name, function, failures, HashTrieMap.empty(), HashTrieMap.empty());
	}

	/**
	 * Return this index after the changes between two contents of the store.
	 */
	Index<T> with(HashTrieMap<String, T> previous, HashTrieMap<String, T> current) {
		List<String> removed = new ArrayList<>();
		previous.forEachNotIn(current, (key, object) -> {
			if (current.get(key) == null) {
				removed.add(key);
			}
		});
		Map<String, T> stored = new LinkedHashMap<>();
		current.forEachNotIn(previous, stored::put);
		return with(removed, stored);
	}

	/**
	 * Return this index after a change of the store, which first removes keys, stored or
	 * not, and then stores objects. Calls the function for each object that is stored.
	 */
	Index<T> with(Collection<String> removed, Map<String, T> stored) {
		HashTrieMap<String, HashTrieMap<String, T>> objects = this.objectsByValue;
		HashTrieMap<String, List<String>> values = this.valuesByKey;
		for (String key : removed) {
			objects = without(objects, key, List.of());
			values = values.without(key);
		}
		Map<String, Map<String, T>> added = new HashMap<>();
		Map<String, List<String>> addedValues = new HashMap<>();
		boolean interrupted = false;
		for (Map.Entry<String, T> entry : stored.entrySet()) {
			String key = entry.getKey();
			// one call does not see the flag that another one has left
			interrupted |= Thread.interrupted();
			List<String> current = values(key, entry.getValue());
			objects = without(objects, key, current);
			for (String value : current) {
				added.computeIfAbsent(value, (any) -> new LinkedHashMap<>()).put(key, entry.getValue());
			}
			if (current.isEmpty()) {
				values = values.without(key);
			}
			else if (!current.equals(values.get(key))) {
				addedValues.put(key, current);
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		Map<String, HashTrieMap<String, T>> merged = new HashMap<>();
		for (Map.Entry<String, Map<String, T>> entry : added.entrySet()) {
			merged.put(entry.getKey(), objects(objects, entry.getKey()).withAll(entry.getValue()));
		}
		return new Index<>(this.name, this.function, this.failures, objects.withAll(merged),
				values.withAll(addedValues));
	}

	/**
	 * Return a map without an object, except under the values that it keeps.
	 */
	private HashTrieMap<String, HashTrieMap<String, T>> without(HashTrieMap<String, HashTrieMap<String, T>> map,
			String key, List<String> kept) {
		List<String> previous = this.valuesByKey.get(key);
		HashTrieMap<String, HashTrieMap<String, T>> changed = map;
		for (String value : (previous != null) ? previous : List.<String>of()) {
			HashTrieMap<String, T> others = (Collections.binarySearch(kept, value) < 0) ? changed.get(value) : null;
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

	List<String> valuesOf(String key) {
		List<String> values = this.valuesByKey.get(key);
		return (values != null) ? values : List.of();
	}

	private static <T> HashTrieMap<String, T> objects(HashTrieMap<String, HashTrieMap<String, T>> map, String value) {
		HashTrieMap<String, T> objects = map.get(value);
		return (objects != null) ? objects : HashTrieMap.empty();
	}

	private List<String> values(String key, T object) {
		try {
			List<String> values = List.copyOf(this.function.values(object));
			return (values.size() > 1) ? values.stream().sorted().distinct().toList() : values;
		}
		catch (Throwable ex) {
			if (this.name.equals(Indexer.NAMESPACE_INDEX)) {
				// code of the object's class: a list of the namespace has to find the
				// object
				int slash = key.indexOf('/');
				return (slash < 0) ? List.of() : List.of(key.substring(0, slash));
			}
			boolean interrupted = Thread.interrupted();
			this.failures.accept("Index function '" + this.name + "' failed for " + UntrustedText.of(key)
					+ "; the object is stored, but not under this index", ex);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			return List.of();
		}
	}

}
