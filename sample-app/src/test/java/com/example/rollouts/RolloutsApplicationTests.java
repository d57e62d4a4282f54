/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.spring.InformerRegistry;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1LabelSelectorRequirement;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.StatusAssertions;

import static org.assertj.core.api.Assertions.assertThat;

@EmbeddedClusterTest
@ExtendWith(OutputCaptureExtension.class)
class RolloutsApplicationTests {

	private static final AtomicInteger number = new AtomicInteger();

	private final Shop shop = new Shop("shop-" + number.incrementAndGet());

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private RestTestClient client;

	@Autowired
	private InformerRegistry informers;

	@BeforeEach
	void createNamespace() {
		this.kubernetes.create(this.shop.object());
	}

	@Test
	void pods_includeAllNodes() {
		this.kubernetes.create(this.shop.pod("web-2", "web", "node-b", false));
		this.kubernetes.create(this.shop.pod("web-1", "web", "node-a", true));
		this.kubernetes.create(this.shop.pendingPod("web-3", "web"));
		await()
			.untilAsserted(() -> assertThat(pods("/pods")).containsExactly(this.shop.summary("web-1", "node-a", true),
					this.shop.summary("web-2", "node-b", false),
					new PodSummary(this.shop.namespace(), "web-3", null, PodSummary.State.PENDING, "Pending")));
	}

	@Test
	void podsOfNode_followChanges() {
		this.kubernetes.create(this.shop.pod("web-1", "web", "node-c", true));
		this.kubernetes.create(this.shop.pendingPod("web-2", "web"));
		await().untilAsserted(() -> assertThat(pods("/pods?node=node-c"))
			.containsExactly(this.shop.summary("web-1", "node-c", true)));
		this.kubernetes.mergePatch("pods", this.shop.namespace(), "web-2",
				Map.of("spec", Map.of("nodeName", "node-c"), "status", Map.of("phase", "Running")));
		this.kubernetes.delete("pods", this.shop.namespace(), "web-1");
		await().untilAsserted(() -> assertThat(pods("/pods?node=node-c"))
			.containsExactly(this.shop.summary("web-2", "node-c", false)));
		assertThat(pods("/pods?node=no-such-node")).isEmpty();
	}

	@Test
	void podsOfDeployment_matchItsSelector() {
		Shop other = new Shop(this.shop.namespace() + "-other");
		this.kubernetes.create(other.object());
		this.kubernetes.create(other.pod("web-1", "web", "node-a", true));
		this.kubernetes.create(this.shop.pod("web-1", "web", "node-a", true));
		this.kubernetes.create(this.shop.pod("api-1", "api", "node-a", true));
		this.kubernetes.create(this.shop.deployment("web", 1));
		String path = "/deployments/" + this.shop.namespace() + "/web/pods";
		awaitFound(path);
		await().untilAsserted(() -> assertThat(pods(path)).containsExactly(this.shop.summary("web-1", "node-a", true)));
	}

	@Test
	void selectorWithExpressions_isSupported() {
		this.kubernetes.create(this.shop.pod("web-1", "web", "node-a", true));
		this.kubernetes.create(this.shop.pod("api-1", "api", "node-a", true));
		this.kubernetes.create(this.shop.pod("job-1", "job", "node-a", true));
		var deployment = this.shop.deployment("all", 2);
		deployment.getSpec()
			.selector(new V1LabelSelector()
				.addMatchExpressionsItem(
						new V1LabelSelectorRequirement().key("app").operator("In").values(List.of("web", "api", "job")))
				.addMatchExpressionsItem(
						new V1LabelSelectorRequirement().key("app").operator("NotIn").values(List.of("job")))
				.addMatchExpressionsItem(new V1LabelSelectorRequirement().key("app").operator("Exists"))
				.addMatchExpressionsItem(new V1LabelSelectorRequirement().key("done").operator("DoesNotExist")));
		this.kubernetes.create(deployment);
		String path = "/deployments/" + this.shop.namespace() + "/all/pods";
		awaitFound(path);
		await().untilAsserted(() -> assertThat(pods(path)).containsExactly(this.shop.summary("api-1", "node-a", true),
				this.shop.summary("web-1", "node-a", true)));
	}

	@Test
	void unknownDeployment_returnsProblemDetails() {
		this.client.get()
			.uri("/deployments/nowhere/web/pods")
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("Unknown Deployment 'web' in namespace 'nowhere'");
	}

	@Test
	void replica_hasNoContentWithoutTheProfile() {
		this.client.get().uri("/replica").exchange().expectStatus().isNoContent();
	}

	@Test
	void responses_comeFromTheCache() {
		this.kubernetes.create(this.shop.deployment("web", 1));
		awaitFound("/deployments/" + this.shop.namespace() + "/web/pods");
		this.kubernetes.clearRequests();
		pods("/pods");
		pods("/pods?node=node-a");
		pods("/deployments/" + this.shop.namespace() + "/web/pods");
		assertThat(this.kubernetes.requests()).isEmpty();
	}

