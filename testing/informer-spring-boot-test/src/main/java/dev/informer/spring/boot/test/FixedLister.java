/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * {@link Lister} of a fixed set of objects, which keeps their order. Index values are
 * computed at each read. Immutable.
 *
 * @param <T> the type of the objects
 */
final class FixedLister<T extends KubernetesObject> implements Lister<T> {

	private final Map<String, T> objects = new LinkedHashMap<>();

	private final Map<String, IndexFunction<T>> functions;

	FixedLister(Collection<? extends T> objects, Map<String, IndexFunction<T>> functions) {
		this.functions = functions;
		for (T object : objects) {
			String key = key(object);
			if (this.objects.putIfAbsent(key, object) != null) {
				throw new IllegalArgumentException(
						"Cannot create the lister: two objects have the key '" + key + "'. Give them different names.");
			}
		}
	}

	private static String key(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		if (metadata == null || metadata.getName() == null) {
			throw new IllegalArgumentException("Cannot create the lister: an object of type "
					+ object.getClass().getSimpleName() + " has no metadata.name. Set one.");
		}
		return (metadata.getNamespace() != null) ? key(metadata.getNamespace(), metadata.getName())
				: metadata.getName();
	}

	private static String key(String namespace, String name) {
		return namespace + "/" + name;
	}

	@Override
	public Optional<T> get(String name) {
		return Optional.ofNullable(this.objects.get(name));
	}

	@Override
	public Optional<T> get(String namespace, String name) {
		return get(key(namespace, name));
	}

	@Override
	public List<T> list() {
		return List.copyOf(this.objects.values());
	}

	@Override
	public List<T> list(String namespace) {
		return byIndex(NAMESPACE_INDEX, namespace);
	}

	@Override
	public List<T> byIndex(String index, String value) {
		IndexFunction<T> function = function(index);
		return this.objects.values().stream().filter((object) -> function.values(object).contains(value)).toList();
	}

	@Override
	public List<T> index(String index, T object) {
		Set<T> found = new LinkedHashSet<>();
		function(index).values(object).forEach((value) -> found.addAll(byIndex(index, value)));
		return List.copyOf(found);
	}

	@Override
	public List<String> indexKeys(String index, String value) {
		return byIndex(index, value).stream().map(FixedLister::key).sorted().toList();
	}

	@Override
	public List<String> indexValues(String index, String key) {
		IndexFunction<T> function = function(index);
		return get(key).map((object) -> List.copyOf(function.values(object))).orElse(List.of());
	}

	@Override
	public List<String> keys() {
		return List.copyOf(this.objects.keySet());
	}

	@Override
	public Set<String> indexValues(String index) {
		IndexFunction<T> function = function(index);
		Set<String> values = new LinkedHashSet<>();
		this.objects.values().forEach((object) -> values.addAll(function.values(object)));
		return values;
	}

	@Override
	public int size() {
		return this.objects.size();
	}

	private IndexFunction<T> function(String index) {
		IndexFunction<T> function = this.functions.get(index);
		if (function == null) {
			throw new IllegalArgumentException("Unknown index '" + index + "'. Known indices: "
					+ this.functions.keySet().stream().sorted().toList());
		}
		return function;
	}

}
