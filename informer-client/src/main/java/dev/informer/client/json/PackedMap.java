/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.Serializable;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.informer.client.type.PackedJson;
import org.jspecify.annotations.Nullable;

/**
 * Map that remains JSON until its first access and is an ordinary, modifiable map
 * afterwards. Thread-safe while it is not modified.
 */
final class PackedMap extends AbstractMap<String, @Nullable Object> implements PackedJson, Serializable {

	private static final long serialVersionUID = 1L;

	private static final TreeDecoder TREES = new TreeDecoder();

	/** The JSON, or the map. */
	@SuppressWarnings("serial")
	private volatile Object content;

	/**
	 * Create a packed map from the JSON of an object that is known to be decodable.
	 */
	PackedMap(byte[] json) {
		this.content = json;
	}

	@SuppressWarnings("unchecked")
	private Map<String, @Nullable Object> map() {
		Object tree = tree();
		this.content = tree;
		return (Map<String, @Nullable Object>) tree;
	}

	/**
	 * Return the tree without keeping it.
	 */
	private Object tree() {
		Object current = this.content;
		if (current instanceof byte[] json) {
			try (TokenReader reader = JsonInput.openManagedFields(json)) {
				return Objects.requireNonNull(TREES.decode(reader));
			}
		}
		return current;
	}

	/**
	 * Return whether the map has not been accessed yet.
	 */
	boolean isPacked() {
		return this.content instanceof byte[];
	}

	@Override
	public boolean hasSameJson(Object other) {
		return other instanceof PackedMap map && this.content instanceof byte[] json
				&& map.content instanceof byte[] otherJson && Arrays.equals(json, otherJson);
	}

	@Override
	public int size() {
		return map().size();
	}

	@Override
	public boolean containsKey(@Nullable Object key) {
		return map().containsKey(key);
	}

	@Override
	public @Nullable Object get(@Nullable Object key) {
		return map().get(key);
	}

	@Override
	public @Nullable Object put(String key, @Nullable Object value) {
		return map().put(key, value);
	}

	@Override
	public @Nullable Object remove(@Nullable Object key) {
		return map().remove(key);
	}

	@Override
	public Set<Map.Entry<String, @Nullable Object>> entrySet() {
		return map().entrySet();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		if (other instanceof PackedMap map && isPacked() && map.isPacked()) {
			return hasSameJson(map) || tree().equals(map.tree());
		}
		return super.equals(other);
	}

	@Override
	public int hashCode() {
		return super.hashCode();
	}

}
