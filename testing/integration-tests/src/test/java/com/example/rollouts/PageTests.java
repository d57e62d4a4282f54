/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.example.browser.Chromium;
import com.example.browser.HeadlessBrowser;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Workload;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page in a browser with an embedded API server.
 */
@HeadlessBrowser
class PageTests {

	private static final String SHOP = "shop";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final Workload workload = Workload.on(this.kubernetes)
		.nodes("node-1", "node-2", "node-3")
		.deployment(SHOP, "web", 6, "example/web:1.0")
		.deployment(SHOP, "cart", 3, "example/cart:1.0")
		.deployment("billing", "invoices", 4, "example/invoices:1.0")
		.rolloutEvery(Integer.MAX_VALUE)
		.changeEvery(Integer.MAX_VALUE)
		.tick(Duration.ZERO)
		.start();

	private final Chromium browser;

	private ConfigurableApplicationContext context;

	PageTests(Chromium browser) {
		this.browser = browser;
		for (int i = 0; i < 20; i++) {
			this.workload.step();
		}
		this.context = start(0);
	}

	@AfterEach
	void close() {
		this.context.close();
		this.workload.close();
		this.kubernetes.close();
	}

	@Test
	void rollout_isShownWhileInProgress() throws IOException {
		Page page = open();
		assertThat(page.podsByNode()).hasSize(3).isEqualTo(podsByNode());
		assertThat(page.rollouts()).hasSize(3).containsEntry("shop/web", "6 of 6 updated, 6 available: finished");
		assertThat(this.browser.one("#totals").getText()).isEqualTo("13 of 13 pods ready on 3 nodes");
		this.browser.run("window.sameDocument = true");

		this.kubernetes.mergePatch("deployments.apps", SHOP, "web", Map.of("spec", Map.of("template",
				Map.of("spec", Map.of("containers", List.of(Map.of("name", "web", "image", "example/web:2.0")))))));
		do {
			this.workload.step();
		}
		while (newPods() < 3);
		awaitExternal().untilAsserted(() -> assertThat(page.podsByNode()).isEqualTo(podsByNode()));
		awaitExternal()
			.untilAsserted(() -> assertThat(page.rollouts().get("shop/web")).contains("outdated: in progress"));
		assertThat(page.log()).contains("shop/web: ").doesNotContain("cart");
		assertThat(Files.size(this.browser.screenshot("page"))).isBetween(10_000L, 200_000L);
		this.browser.colors("dark");
		this.browser.screenshot("page-dark");

		for (int i = 0; i < 40; i++) {
			this.workload.step();
		}
		awaitExternal().untilAsserted(() -> {
			assertThat(page.rollouts()).containsEntry("shop/web", "6 of 6 updated, 6 available: finished");
			assertThat(page.podsByNode()).isEqualTo(podsByNode());
		});
		this.kubernetes.delete("deployments.apps", SHOP, "cart");
		awaitExternal().untilAsserted(() -> assertThat(page.log()).contains("shop/cart was deleted"));
		assertThat(page.rollouts()).containsOnlyKeys("shop/web", "billing/invoices");
		assertThat(this.browser.run("return window.sameDocument")).isEqualTo("true");
		assertThat(this.browser.console()).isEmpty();
	}

	@Test
	void stoppedApplication_isShownAndReconnected() {
		int port = port();
		Page page = open();
		this.context.close();
		page.awaitConnection("Reconnecting");
		this.kubernetes.delete("deployments.apps", SHOP, "cart");
		this.workload.step();
		this.context = start(port);
		page.awaitConnection("Live");
		awaitExternal()
			.untilAsserted(() -> assertThat(page.rollouts()).containsOnlyKeys("shop/web", "billing/invoices"));
		assertThat(page.podsByNode()).isEqualTo(podsByNode());
	}

