/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.IndexFunction;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * One index of an {@link Indexer}: the objects by value and key. Values that no object
 * has any more are removed. Immutable: a change gives another index.
 *
 * @param <T> the type of the objects
 * @param name the name
 * @param function gives the values of an object
 * @param failureHandler is told when that throws
 * @param objectsByValue the objects
 */
record Index<T extends KubernetesObject>(String name, IndexFunction<T> function, IndexFailureHandler failureHandler,
		HashTrieMap<String, HashTrieMap<String, T>> objectsByValue) {

	/**
	 * This index after a change of what is stored under a key.
	 * @param key the key
	 * @param previous what was stored; {@code null} for nothing
	 * @param object what is stored; {@code null} for nothing
	 */
	Index<T> with(String key, @Nullable T previous, @Nullable T object) {
		List<String> values = (object != null) ? values(key, object) : List.of();
		HashTrieMap<String, HashTrieMap<String, T>> changed = this.objectsByValue;
		if (previous != null) {
			for (String value : previousValues(previous)) {
				HashTrieMap<String, T> others = values.contains(value) ? null : changed.get(value);
				if (others != null) {
					others = others.without(key);
					changed = (others.size() > 0) ? changed.with(value, others) : changed.without(value);
				}
			}
		}
		if (object != null) {
			for (String value : values) {
				changed = changed.with(value, objects(changed, value).with(key, object));
			}
		}
		return new Index<>(this.name, this.function, this.failureHandler, changed);
	}

	List<T> objects(String value) {
		return objects(this.objectsByValue, value).values();
	}

	/**
	 * The objects that have a value in common with another one, which need not be among
	 * them. What the function throws for it is thrown on.
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
	 * The values under which an object may be.
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