	@Test
	void informersEndpoint_describesInformersAndRelists() {
		this.client.get()
			.uri("/actuator/informers")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.informers.pods.state.phase")
			.isEqualTo("WATCHING")
			.jsonPath("$.informers.deployments.handlers[0].paused")
			.isEqualTo(false);
		this.kubernetes.clearRequests();
		change("pods", "relist").isOk();
		await().untilAsserted(() -> assertThat(this.kubernetes.requests())
			.anyMatch((request) -> request.path().equals("/api/v1/pods") && !request.query().containsKey("watch")));
		change("pods", "resync").isOk();
		change("pods", "restart").isBadRequest();
		change("services", "relist").isBadRequest();
		this.client.get().uri("/actuator/informers/services").exchange().expectStatus().isNotFound();
	}

	private StatusAssertions change(String informer, String action) {
		return this.client.post()
			.uri("/actuator/informers/" + informer)
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("action", action))
			.exchange()
			.expectStatus();
	}

	@Test
	void health_hasContributorPerInformer() {
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.informers.status")
			.isEqualTo("UP")
			.jsonPath("$.components.informers.components.pods.status")
			.isEqualTo("UP")
			.jsonPath("$.components.informers.components.deployments.status")
			.isEqualTo("UP")
			.jsonPath("$.components.informers.components.settings.status")
			.isEqualTo("UP")
			.jsonPath("$.components.informers.components.length()")
			.isEqualTo(3);
	}

	@Test
	void readiness_includesInformerSyncAndLivenessDoesNot() {
		this.client.get()
			.uri("/actuator/health/readiness")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components.informerSync.status")
			.isEqualTo("UP")
			.jsonPath("$.components.readinessState.status")
			.isEqualTo("UP");
		this.client.get()
			.uri("/actuator/health/liveness")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.informerSync")
			.doesNotExist();
	}

	@Test
	void storeSizeMeter_countsPods() {
		this.kubernetes.create(this.shop.pod("web-1", "web", "node-a", true));
		await().untilAsserted(() -> {
			int pods = this.kubernetes.list("pods", null).size();
			this.client.get()
				.uri("/actuator/metrics/kubernetes.informer.store.size?tag=informer:pods")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.measurements[0].value")
				.isEqualTo((double) pods);
		});
	}

	@Test
	void rollout_isLoggedUntilFinishedAndOnDeletion(CapturedOutput output) {
		this.kubernetes.create(this.shop.deployment("web", 2));
		awaitLine(output, "/web 0/2 updated, 0 available: waiting for the controller");
		status(Map.of("observedGeneration", 1, "replicas", 2, "updatedReplicas", 2, "availableReplicas", 1));
		awaitLine(output, "/web 2/2 updated, 1 available: in progress");
		status(Map.of("observedGeneration", 1, "replicas", 2, "updatedReplicas", 2, "availableReplicas", 2));
		awaitLine(output, "/web 2/2 updated, 2 available: finished");
		this.kubernetes.mergePatch("deployments.apps", this.shop.namespace(), "web",
				Map.of("metadata", Map.of("labels", Map.of("note", "no-progress"))));
		this.kubernetes.delete("deployments.apps", this.shop.namespace(), "web");
		awaitLine(output, "/web was deleted");
		assertThat(output.getOut().lines().filter((line) -> line.contains(this.shop.namespace() + "/web"))).hasSize(4);
	}

	@Test
	void settings_areLoggedByKeysOnly(CapturedOutput output) {
		configMap("limits", Map.of("app.kubernetes.io/part-of", "rollouts"));
		configMap("others", Map.of());
		awaitLine(output, "/limits have the keys [burst, rate]");
		this.kubernetes.delete("configmaps", this.shop.namespace(), "limits");
		awaitLine(output, "/limits were deleted");
		assertThat(output.getOut()).doesNotContain("confidential", "/others");
	}

	@Test
	void application_createsOnlyRequiredInformers() {
		assertThat(this.informers.informers()).extracting("name")
			.containsExactlyInAnyOrder("pods", "deployments", "settings");
		assertThat(this.informers.handlerIds()).containsExactly("pagepods", "pagerollouts", "rollouts", "settings");
	}

	private void status(Map<String, Integer> status) {
		this.kubernetes.mergePatch("deployments.apps", this.shop.namespace(), "web", Map.of("status", status));
	}

	private void configMap(String name, Map<String, String> labels) {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", this.shop.namespace(), "name", name, "labels", labels), "data",
				Map.of("rate", "confidential", "burst", "confidential")));
	}

	private void awaitLine(CapturedOutput output, String end) {
		await().untilAsserted(() -> assertThat(output.getOut().lines())
			.anyMatch((line) -> line.endsWith(this.shop.namespace() + end)));
	}

	private void awaitFound(String path) {
		await().untilAsserted(() -> this.client.get().uri(path).exchange().expectStatus().isOk());
	}

	private List<PodSummary> pods(String path) {
		List<PodSummary> pods = this.client.get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(new ParameterizedTypeReference<List<PodSummary>>() {
			})
			.returnResult()
			.getResponseBody();
		assertThat(pods).isNotNull();
		return pods.stream().filter((pod) -> pod.namespace().equals(this.shop.namespace())).toList();
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}
