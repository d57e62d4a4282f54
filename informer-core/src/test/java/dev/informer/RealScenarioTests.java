/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerState.Phase;
import dev.informer.client.ApiListerWatcher;
import dev.informer.client.Cancellation;
import dev.informer.client.KubernetesConnection;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ResourceType;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.ApiextensionsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what only a real API server, with its certificates and its HTTP/2, can show.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealScenarioTests extends RealScenario {

	private static final String GROUP = "scenarios.example.com";

	@Test
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void customResourceDefinition_recreatedWhileWatched(RealServer server) throws Exception {
		ApiClient admin = client(server);
		namespace(admin, "defined");
		define(admin);
		createGadget(admin, "one");
		EventLog<DynamicKubernetesObject> gadgets = new EventLog<>();
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<DynamicKubernetesObject> informer = informers
				.informer(ResourceType.dynamic(GROUP, "v1", "gadgets", "Gadget", true), (options) -> {
				});
			informer.addHandler(gadgets);
			informers.start();
			assertThat(informer.awaitSynced(LONG)).isTrue();
			awaitExternal().untilAsserted(() -> assertThat(gadgets.story()).containsExactly("ADDED defined/one"));
			new ApiextensionsV1Api(admin).deleteCustomResourceDefinition("gadgets." + GROUP).execute();
			awaitExternal().until(() -> informer.state().phase() == Phase.DORMANT);
			assertThat(informer.state().failure()).isNotNull()
				.satisfies((failure) -> assertThat(failure.message()).contains("404", "CustomResourceDefinition"));
			define(admin);
			createGadget(admin, "two");
			awaitExternal().untilAsserted(() -> assertThat(gadgets.replay()).containsOnlyKeys("defined/two"));
			awaitExternal().until(() -> informer.state().phase() == Phase.WATCHING);
			createGadget(admin, "three");
			awaitExternal().untilAsserted(() -> assertThat(gadgets.story()).containsExactly("ADDED defined/one",
					"DELETED defined/one", "ADDED defined/two", "ADDED defined/three"));
			assertThat(gadgets.problems()).isEmpty();
			assertThat(this.recorder.relists()).contains(RelistReason.RECOVERED);
		}
		finally {
			new ApiextensionsV1Api(admin).deleteCustomResourceDefinition("gadgets." + GROUP).execute();
		}
	}

	@Test
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void deadConnection_isNotUsedForNextRequest(RealServer server) throws Exception {
		ApiClient admin = client(server);
		try (TcpProxy proxy = new TcpProxy(server.url());
				KubernetesConnection connection = new KubernetesConnection(client(server).setBasePath(proxy.url()))) {
			ApiListerWatcher<V1ConfigMap> source = new ApiListerWatcher<>(connection,
					ResourceType.of(V1ConfigMap.class), "default", null, null,
					JsonWireFormat.of(V1ConfigMap.class, "v1", "ConfigMap"));
			String version = source.list(new ListRequest("", 0, null), new Ignoring(), new Cancellation())
				.resourceVersion();
			WatchRequest request = new WatchRequest(version, Duration.ofMinutes(5), false);
			try (WatchStream<V1ConfigMap> idle = source.watch(request, (state) -> null, new Cancellation());
					WatchStream<V1ConfigMap> other = source.watch(request, (state) -> null, new Cancellation())) {
				assertThat(proxy.accepted()).as("streams on one connection").isEqualTo(1);
				proxy.freeze();
				idle.idleTimeout(Duration.ofMillis(300));
				assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(idle::next);
				assertThatExceptionOfType(IOException.class).isThrownBy(other::next);
			}
			create(admin, "default", "behind-the-dead-connection");
			try (WatchStream<V1ConfigMap> next = source.watch(request, (state) -> null, new Cancellation())) {
				assertThat(next.next()).isInstanceOf(WatchEvent.Change.class);
			}
			assertThat(proxy.accepted()).isEqualTo(2);
		}
		finally {
			new CoreV1Api(admin).deleteNamespacedConfigMap("behind-the-dead-connection", "default").execute();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void close_leavesNoConnection(boolean http2, RealServer server) throws Exception {
		String namespace = http2 ? "http-two" : "http-one";
		ApiClient admin = client(server);
		namespace(admin, namespace);
		try (TcpProxy proxy = new TcpProxy(server.url())) {
			ApiClient client = client(server).setBasePath(proxy.url());
			if (!http2) {
				client.setHttpClient(client.getHttpClient().newBuilder().protocols(List.of(Protocol.HTTP_1_1)).build());
			}
			try (InformerFactory informers = factory(client)) {
				SharedIndexInformer<V1ConfigMap> informer = follow(informers, namespace);
				SharedIndexInformer<V1Secret> secrets = informers.informer(V1Secret.class);
				secrets.start();
				assertThat(secrets.awaitSynced(LONG)).isTrue();
				awaitExternal().until(
						() -> informer.state().phase() == Phase.WATCHING && secrets.state().phase() == Phase.WATCHING);
				create(admin, namespace, "a");
				awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
				assertThat(proxy.open()).isGreaterThanOrEqualTo(http2 ? 1 : 2);
			}
			awaitExternal().until(() -> proxy.open() == 0);
			assertThat(this.recorder.relists()).isEmpty();
		}
	}

	/**
	 * Defines gadgets, as soon as the definition before has gone.
	 */
	private static void define(ApiClient client) {
		Map<String, Object> version = Map.of("name", "v1", "served", true, "storage", true, "schema",
				Map.of("openAPIV3Schema", Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true)));
		Map<String, Object> definition = Map.of("apiVersion", "apiextensions.k8s.io/v1", "kind",
				"CustomResourceDefinition", "metadata", Map.of("name", "gadgets." + GROUP), "spec",
				Map.of("group", GROUP, "scope", "Namespaced", "names", Map.of("plural", "gadgets", "kind", "Gadget"),
						"versions", List.of(version)));
		awaitExternal().until(() -> {
			new CustomObjectsApi(client)
				.createClusterCustomObject("apiextensions.k8s.io", "v1", "customresourcedefinitions", definition)
				.execute();
			return true;
		});
	}

	/**
	 * Creates a gadget, as soon as they are served.
	 */
	private static void createGadget(ApiClient client, String name) {
		Map<String, Object> gadget = Map.of("apiVersion", GROUP + "/v1", "kind", "Gadget", "metadata",
				Map.of("name", name));
		awaitExternal().until(() -> {
			new CustomObjectsApi(client).createNamespacedCustomObject(GROUP, "v1", "defined", "gadgets", gadget)
				.execute();
			return true;
		});
	}

	private static final class Ignoring implements ListSink<V1ConfigMap> {

		@Override
		public void accept(V1ConfigMap object) {
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
		}

	}

}