	@Test
	void textOfCluster_isNotInterpretedAsMarkup() {
		String markup = "<img src=x onerror=\"document.title='changed'\">";
		Page page = open();
		V1Pod pod = new Shop(SHOP).pendingPod("markup", "web");
		pod.getSpec().nodeName(markup);
		pod.getStatus().reason(markup);
		this.kubernetes.create(pod);
		awaitExternal().untilAsserted(() -> assertThat(page.podsByNode()).containsKey(markup));
		assertThat(page.podsByNode().get(markup)).containsExactly("shop/markup " + markup);
		assertThat(this.browser.all("main img")).isEmpty();
		assertThat(this.browser.run("return document.title")).isEqualTo("Rollouts");
	}

	@Test
	void bar_hasUpdatedPodsOnly() {
		Page page = open();
		status(Map.of("replicas", 8, "updatedReplicas", 3, "availableReplicas", 7));
		awaitExternal().untilAsserted(() -> assertThat(page.rollouts()).containsEntry("shop/web",
				"3 of 6 updated, 7 available, 5 outdated: in progress"));
		assertThat(page.barOf("shop/web")).isEqualTo("available 33%, updated 17%");
		status(Map.of("replicas", 6, "updatedReplicas", 6, "availableReplicas", 6));
		awaitExternal().untilAsserted(() -> assertThat(page.barOf("shop/web")).isEqualTo("available 100%, updated 0%"));
	}

	@Test
	void podThatIsDeleted_isNotCountedAsReady() {
		Page page = open();
		V1Pod pod = new Shop(SHOP).pod("leaving", "web", "node-9", true);
		pod.getMetadata().finalizers(List.of("example.com/wait"));
		this.kubernetes.create(pod);
		awaitExternal()
			.untilAsserted(() -> assertThat(page.podsByNode().get("node-9")).containsExactly("shop/leaving Ready"));
		this.kubernetes.delete("pods", SHOP, "leaving");
		awaitExternal().untilAsserted(
				() -> assertThat(page.podsByNode().get("node-9")).containsExactly("shop/leaving Terminating"));
		assertThat(this.browser.one("#totals").getText()).isEqualTo("13 of 13 pods ready on 4 nodes");
	}

	@ParameterizedTest
	@ValueSource(ints = { 360, 768, 1280 })
	void sections_beginWithWhatChanges(int width) {
		V1Pod pod = new Shop(SHOP).pod("a-long-name".repeat(20), "web", "node-1.with-a-long-name".repeat(5), false);
		this.kubernetes.create(pod);
		this.kubernetes.create(new Shop(SHOP).deployment("a-long-name".repeat(5), 1));
		open();
		this.browser.open("http://localhost:" + port(), width, 1600);
		new Page(this.browser).awaitConnection("Live");
		status(Map.of("replicas", 8, "updatedReplicas", 3, "availableReplicas", 7));
		awaitExternal().untilAsserted(() -> assertThat(this.browser.all("#log li")).isNotEmpty());
		this.browser.screenshot("page-" + width);
		assertThat(this.browser.run("return innerWidth")).isEqualTo(String.valueOf(width));
		assertThat(this.browser.run("return document.documentElement.scrollWidth <= innerWidth")).isEqualTo("true");
		assertThat(this.browser.run("return [...document.querySelectorAll('main > section')]"
				+ ".sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)"
				+ ".map(section => section.id).join()"))
			.isEqualTo("rollouts-section,log-section,nodes-section");
	}

	private long newPods() {
		return this.kubernetes.list("pods", SHOP).stream().filter((pod) -> pod.toString().contains("web:2.0")).count();
	}

	private void status(Map<String, Integer> status) {
		this.kubernetes.mergePatch("deployments.apps", SHOP, "web", Map.of("status", status));
	}

	private Page open() {
		return Page.open(this.browser, "http://localhost:" + port());
	}

	private int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private ConfigurableApplicationContext start(int port) {
		return new SpringApplicationBuilder(RolloutsApplication.class).run("--server.port=" + port,
				"--informer.connection.url=" + this.kubernetes.url());
	}

	private Map<String, Set<String>> podsByNode() {
		List<PodSummary> pods = new ArrayList<>();
		this.kubernetes.list("pods", null)
			.forEach((pod) -> pods.add(PodSummary.of(JSON.deserialize(pod.toString(), V1Pod.class))));
		return Page.podsByNode(pods);
	}

}
