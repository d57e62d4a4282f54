/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Objects to fill stores and queues with.
 */
public final class StoreObjects {

	private static final int PER_NAMESPACE = 400;

	private final Map<String, V1Pod> pods = new LinkedHashMap<>();

	private final List<String> keys;

	/**
	 * Create objects.
	 * @param count the number of objects
	 */
	public StoreObjects(int count) {
		for (int index = 0; index < count; index++) {
			V1Pod pod = pod("namespace-" + index / PER_NAMESPACE, "pod-" + index, 1);
			this.pods.put(pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(), pod);
		}
		this.keys = List.copyOf(this.pods.keySet());
	}

	/**
	 * Return the objects.
	 * @return the objects by key
	 */
	public Map<String, V1Pod> pods() {
		return this.pods;
	}

	/**
	 * Return the keys.
	 * @return the keys by number
	 */
	public List<String> keys() {
		return this.keys;
	}

	/**
	 * Return the number of namespaces.
	 * @return the number of namespaces
	 */
	public int namespaces() {
		return (this.keys.size() - 1) / PER_NAMESPACE + 1;
	}

	/**
	 * Create another state of an object.
	 * @param key its key
	 * @param version its resource version
	 * @return the new state
	 */
	public static V1Pod next(String key, long version) {
		int slash = key.indexOf('/');
		return pod(key.substring(0, slash), key.substring(slash + 1), version);
	}

	private static V1Pod pod(String namespace, String name, long version) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace(namespace)
			.name(name)
			.uid("uid-of-" + name)
			.resourceVersion(Long.toString(version)));
	}

}
