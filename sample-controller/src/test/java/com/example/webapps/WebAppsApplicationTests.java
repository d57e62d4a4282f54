/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.Lister;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.writer.Conditions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the whole controller on an embedded API server.
 */
@SpringBootTest
@AutoConfigureEmbeddedKubernetes
@Import(WebAppDefinition.class)
class WebAppsApplicationTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final String NAMESPACE = "default";

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private Reconcilers reconcilers;

	@Autowired
	private Lister<WebApp> apps;

	@Autowired
	private Dns dns;

	@Test
	void createdWebApp_getsDeploymentServiceAndHost() {
		create("created");
		awaitExists("deployments.apps", "created-webapp", true);
		awaitExists("services", "created-webapp", true);
		await().atMost(LIMIT).until(() -> this.dns.hosts().contains("created.default.example.com"));
		await().atMost(LIMIT)
			.untilAsserted(() -> assertThat(this.kubernetes.list("events.events.k8s.io", NAMESPACE))
				.anyMatch((event) -> event.at("/regarding/name").asString().equals("created")
						&& event.path("reason").asString().equals("Created")));
	}

	@Test
	void finishedRollout_makesWebAppReady() {
		create("ready");
		awaitReady("ready", false);
		this.kubernetes.mergePatch("deployments.apps", NAMESPACE, "ready-webapp", Map.of("status",
				Map.of("observedGeneration", 1, "replicas", 2, "updatedReplicas", 2, "readyReplicas", 2)));
		awaitReady("ready", true);
		assertThat(get("webapps.example.com", "ready").at("/status/readyReplicas").asInt()).isEqualTo(2);
		this.kubernetes.mergePatch("webapps.example.com", NAMESPACE, "ready", Map.of("spec", Map.of("replicas", 3)));
		awaitReady("ready", false);
	}

	@Test
	void changedObjects_areRestored() throws InterruptedException {
		create("restored");
		awaitReady("restored", false);
		this.kubernetes.mergePatch("deployments.apps", NAMESPACE, "restored-webapp",
				Map.of("spec", Map.of("replicas", 7)));
		this.kubernetes.delete("services", NAMESPACE, "restored-webapp");
		awaitExists("services", "restored-webapp", true);
		await().atMost(LIMIT).until(() -> get("deployments.apps", "restored-webapp").at("/spec/replicas").asInt() == 2);
		assertThat(this.reconcilers.awaitIdle(LIMIT)).isTrue();
	}

	@Test
	void foreignDeployment_isNotTaken() {
		this.kubernetes.create(Map.of("apiVersion", "apps/v1", "kind", "Deployment", "metadata",
				Map.of("namespace", NAMESPACE, "name", "foreign-webapp"), "spec",
				Map.of("replicas", 1, "selector", Map.of("matchLabels", Map.of("app", "foreign")), "template",
						Map.of("metadata", Map.of("labels", Map.of("app", "foreign")), "spec",
								Map.of("containers", List.of(Map.of("name", "miner", "image", "miner:1")))))));
		JsonNode foreign = get("deployments.apps", "foreign-webapp");
		create("foreign");
		await().atMost(LIMIT)
			.until(() -> this.reconcilers.find("webapps").orElseThrow().diagnose(NAMESPACE, "foreign").failures() > 0);
		assertThat(get("deployments.apps", "foreign-webapp")).isEqualTo(foreign);
		assertThat(this.kubernetes.get("services", NAMESPACE, "foreign-webapp")).isEmpty();
		this.kubernetes.delete("deployments.apps", NAMESPACE, "foreign-webapp");
		awaitExists("services", "foreign-webapp", true);
	}

	@Test
	void deletedWebApp_isCleanedUp() {
		create("deleted");
		awaitReady("deleted", false);
		this.kubernetes.delete("webapps.example.com", NAMESPACE, "deleted");
		awaitExists("webapps.example.com", "deleted", false);
		awaitExists("deployments.apps", "deleted-webapp", false);
		awaitExists("services", "deleted-webapp", false);
		assertThat(this.dns.hosts()).doesNotContain("deleted.default.example.com");
	}

	private void create(String name) {
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "WebApp", "metadata",
				Map.of("namespace", NAMESPACE, "name", name), "spec", Map.of("image", "nginx:1", "replicas", 2)));
	}

	private JsonNode get(String resource, String name) {
		return this.kubernetes.get(resource, NAMESPACE, name).orElseThrow();
	}

	private void awaitExists(String resource, String name, boolean exists) {
		await().atMost(LIMIT).until(() -> this.kubernetes.get(resource, NAMESPACE, name).isPresent() == exists);
	}

	private void awaitReady(String name, boolean ready) {
		await().atMost(LIMIT)
			.until(() -> this.apps.get(NAMESPACE, name)
				.flatMap((app) -> Conditions.find(app.status().conditions(), "Ready"))
				.filter((condition) -> condition.getStatus().equals(ready ? "True" : "False"))
				.isPresent());
	}

}
