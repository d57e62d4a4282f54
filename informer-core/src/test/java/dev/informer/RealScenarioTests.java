/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.IOException;
import java.io.StringReader;
import java.net.SocketTimeoutException;
import java.net.URI;
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
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.TcpProxy;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.ApiextensionsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.awaitExternal;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what only a real API server, with its etcd, its certificates and its HTTP/2,
 * can show.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealScenarioTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String GROUP = "scenarios.example.com";

	private final InformerRecorder recorder = new InformerRecorder();

	private final EventLog<V1ConfigMap> log = new EventLog<>();

	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void etcdRestoredFromBackup_endsWithStateOfServer(RealServer server) throws Exception {
		ApiClient admin = client(server);
		namespace(admin, "restored");
		create(admin, "restored", "kept");
		create(admin, "restored", "gone-after-the-backup");
		create(admin, "restored", "changed-after-the-backup");
		server.requireControlPlane().backUpEtcd();
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<V1ConfigMap> informer = follow(informers, "restored");
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).hasSize(3));
			for (int i = 0; i < 20; i++) {
				create(admin, "restored", "never-happened-" + i);
			}
			CoreV1Api core = new CoreV1Api(admin);
			core.deleteNamespacedConfigMap("gone-after-the-backup", "restored").execute();
			core.replaceNamespacedConfigMap("changed-after-the-backup", "restored",
					TestObjects.configMap("restored", "changed-after-the-backup").data(Map.of("changed", "after")))
				.execute();
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, "restored")));
			assertThat(this.log.replay()).hasSize(22);
			server.requireControlPlane().restoreEtcd();
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, "restored")));
			assertThat(this.log.replay()).hasSize(3);
			assertThat(this.recorder.relists()).contains(RelistReason.ROLLBACK);
			assertThat(informer.lister().get("restored", "changed-after-the-backup")).get()
				.satisfies((found) -> assertThat(found.getData()).isNullOrEmpty());
			create(admin, "restored", "new");
			awaitExternal().untilAsserted(() -> assertThat(this.log.story()).endsWith("ADDED restored/new"));
			// what was deleted after the backup is there again, under its old UID
			assertThat(this.log.problems()).singleElement().asString().endsWith("is added again");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void etcdRestoredFromBackup_thatHasPassedTheLastVersion_endsWithStateOfServer(boolean onlyCreated,
			RealServer server) throws Exception {
		ApiClient admin = client(server);
		String namespace = "overtaken-" + onlyCreated;
		namespace(admin, namespace);
		create(admin, namespace, "kept");
		create(admin, namespace, "changed-after-the-backup");
		server.requireControlPlane().backUpEtcd();
		try (TcpProxy proxy = new TcpProxy(server.url());
				InformerFactory informers = factory(client(server).setBasePath(proxy.url()))) {
			SharedIndexInformer<V1ConfigMap> informer = follow(informers, namespace);
			for (int i = 0; i < 20; i++) {
				create(admin, namespace, "never-happened-" + i);
			}
			if (!onlyCreated) {
				new CoreV1Api(admin)
					.replaceNamespacedConfigMap("changed-after-the-backup", namespace,
							TestObjects.configMap(namespace, "changed-after-the-backup")
								.data(Map.of("changed", "after")))
					.execute();
			}
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
			String reached = informer.lastSyncResourceVersion();
			proxy.target(URI.create("https://127.0.0.1:1"));
			proxy.cut();
			server.requireControlPlane().restoreEtcd();
			awaitExternal().until(() -> {
				String version = new CoreV1Api(admin)
					.createNamespacedConfigMap("default",
							new V1ConfigMap().metadata(new V1ObjectMeta().generateName("written-")))
					.execute()
					.getMetadata()
					.getResourceVersion();
				return Long.parseLong(version) > Long.parseLong(reached);
			});
			proxy.target(server.url());
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
			assertThat(this.recorder.relists()).contains(RelistReason.ROLLBACK);
			assertThat(this.log.replay()).hasSize(2);
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, true" })
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void etcdRestoredFromBackup_withoutAFailedRequest_endsWithStateOfServer(boolean changedAfterList,
			boolean changedAfterBackup, RealServer server) throws Exception {
		ApiClient admin = client(server);
		String namespace = "silent-" + changedAfterList + "-" + changedAfterBackup;
		namespace(admin, namespace);
		create(admin, namespace, "kept");
		ApiClient client = client(server);
		// pings of HTTP/2 would reveal that the proxy sends nothing
		client.setHttpClient(client.getHttpClient().newBuilder().protocols(List.of(Protocol.HTTP_1_1)).build());
		try (TcpProxy proxy = new TcpProxy(server.url());
				InformerFactory informers = factory(client.setBasePath(proxy.url()))) {
			SharedIndexInformer<V1ConfigMap> informer = changedAfterList ? follow(informers, namespace) : null;
			if (!changedAfterBackup) {
				create(admin, namespace, "last-change");
			}
			server.requireControlPlane().backUpEtcd();
			if (changedAfterBackup) {
				create(admin, namespace, "never-happened");
			}
			for (int i = 0; i < 20; i++) {
				write(admin);
			}
			long reached = write(admin);
			SharedIndexInformer<V1ConfigMap> following = (informer != null) ? informer : follow(informers, namespace);
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
			// by a bookmark, which the server sends once a minute
			awaitExternal().atMost(LONG.multipliedBy(2))
				.until(() -> Long.parseLong(following.lastSyncResourceVersion()) >= reached);
			proxy.hold();
			server.requireControlPlane().restoreEtcd();
			awaitExternal().until(() -> {
				create(admin, namespace, "created-by-the-other");
				return true;
			});
			long passed = reached + 200;
			awaitExternal().until(() -> write(admin) > passed);
			proxy.cut();
			proxy.release();
			awaitExternal().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(state(admin, namespace)));
			assertThat(this.log.replay()).containsKey(namespace + "/created-by-the-other")
				.doesNotContainKey(namespace + "/never-happened");
			assertThat(this.recorder.relists()).contains(RelistReason.ROLLBACK);
		}
	}

	/**
	 * Write something else, and return its version.
	 */
	private static long write(ApiClient admin) throws ApiException {
		String version = new CoreV1Api(admin)
			.createNamespacedConfigMap("default",
					new V1ConfigMap().metadata(new V1ObjectMeta().generateName("written-")))
			.execute()
			.getMetadata()
			.getResourceVersion();
		return Long.parseLong(version);
	}

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
			try (WatchStream<V1ConfigMap> idle = source.watch(request, new Cancellation());
					WatchStream<V1ConfigMap> other = source.watch(request, new Cancellation())) {
				assertThat(proxy.accepted()).as("streams on one connection").isEqualTo(1);
				proxy.freeze();
				idle.idleTimeout(Duration.ofMillis(300));
				assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(idle::next);
				assertThatExceptionOfType(IOException.class).isThrownBy(other::next);
			}
			create(admin, "default", "behind-the-dead-connection");
			try (WatchStream<V1ConfigMap> next = source.watch(request, new Cancellation())) {
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

	private SharedIndexInformer<V1ConfigMap> follow(InformerFactory informers, String namespace)
			throws InterruptedException {
		SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces(namespace));
		informer.addHandler(this.log);
		informer.start();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		return informer;
	}

	private InformerFactory factory(ApiClient client) {
		BackoffPolicy fast = new BackoffPolicy(Duration.ofMillis(20), 2, Duration.ofMillis(500), Duration.ofMillis(20),
				Duration.ofMinutes(2));
		return InformerFactory.create(() -> client, (settings) -> settings.addListener(this.recorder)
			.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(fast).build()));
	}

	private static ApiClient client(RealServer server) throws IOException {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
	}

	private static void namespace(ApiClient client, String name) throws ApiException {
		new CoreV1Api(client).createNamespace(TestObjects.namespace(name)).execute();
	}

	private static void create(ApiClient client, String namespace, String name) throws ApiException {
		new CoreV1Api(client).createNamespacedConfigMap(namespace, TestObjects.configMap(namespace, name)).execute();
	}

	private static Map<String, String> state(ApiClient client, String namespace) throws ApiException {
		return new CoreV1Api(client).listNamespacedConfigMap(namespace)
			.execute()
			.getItems()
			.stream()
			.collect(toMap((map) -> namespace + "/" + map.getMetadata().getName(),
					(map) -> map.getMetadata().getResourceVersion()));
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
