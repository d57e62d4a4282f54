/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Map;

import dev.informer.test.cluster.RealServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What tests of a real API server have in common: an informer of ConfigMaps, whose events
 * are recorded.
 */
abstract class RealScenario {

	protected static final Duration LONG = Duration.ofSeconds(60);

	protected final InformerRecorder recorder = new InformerRecorder();

	protected final EventLog<V1ConfigMap> log = new EventLog<>();

	protected SharedIndexInformer<V1ConfigMap> follow(InformerFactory informers, String namespace)
			throws InterruptedException {
		SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces(namespace));
		informer.addHandler(this.log);
		informer.start();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		return informer;
	}

	protected InformerFactory factory(ApiClient client) {
		BackoffPolicy fast = new BackoffPolicy(Duration.ofMillis(20), 2, Duration.ofMillis(500), Duration.ofMillis(20),
				Duration.ofMinutes(2));
		return InformerFactory.create(() -> client, (settings) -> settings.addListener(this.recorder)
			.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(fast).build()));
	}

	protected static ApiClient client(RealServer server) throws IOException {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
	}

	protected static void namespace(ApiClient client, String name) throws ApiException {
		new CoreV1Api(client).createNamespace(TestObjects.namespace(name)).execute();
	}

	protected static void create(ApiClient client, String namespace, String name) throws ApiException {
		new CoreV1Api(client).createNamespacedConfigMap(namespace, TestObjects.configMap(namespace, name)).execute();
	}

	/**
	 * Write something else, and return its version.
	 */
	protected static long write(ApiClient admin) throws ApiException {
		String version = new CoreV1Api(admin)
			.createNamespacedConfigMap("default",
					new V1ConfigMap().metadata(new V1ObjectMeta().generateName("written-")))
			.execute()
			.getMetadata()
			.getResourceVersion();
		return Long.parseLong(version);
	}

	protected static Map<String, String> state(ApiClient client, String namespace) throws ApiException {
		return new CoreV1Api(client).listNamespacedConfigMap(namespace)
			.execute()
			.getItems()
			.stream()
			.collect(toMap((map) -> namespace + "/" + map.getMetadata().getName(),
					(map) -> map.getMetadata().getResourceVersion()));
	}

}
