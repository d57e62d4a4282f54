/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

import dev.informer.client.ObjectKey;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;

/**
 * Config maps of a test on a real API server, in one or several dedicated namespaces.
 */
final class RealShardObjects {

	private static final String LABEL = "test";

	private final CoreV1Api core;

	private final List<String> namespaces;

	private final int size;

	/**
	 * Create the namespaces.
	 * @param server the server
	 * @param size the length of the text in each object
	 * @param namespaces the namespaces, of which the first is the value of the label of
	 * all objects
	 */
	RealShardObjects(RealServer server, int size, String... namespaces) throws IOException, ApiException {
		this.core = new CoreV1Api(RealConfigMaps.client(server));
		this.namespaces = List.of(namespaces);
		this.size = size;
		for (String namespace : namespaces) {
			this.core.createNamespace(TestObjects.namespace(namespace)).execute();
		}
	}

	/**
	 * Return a label selector of all objects.
	 */
	String selector() {
		return LABEL + "=" + this.namespaces.get(0);
	}

	/**
	 * Create objects in each namespace.
	 * @param from the number of the first object
	 * @param to the number behind the last object
	 */
	void create(int from, int to) throws ApiException {
		for (String namespace : this.namespaces) {
			for (int i = from; i < to; i++) {
				this.core.createNamespacedConfigMap(namespace, object(namespace, i, i)).execute();
			}
		}
	}

	void change(int from, int to) throws ApiException {
		for (String namespace : this.namespaces) {
			for (int i = from; i < to; i++) {
				change(namespace, i);
			}
		}
	}

	private void change(String namespace, int number) throws ApiException {
		this.core.replaceNamespacedConfigMap("map-" + number, namespace, object(namespace, number, System.nanoTime()))
			.execute();
	}

	/**
	 * Change objects.
	 * @param keys their keys
	 */
	void change(Iterable<String> keys) throws ApiException {
		for (String key : keys) {
			String[] parts = key.split("/map-");
			change(parts[0], Integer.parseInt(parts[1]));
		}
	}

	void delete(int from, int to) throws ApiException {
		for (String namespace : this.namespaces) {
			for (int i = from; i < to; i++) {
				this.core.deleteNamespacedConfigMap("map-" + i, namespace).execute();
			}
		}
	}

	/**
	 * Return the resource versions of all objects by key.
	 */
	Map<String, String> versions() throws ApiException {
		return this.core.listConfigMapForAllNamespaces()
			.labelSelector(selector())
			.execute()
			.getItems()
			.stream()
			.collect(Collectors.toMap(ObjectKey::of, (map) -> map.getMetadata().getResourceVersion()));
	}

	private V1ConfigMap object(String namespace, int number, long seed) {
		// text that TLS and HTTP do not shorten
		StringBuilder text = new StringBuilder(this.size);
		new Random(seed).ints(this.size, 'a', 'z').forEach((letter) -> text.append((char) letter));
		return TestObjects.configMap(namespace, "map-" + number, Map.of(LABEL, this.namespaces.get(0)))
			.data(Map.of("text", text.toString()));
	}

}
