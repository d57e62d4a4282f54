/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.informer.IndexFunction;
import dev.informer.Lister;
import dev.informer.cache.Indexer;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Factory of listers for unit tests without an informer and without a cluster:
 *
 * <pre class="code">
 * Rollouts rollouts = new Rollouts(Listers.of(pod("web-1"), pod("web-2")));
 * </pre>
 *
 * The listers are immutable, keep the order of the objects and have all built-in indices.
 */
public final class Listers {

	private Listers() {
	}

	/**
	 * Create a lister of the given objects.
	 * @param <T> the type of the objects
	 * @param objects the objects
	 * @return the lister
	 * @throws IllegalArgumentException if an object has no name, or two have the same
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
	 * Create a lister of the given objects.
	 * @param <T> the type of the objects
	 * @param objects the objects
	 * @return the lister
	 * @throws IllegalArgumentException if an object has no name, or two have the same
	 */
	public static <T extends KubernetesObject> Lister<T> of(Collection<? extends T> objects) {
		return new Indexed<T>(Map.of()).of(objects);
	}

	/**
	 * Add an index with at most one value per object.
	 * @param <T> the type of the objects
	 * @param name the name of the index
	 * @param function returns the value of an object, or {@code null} to leave the object
	 * out of the index
	 * @return a builder of the lister
	 */
	public static <T extends KubernetesObject> Indexed<T> withIndex(String name,
			Function<T, @Nullable String> function) {
		return new Indexed<T>(Map.of()).andIndex(name, function);
	}

	/**
	 * Add an index with any number of values per object.
	 * @param <T> the type of the objects
	 * @param name the name of the index
	 * @param function returns the values of an object
	 * @return a builder of the lister
	 */
	public static <T extends KubernetesObject> Indexed<T> withMultiValueIndex(String name, IndexFunction<T> function) {
		return new Indexed<T>(Map.of()).andMultiValueIndex(name, function);
	}

	/**
	 * Builder of a lister with indices. Immutable.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class Indexed<T extends KubernetesObject> {

		private final Map<String, IndexFunction<T>> functions;

		private Indexed(Map<String, IndexFunction<T>> functions) {
			this.functions = functions;
		}

		/**
		 * Add an index with at most one value per object.
		 * @param name the name of the index
		 * @param function returns the value of an object, or {@code null} to leave the
		 * object out of the index
		 * @return a builder with the index
		 */
		public Indexed<T> andIndex(String name, Function<T, @Nullable String> function) {
			return andMultiValueIndex(name, (object) -> {
				String value = function.apply(object);
				return (value != null) ? List.of(value) : List.of();
			});
		}

		/**
		 * Add an index with any number of values per object.
		 * @param name the name of the index
		 * @param function returns the values of an object
		 * @return a builder with the index
		 */
		public Indexed<T> andMultiValueIndex(String name, IndexFunction<T> function) {
			Map<String, IndexFunction<T>> more = new LinkedHashMap<>(this.functions);
			more.put(name, function);
			return new Indexed<>(more);
		}

		/**
		 * Create the lister.
		 * @param objects the objects
		 * @return the lister
		 * @throws IllegalArgumentException if an object has no name, or two have the same
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
		 * Create the lister.
		 * @param objects the objects
		 * @return the lister
		 * @throws IllegalArgumentException if an object has no name, or two have the same
		 */
		public Lister<T> of(Collection<? extends T> objects) {
			Map<String, IndexFunction<T>> all = new LinkedHashMap<>(this.functions);
			for (String name : List.of(Lister.NAMESPACE_INDEX, Lister.OWNER_INDEX, Lister.LABEL_INDEX)) {
				all.put(name, Indexer.builtIn(name));
			}
			return new FixedLister<>(objects, all);
		}

	}

}
