/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.time.Duration;
import java.util.Map;

import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(properties = "NODE_NAME=node-1")
@ContextConfiguration(initializers = RecipesTests.PropertiesOfThePage.class)
@AutoConfigureEmbeddedKubernetes
class ServiceSettingsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	InformerRegistry registry;

	@AfterEach
	void clearFaults() {
		this.kubernetes.faults().clear();
	}

	@Test
	void serviceThatIsNotInItsCacheYet_settingsAreKept() throws InterruptedException {
		this.kubernetes.faults().always(Verb.WATCH, "services", Fault.hang());
		this.kubernetes.faults().endWatches();
		await().atMost(LIMIT).until(() -> this.kubernetes.openWatches("services") == 0);
		createService("new");
		createSettings("new");
		await().atMost(LIMIT).until(() -> requested(Verb.GET, "services", "new"));
		assertThat(this.registry.awaitHandlersIdle(LIMIT)).isTrue();
		assertThat(requested(Verb.DELETE, "configmaps", "new-settings")).isFalse();
		assertThat(this.kubernetes.get("configmaps", "default", "new-settings")).isPresent();
	}

	@Test
	void deletedService_settingsAreRemoved() {
		createService("web");
		createSettings("web");
		this.kubernetes.delete("services", "default", "web");
		await().atMost(LIMIT).until(() -> this.kubernetes.get("configmaps", "default", "web-settings").isEmpty());
	}

	@Test
	void settingsWithoutService_areRemoved() {
		createSettings("none");
		await().atMost(LIMIT).until(() -> this.kubernetes.get("configmaps", "default", "none-settings").isEmpty());
	}

	private boolean requested(Verb verb, String resource, String name) {
		return this.kubernetes.requests(verb, resource).stream().anyMatch((request) -> name.equals(request.name()));
	}

	private void createService(String name) {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Service", "metadata",
				Map.of("namespace", "default", "name", name)));
	}

	private void createSettings(String service) {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace",
				"default", "name", service + "-settings", "labels", Map.of("example.com/service", service))));
	}

}
