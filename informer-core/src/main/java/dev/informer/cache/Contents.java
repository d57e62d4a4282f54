/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Content of an {@link Indexer} at one moment. Immutable.
 *
 * @param resourceVersions the resource versions that the namespaces have reached
 */
record Contents<T extends KubernetesObject>(HashTrieMap<String, T> objects, Map<String, Index<T>> indices,
		HashTrieMap<String, String> resourceVersions) {

	Contents<T> with(Index<T> index) {
		Map<String, Index<T>> more = new HashMap<>(this.indices);
		more.put(index.name(), index);
		return new Contents<>(this.objects, more, this.resourceVersions);
	}

	/**
	 * Return the content after a change.
	 * @param changedIndices the indices after the change, as far as an earlier attempt
	 * has computed them; completed by this one
	 */
	Contents<T> with(Collection<String> removed, Map<String, T> stored, Map<String, @Nullable String> versions,
			Map<String, Index<T>> changedIndices) {
		HashTrieMap<String, T> changed = this.objects;
		for (String key : removed) {
			changed = changed.without(key);
		}
		this.indices.forEach((name, index) -> {
			if (!changedIndices.containsKey(name)) {
				changedIndices.put(name, index.with(removed, stored));
			}
		});
		HashTrieMap<String, String> reached = this.resourceVersions;
		for (Map.Entry<String, @Nullable String> version : versions.entrySet()) {
			String value = version.getValue();
			reached = (value != null) ? reached.with(version.getKey(), value) : reached.without(version.getKey());
		}
		return new Contents<>(changed.withAll(stored), Map.copyOf(changedIndices), reached);
	}

	/**
	 * Return the content without the resource versions of some namespaces.
	 */
	Contents<T> without(Set<String> namespaces) {
		HashTrieMap<String, String> remaining = this.resourceVersions;
		for (String namespace : namespaces) {
			remaining = remaining.without(namespace);
		}
		return new Contents<>(this.objects, this.indices, remaining);
	}

	/**
	 * Return whether a namespace was listed, alone or with all others.
	 */
	boolean isListed(String namespace) {
		return this.resourceVersions.get(namespace) != null || this.resourceVersions.get("") != null;
	}

	List<T> objects(String namespace) {
		return namespace.isEmpty() ? this.objects.values() : index(Indexer.NAMESPACE_INDEX).objects(namespace);
	}

	Index<T> index(String name) {
		Index<T> index = this.indices.get(name);
		if (index == null) {
			throw new IllegalArgumentException("Unknown index '" + name + "'. The indices are "
					+ this.indices.keySet().stream().sorted().toList() + ".");
		}
		return index;
	}

}
