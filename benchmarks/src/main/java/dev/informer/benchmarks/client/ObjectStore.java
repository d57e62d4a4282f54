/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

/**
 * Store of objects by key and namespace, as a client has it. Thread-safe.
 */
public interface ObjectStore {

	/**
	 * Fill the store.
	 * @param pods the objects by key
	 */
	void fill(Map<String, V1Pod> pods);

	/**
	 * Store a new state of an object.
	 * @param key its key
	 * @param pod its state
	 */
	void write(String key, V1Pod pod);

	/**
	 * Read an object.
	 * @param key its key
	 * @return the object
	 */
	@Nullable V1Pod read(String key);

	/**
	 * Read the objects of a namespace.
	 * @param namespace the namespace
	 * @return the objects
	 */
	List<V1Pod> readNamespace(String namespace);

	/**
	 * Return this project's store.
	 * @return an empty store
	 */
	static ObjectStore ofInformer() {
		return new IndexerStore();
	}

	/**
	 * Return the official client's store.
	 * @return an empty store
	 */
	static ObjectStore ofOfficialClient() {
		return new CacheStore();
	}

	/**
	 * Store of this project.
	 */
	final class IndexerStore implements ObjectStore {

		private final Indexer<V1Pod> indexer = new Indexer<>((description, failure) -> {
			throw new IllegalStateException(failure);
		});

		@Override
		public void fill(Map<String, V1Pod> pods) {
			this.indexer.apply(List.of(), pods, Map.of());
		}

		@Override
		public void write(String key, V1Pod pod) {
			this.indexer.apply(List.of(), Map.of(key, pod), Map.of());
		}

		@Override
		public @Nullable V1Pod read(String key) {
			return this.indexer.find(key);
		}

		@Override
		public List<V1Pod> readNamespace(String namespace) {
			return this.indexer.byIndex(Indexer.NAMESPACE_INDEX, namespace);
		}

	}

	/**
	 * Store of the official client.
	 */
	final class CacheStore implements ObjectStore {

		private final Cache<V1Pod> cache = new Cache<>();

		@Override
		public void fill(Map<String, V1Pod> pods) {
			this.cache.replace(new ArrayList<>(pods.values()), "1");
		}

		@Override
		public void write(String key, V1Pod pod) {
			this.cache.update(pod);
		}

		@Override
		public @Nullable V1Pod read(String key) {
			return this.cache.getByKey(key);
		}

		@Override
		public List<V1Pod> readNamespace(String namespace) {
			return this.cache.byIndex(Caches.NAMESPACE_INDEX, namespace);
		}

	}

}
