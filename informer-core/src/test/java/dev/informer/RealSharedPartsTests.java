/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import com.google.gson.JsonObject;
import dev.informer.client.ResourceType;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EmptyDirVolumeSource;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Toleration;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that objects of the real kube-apiserver share equal parts, and are the same as
 * those that do not, and as those of the official client.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealSharedPartsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int LISTED = 5;

	private static final String NAMESPACE = "shared-parts";

	@Test
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void customResources_shareEqualParts(RealServer server) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		RealKindsTests.define(admin, "fittings", "Fitting");
		for (int i = 0; i < LISTED; i++) {
			createFitting(admin, i);
		}
		DynamicKubernetesApi fittings = new DynamicKubernetesApi("example.com", "v1", "fittings", admin);
		ResourceType<DynamicKubernetesObject> type = ResourceType.dynamic("example.com", "v1", "fittings", "Fitting",
				true);
		try (InformerFactory informers = InformerFactory.create(admin)) {
			SharedIndexInformer<DynamicKubernetesObject> shared = informers.informer(type, (options) -> {
			});
			SharedIndexInformer<DynamicKubernetesObject> unshared = informers.informer(type,
					(options) -> options.name("unshared").shareValues(false));
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			createFitting(admin, LISTED);
			DynamicKubernetesObject first = fittings.get("default", "fitting-0").getObject();
			first.getRaw().getAsJsonObject("spec").addProperty("size", 2);
			String version = fittings.update(first).throwsApiException().getObject().getMetadata().getResourceVersion();
			assertThat(shared.awaitAtLeast(version, LONG)).isTrue();
			assertThat(unshared.awaitAtLeast(version, LONG)).isTrue();
			assertThat(different(shared, RealSharedPartsTests::spec)).hasSize(2);
			assertThat(different(shared, (object) -> spec(object).get("parts"))).hasSize(1);
			assertThat(different(unshared, (object) -> spec(object).get("parts"))).hasSize(LISTED + 1);
			for (int i = 0; i <= LISTED; i++) {
				JsonObject expected = fittings.get("default", "fitting-" + i).getObject().getRaw();
				expected.getAsJsonObject("metadata").remove("managedFields");
				assertThat(shared.lister().get("default", "fitting-" + i).orElseThrow().getRaw())
					.hasToString(expected.toString());
				assertThat(unshared.lister().get("default", "fitting-" + i).orElseThrow().getRaw())
					.hasToString(expected.toString());
			}
		}
	}

	@Test
	@RealKubernetes(RequiredServer.CONTROL_PLANE)
	void podsFromProtobufAndJson_shareEqualParts_andAreEqual(RealServer server) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		CoreV1Api core = new CoreV1Api(admin);
		core.createNamespace(TestObjects.namespace(NAMESPACE)).execute();
		for (int i = 0; i < LISTED; i++) {
			core.createNamespacedPod(NAMESPACE, pod("pod-" + i)).execute();
		}
		try (InformerFactory informers = InformerFactory.create(admin)) {
			SharedIndexInformer<V1Pod> protobuf = informer(informers, Encoding.AUTO, true);
			SharedIndexInformer<V1Pod> json = informer(informers, Encoding.JSON, true);
			SharedIndexInformer<V1Pod> unsharedProtobuf = informer(informers, Encoding.AUTO, false);
			SharedIndexInformer<V1Pod> unsharedJson = informer(informers, Encoding.JSON, false);
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			core.createNamespacedPod(NAMESPACE, pod("pod-" + LISTED)).execute();
			V1Pod first = core.readNamespacedPod("pod-0", NAMESPACE).execute();
			first.getMetadata().putLabelsItem("changed", "yes");
			String version = String.valueOf(
					core.replaceNamespacedPod("pod-0", NAMESPACE, first).execute().getMetadata().getResourceVersion());
			for (SharedIndexInformer<V1Pod> informer : List.of(protobuf, json, unsharedProtobuf, unsharedJson)) {
				assertThat(informer.awaitAtLeast(version, LONG)).isTrue();
				assertThat(informer.lister().list()).hasSize(LISTED + 1).allSatisfy((pod) -> {
					V1Pod expected = core.readNamespacedPod(pod.getMetadata().getName(), NAMESPACE).execute();
					expected.getMetadata().setManagedFields(new V1ObjectMeta().getManagedFields());
					assertThat(pod).isEqualTo(expected);
					assertThat(JSON.serialize(pod)).isEqualTo(JSON.serialize(expected));
				});
			}
			assertThat(protobuf.encoding()).hasValue("protobuf");
			assertThat(json.encoding()).hasValue("json");
			// the first one was not seen before, but the update of its pod
			assertThat(different(protobuf, RealSharedPartsTests::containers)).hasSize(1);
			assertThat(different(json, RealSharedPartsTests::containers)).hasSize(1);
			assertThat(different(unsharedProtobuf, RealSharedPartsTests::containers)).hasSize(LISTED + 1);
			assertThat(different(unsharedJson, RealSharedPartsTests::containers)).hasSize(LISTED + 1);
		}
	}

	private static SharedIndexInformer<V1Pod> informer(InformerFactory informers, Encoding encoding, boolean shares) {
		return informers.informer(V1Pod.class,
				(options) -> options.namespaces(NAMESPACE)
					.name(encoding + "-" + shares)
					.encoding(encoding)
					.shareValues(shares));
	}

	/**
	 * Return the different instances of a part.
	 */
	private static <T extends KubernetesObject> Collection<Object> different(SharedIndexInformer<T> informer,
			Function<T, Object> part) {
		Set<Object> different = Collections.newSetFromMap(new IdentityHashMap<>());
		informer.lister().list().forEach((object) -> different.add(part.apply(object)));
		return different;
	}

	private static JsonObject spec(DynamicKubernetesObject object) {
		return object.getRaw().getAsJsonObject("spec");
	}

	private static Object containers(V1Pod pod) {
		return pod.getSpec().getContainers();
	}

	private static void createFitting(ApiClient client, int number) {
		Map<String, Object> spec = Map.of("size", 1, "parts",
				List.of(Map.of("name", "inner", "count", 3), Map.of("name", "outer", "weight", 0.5)));
		Map<String, Object> fitting = Map.of("apiVersion", "example.com/v1", "kind", "Fitting", "metadata",
				Map.of("name", "fitting-" + number), "spec", spec);
		// a resource is served some time after its definition
		awaitExternal().untilAsserted(() -> new CustomObjectsApi(client)
			.createNamespacedCustomObject("example.com", "v1", "default", "fittings", fitting)
			.execute());
	}

	private static V1Pod pod(String name) {
		V1Container container = new V1Container().name("main")
			.image("web:1")
			.addEnvItem(new V1EnvVar().name("URL").value("http://example.com/" + "x".repeat(100)))
			.resources(new V1ResourceRequirements().putLimitsItem("cpu", new Quantity("1500m"))
				.putRequestsItem("memory", new Quantity("64Mi")))
			.livenessProbe(new V1Probe().httpGet(new V1HTTPGetAction().path("/live").port(new IntOrString(8080))))
			.addVolumeMountsItem(new V1VolumeMount().name("data").mountPath("/data"));
		return new V1Pod().metadata(new V1ObjectMeta().name(name).putLabelsItem("app", "web"))
			// the client would send an empty map, which the server rejects
			.spec(new V1PodSpec().overhead(null)
				.addContainersItem(container)
				.addTolerationsItem(new V1Toleration().key("spot").operator("Exists"))
				.addVolumesItem(new V1Volume().name("data").emptyDir(new V1EmptyDirVolumeSource())));
	}

}
