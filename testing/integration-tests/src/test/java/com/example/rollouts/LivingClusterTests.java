/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.example.journal.ClusterJournal;
import com.example.journal.ServerResource;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.test.web.servlet.client.RestTestClient;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the application during rollouts on a real cluster.
 */
@RealKubernetes(RequiredServer.LIVING_CLUSTER)
@ExtendWith(OutputCaptureExtension.class)
class LivingClusterTests {

	private static final String SEPARATOR = " : ";

	/**
	 * Time limit for what the controllers of the cluster do.
	 */
	private static final Duration DEADLINE = Duration.ofSeconds(120);

	private final Shop shop = new Shop("living-shop");

	private final String kubeconfig;

	private final ApiClient apiClient;

	LivingClusterTests(RealServer server) {
		this.kubeconfig = server.requireControlPlane().kubeconfigFile("admin").toString();
		this.apiClient = ServerResource.client(server);
	}

	@Test
	void deploymentScaledAndRolled_agreesWithServerAfterEachStep(CapturedOutput output) throws ApiException {
		new CoreV1Api(this.apiClient).createNamespace(this.shop.object()).execute();
		try (ConfigurableApplicationContext context = start(); EventStream stream = openStream(context)) {
			deployments().createNamespacedDeployment(this.shop.namespace(), this.shop.deployment("web", 0)).execute();
			awaitAgreement(context, stream, output, 0, "example/web:1");
			patch("{\"spec\": {\"replicas\": 50}}");
			awaitAgreement(context, stream, output, 50, "example/web:1");
			patch("""
					{"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "example/web:2"}]}}}}
					""");
			awaitAgreement(context, stream, output, 50, "example/web:2");
			patch("{\"spec\": {\"replicas\": 0}}");
			awaitAgreement(context, stream, output, 0, "example/web:2");
			deployments().deleteNamespacedDeployment("web", this.shop.namespace()).execute();
			awaitExternal().atMost(DEADLINE)
				.untilAsserted(
						() -> assertThat(lines(output)).last().asString().endsWith("living-shop/web was deleted"));
			awaitExternal().atMost(DEADLINE)
				.untilAsserted(() -> assertThat(stream.rollouts(this.shop.namespace())).isEmpty());
			assertProgressIsLoggedOnce(lines(output));
			assertThat(context.getBean(ClusterJournal.class).pods().addedCount()).isGreaterThanOrEqualTo(100);
		}
	}

	private ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(RolloutsApplication.class, ClusterJournal.class).run("--server.port=0",
				"--informer.connection.kubeconfig=" + this.kubeconfig);
	}

	private static EventStream openStream(ConfigurableApplicationContext context) {
		return EventStream.open(HttpClient.newHttpClient(),
				"http://localhost:" + context.getEnvironment().getProperty("local.server.port"));
	}

	private void patch(String patch) throws ApiException {
		ServerResource.deployments(this.apiClient).patch(this.shop.namespace(), "web", patch);
	}

	/**
	 * Wait until the rollout is finished at the server and the application agrees with
	 * the server.
	 */
	private void awaitAgreement(ConfigurableApplicationContext context, EventStream stream, CapturedOutput output,
			int replicas, String image) {
		awaitExternal().atMost(DEADLINE).untilAsserted(() -> {
			V1Deployment deployment = deployments().readNamespacedDeployment("web", this.shop.namespace()).execute();
			assertThat(Rollout.of(deployment))
				.isEqualTo(new Rollout("living-shop/web", replicas, replicas, 0, replicas, Rollout.Phase.FINISHED));
			assertThat(deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getImage()).isEqualTo(image);
			List<PodSummary> pods = podsAtTheServer();
			assertThat(pods).hasSize(replicas).allMatch((pod) -> pod.state() == PodSummary.State.READY);
			assertThat(lines(output)).last().asString().endsWith(SEPARATOR + Rollout.of(deployment));
			assertThat(podsByNode(context)).isEqualTo(byNode(pods));
			assertThat(pods(context, "/deployments/living-shop/web/pods")).isEqualTo(pods);
			assertThat(stream.pods(this.shop.namespace())).isEqualTo(pods);
			assertThat(stream.rollouts(this.shop.namespace())).containsExactly(Rollout.of(deployment));
		});
		ClusterJournal journal = context.getBean(ClusterJournal.class);
		awaitExternal().atMost(DEADLINE)
			.untilAsserted(() -> journal.pods().assertAgreesWith(ServerResource.pods(this.apiClient)));
		awaitExternal().atMost(DEADLINE)
			.untilAsserted(() -> journal.deployments().assertAgreesWith(ServerResource.deployments(this.apiClient)));
	}

	private static void assertProgressIsLoggedOnce(List<String> lines) {
		assertThat(lines).hasSizeGreaterThanOrEqualTo(5);
		List<String> states = lines.stream().map((line) -> line.substring(line.indexOf(SEPARATOR))).toList();
		for (int i = 1; i < states.size(); i++) {
			assertThat(states.get(i)).isNotEqualTo(states.get(i - 1));
		}
	}

	private List<PodSummary> podsAtTheServer() throws ApiException {
		return new CoreV1Api(this.apiClient).listNamespacedPod(this.shop.namespace())
			.execute()
			.getItems()
			.stream()
			.map(PodSummary::of)
			.sorted(Comparator.comparing(PodSummary::name))
			.toList();
	}

	private Map<String, List<PodSummary>> podsByNode(ConfigurableApplicationContext context) throws ApiException {
		Map<String, List<PodSummary>> podsByNode = new HashMap<>();
		new CoreV1Api(this.apiClient).listNode().execute().getItems().forEach((node) -> {
			String name = node.getMetadata().getName();
			List<PodSummary> pods = pods(context, "/pods?node=" + name);
			if (!pods.isEmpty()) {
				podsByNode.put(name, pods);
			}
		});
		return podsByNode;
	}

	private static Map<String, List<PodSummary>> byNode(List<PodSummary> pods) {
		return pods.stream().collect(Collectors.groupingBy((pod) -> String.valueOf(pod.node())));
	}

	private List<PodSummary> pods(ConfigurableApplicationContext context, String path) {
		List<PodSummary> pods = RestTestClient.bindToServer()
			.baseUrl("http://localhost:" + context.getEnvironment().getProperty("local.server.port"))
			.build()
			.get()
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

	private List<String> lines(CapturedOutput output) {
		return output.getOut()
			.lines()
			.filter((line) -> line.contains("RolloutLog") && line.contains(" living-shop/web "))
			.toList();
	}

	private AppsV1Api deployments() {
		return new AppsV1Api(this.apiClient);
	}

}
