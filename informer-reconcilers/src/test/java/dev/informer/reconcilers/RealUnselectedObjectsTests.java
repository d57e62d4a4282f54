/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.InformerFactory;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for objects with a finalizer that leave the selector of their informer, with a
 * real API server.
 */
@RealKubernetes(RequiredServer.ANY)
@Timeout(300)
class RealUnselectedObjectsTests {

	private static final String FINALIZER = "example.com/unselected";

	private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	private final AtomicBoolean permitted = new AtomicBoolean(true);

	@Test
	void objectThatLosesItsLabel_isCleanedUp(RealServer server) throws Exception {
		String namespace = namespace(server);
		try (InformerFactory direct = InformerFactory.create(client(server));
				InformerFactory factory = InformerFactory.create(client(server));
				Reconcilers reconcilers = start(factory)) {
			ObjectWriter other = ObjectWriter.of(direct, "other");
			V1ConfigMap created = other.create(configMap(namespace));
			awaitExternal().until(() -> this.calls.contains("reconcile true"));
			label(other, created);
			awaitExternal().until(() -> finalizers(server, namespace).isEmpty());
			assertThat(this.calls).endsWith("cleanup false").containsOnlyOnce("cleanup false");
			assertThat(reconcilers.registrations().get(0).failing()).isEmpty();
			other.delete(created);
			assertThat(isGone(server, namespace)).isTrue();
		}
	}

	@Test
	void objectThatLosesItsLabelWhileItIsDeleted_isCleanedUp(RealServer server) throws Exception {
		String namespace = namespace(server);
		this.permitted.set(false);
		try (InformerFactory direct = InformerFactory.create(client(server));
				InformerFactory factory = InformerFactory.create(client(server));
				Reconcilers reconcilers = start(factory)) {
			ObjectWriter other = ObjectWriter.of(direct, "other");
			V1ConfigMap created = other.create(configMap(namespace));
			awaitExternal().until(() -> this.calls.contains("reconcile true"));
			other.delete(created);
			awaitExternal().until(() -> this.calls.contains("cleanup true"));
			label(other, created);
			awaitExternal().until(() -> this.calls.contains("cleanup false"));
			this.permitted.set(true);
			awaitExternal().until(() -> isGone(server, namespace));
			assertThat(reconcilers.registrations()).hasSize(1);
		}
	}

	private Reconcilers start(InformerFactory factory) {
		Reconcilers reconcilers = Reconcilers.of(factory, ObjectWriter.of(factory, "tests"));
		reconcilers.add(factory.informer(V1ConfigMap.class, (options) -> options.labelSelector("managed=true")),
				(primary, context) -> {
					this.calls.add("reconcile " + primary.getMetadata().getLabels().get("managed"));
					return null;
				}, (options) -> options.cleanup(FINALIZER, (primary, context) -> {
					this.calls.add("cleanup " + primary.getMetadata().getLabels().get("managed"));
					if (!this.permitted.get()) {
						throw new IllegalStateException("cleanup");
					}
					return null;
				}));
		reconcilers.start();
		return reconcilers;
	}

	private static void label(ObjectWriter writer, V1ConfigMap object) throws ApiException {
		writer.patch(object, (copy) -> copy.getMetadata().setLabels(Map.of("managed", "false")));
	}

	private static V1ConfigMap configMap(String namespace) {
		return new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace(namespace).name("primary").labels(Map.of("managed", "true")));
	}

	private static List<String> finalizers(RealServer server, String namespace) throws Exception {
		List<String> finalizers = new CoreV1Api(client(server)).readNamespacedConfigMap("primary", namespace)
			.execute()
			.getMetadata()
			.getFinalizers();
		return (finalizers != null) ? finalizers : List.of();
	}

	private static boolean isGone(RealServer server, String namespace) throws Exception {
		return new CoreV1Api(client(server)).listNamespacedConfigMap(namespace)
			.fieldSelector("metadata.name=primary")
			.execute()
			.getItems()
			.isEmpty();
	}

	private static String namespace(RealServer server) throws ApiException, IOException {
		String name = "unselected-" + UUID.randomUUID();
		new CoreV1Api(client(server)).createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(name)))
			.execute();
		return name;
	}

	private static ApiClient client(RealServer server) throws IOException {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
	}

}
