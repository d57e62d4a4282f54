/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import com.example.browser.Chromium;
import com.example.browser.HeadlessBrowser;
import com.example.journal.ServerResource;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page in a browser during a rollout on a real cluster.
 */
@RealKubernetes(RequiredServer.LIVING_CLUSTER)
@HeadlessBrowser
class LivingClusterPageTests {

	private static final int REPLICAS = 12;

	private final Shop shop = new Shop("living-page");

	private final String kubeconfig;

	private final ApiClient apiClient;

	private final Chromium browser;

	LivingClusterPageTests(RealServer server, Chromium browser) {
		this.kubeconfig = server.requireControlPlane().kubeconfigFile("admin").toString();
		this.apiClient = ServerResource.client(server);
		this.browser = browser;
	}

	@Test
	void rollout_isShownUntilItAgreesWithServer() throws ApiException {
		new CoreV1Api(this.apiClient).createNamespace(this.shop.object()).execute();
		try (ConfigurableApplicationContext context = start()) {
			Page page = Page.open(this.browser,
					"http://localhost:" + context.getEnvironment().getProperty("local.server.port"));
			new AppsV1Api(this.apiClient)
				.createNamespacedDeployment(this.shop.namespace(), this.shop.deployment("web", REPLICAS))
				.execute();
			awaitAgreement(page);
			Map<String, Set<String>> before = podsOf(page);
			ServerResource.deployments(this.apiClient).patch(this.shop.namespace(), "web", """
					{"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "example/web:2"}]}}}}
					""");
			awaitExternal().untilAsserted(
					() -> assertThat(page.log()).containsPattern("living-page/web: .* outdated, in progress"));
			this.browser.screenshot("page-living-cluster");
			awaitExternal().untilAsserted(() -> assertThat(podsOf(page)).isNotEqualTo(before));
			awaitAgreement(page);
			assertThat(this.browser.console()).isEmpty();
		}
		finally {
			new CoreV1Api(this.apiClient).deleteNamespace(this.shop.namespace()).execute();
		}
	}

	private ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(RolloutsApplication.class).run("--server.port=0",
				"--informer.connection.kubeconfig=" + this.kubeconfig);
	}

	/**
	 * Wait until the page shows the finished rollout and the pods of the server.
	 */
	private void awaitAgreement(Page page) {
		awaitExternal().untilAsserted(() -> {
			assertThat(page.rollouts()).containsEntry("living-page/web",
					"%1$d of %1$d updated, %1$d available: finished".formatted(REPLICAS));
			assertThat(podsOf(page))
				.isEqualTo(Page.podsByNode(new CoreV1Api(this.apiClient).listNamespacedPod(this.shop.namespace())
					.execute()
					.getItems()
					.stream()
					.map(PodSummary::of)
					.toList()));
		});
	}

	private Map<String, Set<String>> podsOf(Page page) {
		Map<String, Set<String>> podsByNode = new TreeMap<>();
		page.podsByNode().forEach((node, pods) -> {
			Set<String> own = pods.stream()
				.filter((pod) -> pod.startsWith(this.shop.namespace() + "/"))
				.collect(Collectors.toSet());
			if (!own.isEmpty()) {
				podsByNode.put(node, own);
			}
		});
		return podsByNode;
	}

}
