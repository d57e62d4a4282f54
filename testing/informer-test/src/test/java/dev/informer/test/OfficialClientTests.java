/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.StringReader;
import java.util.List;
import java.util.Map;

import com.google.gson.reflect.TypeToken;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.ApiextensionsV1Api;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionNames;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionSpec;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionVersion;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the embedded server with the official client.
 */
class OfficialClientTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private ApiClient client = new ApiClient();

	private CoreV1Api core = new CoreV1Api();

	@BeforeEach
	void connect() throws Exception {
		KubeConfig config = KubeConfig.loadKubeConfig(new StringReader(this.kubernetes.kubeconfig()));
		this.client = ClientBuilder.kubeconfig(config).build();
		this.client.setReadTimeout(20_000);
		this.core = new CoreV1Api(this.client);
	}

	@AfterEach
	void close() {
		this.client.getHttpClient().connectionPool().evictAll();
		this.client.getHttpClient().dispatcher().executorService().shutdown();
		this.kubernetes.close();
	}

	@Test
	void version_isTheSimulatedOne() throws Exception {
		assertThat(new VersionApi(this.client).getCode().execute().getGitVersion()).startsWith("v1.37.");
	}

	@Test
	void pod_isCreatedUpdatedAndDeleted() throws Exception {
		V1Pod created = this.core.createNamespacedPod("default", pod("web-1", "web")).execute();
		assertThat(created.getMetadata()).satisfies((metadata) -> {
			assertThat(metadata.getUid()).isNotBlank();
			assertThat(metadata.getCreationTimestamp()).isNotNull();
			assertThat(metadata.getNamespace()).isEqualTo("default");
		});
		assertThat(phase(created)).isEqualTo("Pending");

		V1Pod running = this.core
			.replaceNamespacedPodStatus("web-1", "default", created.status(new V1PodStatus().phase("Running")))
			.execute();
		assertThat(phase(running)).isEqualTo("Running");

		V1Pod labelled = PatchUtils.patch(V1Pod.class,
				() -> this.core
					.patchNamespacedPod("web-1", "default",
							new V1Patch("{\"metadata\":{\"labels\":{\"tier\":\"front\"}}}"))
					.buildCall(null),
				V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, this.client);
		assertThat(metadata(labelled).getLabels()).containsEntry("app", "web").containsEntry("tier", "front");
		assertThat(phase(labelled)).isEqualTo("Running");

		V1Pod read = this.core.readNamespacedPod("web-1", "default").execute();
		assertThat(read).isEqualTo(labelled);

		assertThat(this.core.deleteNamespacedPod("web-1", "default").execute().getMetadata()).isNotNull();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> this.core.readNamespacedPod("web-1", "default").execute())
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(404));
	}

	@Test
	void list_isPagedAndSelected() throws Exception {
		for (int i = 0; i < 5; i++) {
			this.core.createNamespacedPod("default", pod("web-" + i, (i % 2 == 0) ? "even" : "odd")).execute();
		}
		V1PodList first = this.core.listNamespacedPod("default").limit(2).execute();
		assertThat(names(first)).containsExactly("web-0", "web-1");
		assertThat(first.getMetadata().getRemainingItemCount()).isEqualTo(3);
		V1PodList second = this.core.listPodForAllNamespaces().limit(9)._continue("").execute();
		assertThat(names(second)).hasSize(5);
		V1PodList rest = this.core.listNamespacedPod("default")
			.limit(9)
			._continue(first.getMetadata().getContinue())
			.execute();
		assertThat(names(rest)).containsExactly("web-2", "web-3", "web-4");
		assertThat(names(this.core.listNamespacedPod("default").labelSelector("app in (odd)").execute()))
			.containsExactly("web-1", "web-3");
	}

	@Test
	void watch_receivesEvents() throws Exception {
		V1PodList list = this.core.listPodForAllNamespaces().execute();
		try (Watch<V1Pod> watch = Watch.createWatch(this.client,
				this.core.listPodForAllNamespaces()
					.watch(true)
					.allowWatchBookmarks(true)
					.resourceVersion(list.getMetadata().getResourceVersion())
					.buildCall(null),
				new TypeToken<Watch.Response<V1Pod>>() {
				}.getType())) {
			V1Pod created = this.core.createNamespacedPod("default", pod("web-1", "web")).execute();
			this.core
				.replaceNamespacedPod("web-1", "default", created.metadata(metadata(created).putLabelsItem("a", "b")))
				.execute();
			this.core.deleteNamespacedPod("web-1", "default").execute();
			assertThat(List.of(watch.next().type, watch.next().type, watch.next().type)).containsExactly("ADDED",
					"MODIFIED", "DELETED");
		}
	}

	@Test
	void deployment_countsGenerationsOfItsSpec() throws Exception {
		AppsV1Api apps = new AppsV1Api(this.client);
		V1Deployment created = apps.createNamespacedDeployment("default", deployment()).execute();
		assertThat(created.getMetadata().getGeneration()).isEqualTo(1);
		V1Deployment counted = apps
			.replaceNamespacedDeploymentStatus("web", "default",
					created.status(new V1DeploymentStatus().observedGeneration(1L).replicas(2)))
			.execute();
		assertThat(counted.getMetadata().getGeneration()).isEqualTo(1);
		V1Deployment scaled = apps
			.replaceNamespacedDeployment("web", "default",
					counted.spec(counted.getSpec().replicas(3)).status(new V1DeploymentStatus()))
			.execute();
		assertThat(scaled.getMetadata().getGeneration()).isEqualTo(2);
		assertThat(scaled.getStatus().getReplicas()).isEqualTo(2);
	}

	@Test
	void staleReplace_isAConflict() throws Exception {
		V1ConfigMap created = this.core
			.createNamespacedConfigMap("default", TestObjects.configMap("default", "settings"))
			.execute();
		this.core.replaceNamespacedConfigMap("settings", "default", created.data(Map.of("a", "1"))).execute();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(
					() -> this.core.replaceNamespacedConfigMap("settings", "default", created.data(Map.of("a", "2")))
						.execute())
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(409));
	}

	@Test
	void customResource_isServedAfterItsDefinition() throws Exception {
		ApiextensionsV1Api extensions = new ApiextensionsV1Api(this.client);
		V1CustomResourceDefinition created = extensions.createCustomResourceDefinition(tenants()).execute();
		assertThat(created.getStatus().getConditions())
			.anySatisfy((condition) -> assertThat(condition.getType()).isEqualTo("Established"));
		CustomObjectsApi custom = new CustomObjectsApi(this.client);
		Map<String, Object> tenant = Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("name", "acme"), "spec", Map.of("plan", "gold"));
		custom.createNamespacedCustomObject("example.com", "v1", "default", "tenants", tenant).execute();
		assertThat(this.kubernetes.list("tenants", "default")).hasSize(1);
		extensions.deleteCustomResourceDefinition("tenants.example.com").execute();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> custom.listNamespacedCustomObject("example.com", "v1", "default", "tenants").execute())
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(404));
	}

	@Test
	void models_areAcceptedByTheJavaApi() throws Exception {
		V1Pod running = pod("web-1", "web").apiVersion("v1").kind("Pod").status(new V1PodStatus().phase("Running"));
		this.kubernetes.create(running);
		assertThat(phase(this.core.readNamespacedPod("web-1", "default").execute())).isEqualTo("Running");
	}

	private static V1Pod pod(String name, String app) {
		return new V1Pod().metadata(new V1ObjectMeta().name(name).putLabelsItem("app", app))
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("main").image("web:1")));
	}

	private static V1Deployment deployment() {
		return new V1Deployment().metadata(new V1ObjectMeta().name("web"))
			.spec(new V1DeploymentSpec().replicas(2)
				.selector(new V1LabelSelector().putMatchLabelsItem("app", "web"))
				.template(new V1PodTemplateSpec().spec(new V1PodSpec())));
	}

	private static V1CustomResourceDefinition tenants() {
		return new V1CustomResourceDefinition().metadata(new V1ObjectMeta().name("tenants.example.com"))
			.spec(new V1CustomResourceDefinitionSpec().group("example.com")
				.scope("Namespaced")
				.names(new V1CustomResourceDefinitionNames().plural("tenants").kind("Tenant"))
				.addVersionsItem(new V1CustomResourceDefinitionVersion().name("v1").served(true).storage(true)));
	}

	private static V1ObjectMeta metadata(V1Pod pod) {
		return pod.getMetadata();
	}

	private static String phase(V1Pod pod) {
		return pod.getStatus().getPhase();
	}

	private static List<String> names(V1PodList list) {
		return list.getItems().stream().map((pod) -> metadata(pod).getName()).toList();
	}

}
