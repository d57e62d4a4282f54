/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import dev.informer.client.ObjectState;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;

/**
 * Indices that every informer can enable, because they only need the metadata.
 */
public final class BuiltInIndices {

	private static final Map<String, IndexFunction<KubernetesObject>> FUNCTIONS = Map.of(Lister.NAMESPACE_INDEX,
			BuiltInIndices::namespace, Lister.OWNER_INDEX, BuiltInIndices::owners, Lister.LABEL_INDEX,
			BuiltInIndices::labels);

	private BuiltInIndices() {
	}

	static boolean contains(String name) {
		return FUNCTIONS.containsKey(name);
	}

	/**
	 * Return the function of an index.
	 * @throws IllegalArgumentException if the index is unknown
	 */
	public static <T extends KubernetesObject> IndexFunction<T> function(String name) {
		IndexFunction<KubernetesObject> function = FUNCTIONS.get(name);
		if (function == null) {
			throw new IllegalArgumentException("Unknown built-in index '" + name + "'. The built-in indices are "
					+ FUNCTIONS.keySet().stream().sorted().toList() + ".");
		}
		return function::values;
	}

	private static Collection<String> namespace(KubernetesObject object) {
		String namespace = ObjectState.of(object).namespace();
		return (namespace != null) ? List.of(namespace) : List.of();
	}

	private static Collection<String> owners(KubernetesObject object) {
		List<V1OwnerReference> owners = object.getMetadata().getOwnerReferences();
		return (owners != null) ? owners.stream().map(V1OwnerReference::getUid).toList() : List.of();
	}

	private static Collection<String> labels(KubernetesObject object) {
		Map<String, String> labels = object.getMetadata().getLabels();
		return (labels != null)
				? labels.entrySet().stream().map((label) -> label.getKey() + "=" + label.getValue()).toList()
				: List.of();
	}

}
