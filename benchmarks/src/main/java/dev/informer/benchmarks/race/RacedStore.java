/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.race;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.informer.cache.Indexer;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Store of two pods, which are changed together.
 */
final class RacedStore {

	private final Indexer<V1Pod> indexer = new Indexer<>((description, failure) -> {
	});

	RacedStore() {
		this.indexer.addIndex("version", (pod) -> List.of(String.valueOf(pod.getMetadata().getResourceVersion())));
		write(1);
	}

	/**
	 * Set both pods, and the store, to a version.
	 */
	void write(int version) {
		this.indexer.apply(List.of(), Map.of("ns/a", pod("a", version), "ns/b", pod("b", version)),
				Map.of("", Integer.toString(version)));
	}

	/**
	 * Return the version of a pod.
	 */
	int version(String name) {
		return version(Objects.requireNonNull(this.indexer.find("ns/" + name)));
	}

	/**
	 * Return the version of the store.
	 */
	int version() {
		return Integer.parseInt(this.indexer.resourceVersion(""));
	}

	/**
	 * Return the versions of all pods.
	 */
	List<Integer> versions() {
		return this.indexer.list().stream().map(RacedStore::version).toList();
	}

	/**
	 * Return the number of versions in the index.
	 */
	int indexed() {
		return this.indexer.indexValues("version").size();
	}

	private static int version(V1Pod pod) {
		return Integer.parseInt(Objects.requireNonNull(pod.getMetadata().getResourceVersion()));
	}

	private static V1Pod pod(String name, int version) {
		return new V1Pod()
			.metadata(new V1ObjectMeta().namespace("ns").name(name).resourceVersion(Integer.toString(version)));
	}

}
