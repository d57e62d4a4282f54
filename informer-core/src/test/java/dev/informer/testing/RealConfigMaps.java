/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.io.IOException;
import java.io.StringReader;
import java.util.Map;

import dev.informer.test.cluster.RealServer;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;

import static dev.informer.test.support.Await.awaitExternal;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Config maps in a namespace of a real server, which a test changes and reads without an
 * informer.
 */
public final class RealConfigMaps {

	private final String namespace;

	private final CoreV1Api core;

	/**
	 * Create a namespace.
	 */
	public RealConfigMaps(RealServer server, String namespace) throws IOException, ApiException {
		this.namespace = namespace;
		this.core = new CoreV1Api(client(server));
		this.core.createNamespace(TestObjects.namespace(namespace)).execute();
	}

	/**
	 * Create a client with all permissions.
	 */
	public static ApiClient client(RealServer server) throws IOException {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
	}

	public V1ConfigMap create(String name) throws ApiException {
		return this.core.createNamespacedConfigMap(this.namespace, map(name, "")).execute();
	}

	public void change(String name, String text) throws ApiException {
		this.core.replaceNamespacedConfigMap(name, this.namespace, map(name, text)).execute();
	}

	public void delete(String name) throws ApiException {
		this.core.deleteNamespacedConfigMap(name, this.namespace).execute();
	}

	private V1ConfigMap map(String name, String text) {
		return TestObjects.configMap(this.namespace, name).data(Map.of("text", text));
	}

	/**
	 * Wait until the existing objects have been delivered to a handler.
	 */
	public void awaitAgreement(EventLog<V1ConfigMap> log) {
		awaitExternal().untilAsserted(() -> assertThat(log.replay()).isEqualTo(versions()));
		assertThat(log.problems()).isEmpty();
	}

	private Map<String, String> versions() throws ApiException {
		return this.core.listNamespacedConfigMap(this.namespace)
			.execute()
			.getItems()
			.stream()
			.collect(toMap((map) -> this.namespace + "/" + map.getMetadata().getName(),
					(map) -> String.valueOf(map.getMetadata().getResourceVersion())));
	}

}
