/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.informer.client.Moment;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ComponentStatus;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers of objects that have no model in the official client, and of the
 * metadata of those that have one, against the real kube-apiserver.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealKindsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@Test
	@RealKubernetes
	void untypedResource_discoveredByName_isWatchedAndCanBeUpdated(RealServer server) throws Exception {
		ApiClient admin = client(server);
		define(admin, "gadgets", "Gadget");
		CustomObjectsApi objects = new CustomObjectsApi(admin);
		try (InformerFactory informers = InformerFactory.create(admin)) {
			awaitExternal()
				.untilAsserted(() -> informers.discover(DynamicKubernetesObject.class, "gadgets.example.com"));
			awaitExternal().untilAsserted(() -> objects
				.createNamespacedCustomObject("example.com", "v1", "default", "gadgets", custom("Gadget", "a"))
				.execute());
			SharedIndexInformer<DynamicKubernetesObject> informer = informers.informer("gadgets.v1.example.com");
			EventLog<DynamicKubernetesObject> log = new EventLog<>();
			informer.addHandler(log);
			SharedIndexInformer<DynamicKubernetesObject> named = informers.informer(
					ResourceType.named(DynamicKubernetesObject.class, "gadgets.example.com"),
					(options) -> options.name("named"));
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			awaitExternal().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a"));
			DynamicKubernetesObject listed = informer.lister().get("default", "a").orElseThrow();
			assertThat(named.lister().get("default", "a")).contains(listed);
			assertThat(listed.getKind()).isEqualTo("Gadget");
			DynamicKubernetesObject changed = new DynamicKubernetesObject(listed.getRaw().deepCopy());
			changed.getRaw().getAsJsonObject("spec").addProperty("size", 2);
			new DynamicKubernetesApi("example.com", "v1", "gadgets", admin).update(changed).throwsApiException();
			awaitExternal()
				.untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a", "UPDATED default/a"));
			assertThat(informer.lister().get("default", "a")).get()
				.satisfies((object) -> assertThat(object.getRaw().getAsJsonObject("spec").get("size").getAsInt())
					.isEqualTo(2));
			objects.deleteNamespacedCustomObject("example.com", "v1", "default", "gadgets", "a").execute();
			awaitExternal().untilAsserted(() -> assertThat(log.story()).containsExactly("ADDED default/a",
					"UPDATED default/a", "DELETED default/a"));
			assertThat(log.problems()).isEmpty();
		}
	}

	@Test
	@RealKubernetes
	void metadataOnly_isRequestedAndWatched(RealServer server) throws Exception {
		ApiClient admin = client(server);
		CoreV1Api core = new CoreV1Api(admin);
		V1ConfigMap map = new V1ConfigMap().putDataItem("key", "value");
		for (String name : List.of("metadata-a", "metadata-b")) {
			core.createNamespacedConfigMap("default", map.metadata(labelled(name))).execute();
		}
		try (InformerFactory informers = InformerFactory.create(admin)) {
			SharedIndexInformer<PartialObjectMetadata> informer = informers.metadataInformer(V1ConfigMap.class,
					(options) -> options.labelSelector("app=metadata").pageSize(1));
			SharedIndexInformer<V1ConfigMap> whole = informers.informer(V1ConfigMap.class,
					(options) -> options.labelSelector("app=metadata"));
			EventLog<PartialObjectMetadata> log = new EventLog<>();
			informer.addHandler(log);
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			core.createNamespacedConfigMap("default", map.metadata(labelled("metadata-c"))).execute();
			core.deleteNamespacedConfigMap("metadata-a", "default").execute();
			awaitExternal().untilAsserted(
					() -> assertThat(log.replay()).containsOnlyKeys("default/metadata-b", "default/metadata-c"));
			awaitExternal().untilAsserted(
					() -> assertThat(informer.lister().list()).containsExactlyInAnyOrderElementsOf(whole.lister()
						.list()
						.stream()
						.map((object) -> new PartialObjectMetadata(object.getMetadata()))
						.toList()));
			assertThat(log.problems()).isEmpty();
		}
	}

	@Test
	@RealKubernetes
	void metadataOnly_ofUnservedResource_failsWithMessageOfServer(RealServer server) throws Exception {
		try (InformerFactory informers = InformerFactory.create(client(server))) {
			SharedIndexInformer<PartialObjectMetadata> informer = informers.informer(
					ResourceType.dynamic("example.com", "v1", "nothings", "Nothing", true).metadataOnly(),
					(options) -> {
					});
			informers.start();
			awaitExternal().untilAsserted(() -> assertThat(informer.state().failure()).isNotNull()
				.extracting(InformerFailure::kind)
				.isEqualTo(InformerFailure.Kind.NOT_FOUND));
		}
	}

	@Test
	@RealKubernetes
	void resourceWithoutWatch_isPolled_andSaysSoOtherwise(RealServer server) throws Exception {
		try (InformerFactory informers = InformerFactory.create(client(server))) {
			SharedIndexInformer<V1ComponentStatus> watched = informers.informer(V1ComponentStatus.class);
			SharedIndexInformer<V1ComponentStatus> polled = informers.informer(V1ComponentStatus.class,
					(options) -> options.name("polled").watch(false).pollInterval(Duration.ofSeconds(1)));
			SharedIndexInformer<DynamicKubernetesObject> untyped = informers.informer(
					ResourceType.named(DynamicKubernetesObject.class, "componentstatuses"),
					(options) -> options.name("untyped").watch(false));
			EventLog<V1ComponentStatus> log = new EventLog<>();
			polled.addHandler(log);
			informers.start();
			assertThat(polled.awaitSynced(LONG)).isTrue();
			assertThat(untyped.awaitSynced(LONG)).isTrue();
			assertThat(untyped.lister().size()).isPositive();
			awaitExternal().untilAsserted(() -> assertThat(watched.state().failure()).isNotNull()
				.extracting(InformerFailure::message)
				.asString()
				.contains("Cannot watch componentstatuses: 405", "Set watch to false: the informer then polls."));
			Moment first = polled.lastActivity().orElseThrow();
			awaitExternal()
				.until(() -> polled.lastActivity().orElseThrow().nanoTime() - first.nanoTime() > 3_000_000_000L);
			assertThat(polled.state().failure()).isNull();
			assertThat(log.story()).hasSize(polled.lister().size()).allMatch((event) -> event.startsWith("ADDED"));
		}
	}

	@Test
	@RealKubernetes
	void awaitAtLeast_readsOwnWrites(RealServer server) throws Exception {
		CoreV1Api core = new CoreV1Api(client(server));
		try (InformerFactory informers = InformerFactory.create(client(server))) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces("default").managedFields(true));
			informer.enableIndex(Lister.LABEL_INDEX);
			informers.start();
			for (int i = 0; i < 10; i++) {
				V1ConfigMap map = new V1ConfigMap()
					.metadata(new V1ObjectMeta().name("own-" + i).putLabelsItem("own", "w" + i));
				V1ConfigMap created = core.createNamespacedConfigMap("default", map).execute();
				assertThat(informer.awaitAtLeast(created.getMetadata().getResourceVersion(), LONG)).isTrue();
				assertThat(informer.lister().byIndex(Lister.LABEL_INDEX, "own=w" + i)).singleElement()
					.satisfies((found) -> {
						assertThat(found.getMetadata().getUid()).isEqualTo(created.getMetadata().getUid());
						assertThat(found.getMetadata().getManagedFields()).isNotEmpty();
					});
			}
		}
	}

	private static V1ObjectMeta labelled(String name) {
		return new V1ObjectMeta().name(name).putLabelsItem("app", "metadata");
	}

	private static ApiClient client(RealServer server) throws Exception {
		return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
	}

	static void define(ApiClient client, String plural, String kind) throws Exception {
		Map<String, Object> schema = Map.of("openAPIV3Schema",
				Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true));
		Map<String, Object> version = Map.of("name", "v1", "served", true, "storage", true, "schema", schema);
		Map<String, Object> names = Map.of("plural", plural, "singular", kind.toLowerCase(Locale.ROOT), "kind", kind,
				"listKind", kind + "List");
		Map<String, Object> definition = Map.of("apiVersion", "apiextensions.k8s.io/v1", "kind",
				"CustomResourceDefinition", "metadata", Map.of("name", plural + ".example.com"), "spec",
				Map.of("group", "example.com", "scope", "Namespaced", "names", names, "versions", List.of(version)));
		new CustomObjectsApi(client)
			.createClusterCustomObject("apiextensions.k8s.io", "v1", "customresourcedefinitions", definition)
			.execute();
	}

	private static Map<String, Object> custom(String kind, String name) {
		return Map.of("apiVersion", "example.com/v1", "kind", kind, "metadata", Map.of("name", name), "spec",
				Map.of("size", 1));
	}

}
