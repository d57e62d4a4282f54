/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;

/**
 * Listers for unit tests, without an informer and without a cluster:
 *
 * <pre class="code">
 * Rollouts rollouts = new Rollouts(Listers.of(pod("web-1"), pod("web-2")));
 * </pre>
 *
 * They never change. The built-in indices are all switched on.
 */
public final class Listers {

	private Listers() {
	}

	/**
	 * A lister of some objects.
	 * @param <T> the type of the objects
	 * @param objects the objects
	 * @return the lister
	 * @throws IllegalArgumentException when an object has no name, or two have the same
	 */
	@SafeVarargs
	public static <T extends KubernetesObject> Lister<T> of(T... objects) {
		List<T> list = new ArrayList<>();
		for (T object : objects) {
			list.add(object);
		}
		return of(list);
	}

	/**
	 * A lister of some objects.
	 * @param <T> the type of the objects
	 * @param objects the objects
	 * @return the lister
	 * @throws IllegalArgumentException when an object has no name, or two have the same
	 */
	public static <T extends KubernetesObject> Lister<T> of(Collection<? extends T> objects) {
		return new Indexed<T>(Map.of()).of(objects);
	}

	/**
	 * Begins a lister with an index of at most one value per object.
	 * @param <T> the type of the objects
	 * @param name the name of the index
	 * @param function gives the value of an object, {@code null} when it is not in this
	 * index
	 * @return what makes the lister
	 */
	public static <T extends KubernetesObject> Indexed<T> withIndex(String name,
			Function<T, @Nullable String> function) {
		return new Indexed<T>(Map.of()).andIndex(name, function);
	}

	private static Collection<String> namespace(KubernetesObject object) {
		String namespace = object.getMetadata().getNamespace();
		return (namespace != null) ? List.of(namespace) : List.of();
	}

	private static Collection<String> owners(KubernetesObject object) {
		List<V1OwnerReference> owners = object.getMetadata().getOwnerReferences();
		return (owners != null) ? owners.stream().map(V1OwnerReference::getUid).toList() : List.of();
	}

	private static Collection<String> labels(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		return (metadata.getLabels() != null) ? metadata.getLabels()
			.entrySet()
			.stream()
			.map((label) -> label.getKey() + "=" + label.getValue())
			.toList() : List.of();
	}

	/**
	 * Makes a lister with indices. Immutable.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class Indexed<T extends KubernetesObject> {

		private final Map<String, IndexFunction<T>> functions;

		private Indexed(Map<String, IndexFunction<T>> functions) {
			this.functions = functions;
		}

		/**
		 * Adds an index of at most one value per object.
		 * @param name its name
		 * @param function gives the value of an object, {@code null} when it is not in
		 * this index
		 * @return what makes the lister
		 */
		public Indexed<T> andIndex(String name, Function<T, @Nullable String> function) {
			return andMultiValueIndex(name, (object) -> {
				String value = function.apply(object);
				return (value != null) ? List.of(value) : List.of();
			});
		}

		/**
		 * Adds an index of any number of values per object.
		 * @param name its name
		 * @param function gives the values of an object
		 * @return what makes the lister
		 */
		public Indexed<T> andMultiValueIndex(String name, IndexFunction<T> function) {
			Map<String, IndexFunction<T>> more = new LinkedHashMap<>(this.functions);
			more.put(name, function);
			return new Indexed<>(more);
		}

		/**
		 * Makes the lister.
		 * @param objects the objects
		 * @return the lister
		 * @throws IllegalArgumentException when an object has no name, or two have the
		 * same
		 */
		@SafeVarargs
		public final Lister<T> of(T... objects) {
			List<T> list = new ArrayList<>();
			for (T object : objects) {
				list.add(object);
			}
			return of(list);
		}

		/**
		 * Makes the lister.
		 * @param objects the objects
		 * @return the lister
		 * @throws IllegalArgumentException when an object has no name, or two have the
		 * same
		 */
		public Lister<T> of(Collection<? extends T> objects) {
			Map<String, IndexFunction<T>> all = new LinkedHashMap<>(this.functions);
			all.put(Lister.NAMESPACE_INDEX, Listers::namespace);
			all.put(Lister.OWNER_INDEX, Listers::owners);
			all.put(Lister.LABEL_INDEX, Listers::labels);
			return new FixedLister<>(objects, all);
		}

	}

}
