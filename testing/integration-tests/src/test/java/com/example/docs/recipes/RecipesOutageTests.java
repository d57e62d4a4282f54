/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.Lister;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the recipes that write, while the API server refuses to. With the delays of
 * the page an outage of a minute is seven attempts; with those of this test it is
 * {@value #ATTEMPTS}.
 */
@SpringBootTest(properties = { "NODE_NAME=node-1", "informer.reconcilers.teamdefaults.retry.delay=1ms",
		"informer.reconcilers.teamdefaults.retry.jitter=0", "informer.reconcilers.teamdefaults.retry.max-delay=10ms",
		"informer.reconcilers.teamdefaults.min-interval=0", "informer.resources.services.handler.retry.delay=1ms",
		"informer.resources.services.handler.retry.jitter=0",
		"informer.resources.services.handler.retry.max-delay=10ms",
		"informer.resources.servicesettings.handler.retry.delay=1ms",
		"informer.resources.servicesettings.handler.retry.jitter=0",
		"informer.resources.servicesettings.handler.retry.max-delay=10ms" })
@ContextConfiguration(initializers = RecipesTests.PropertiesOfThePage.class)
@AutoConfigureEmbeddedKubernetes
@ExtendWith(OutputCaptureExtension.class)
class RecipesOutageTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final int ATTEMPTS = 20;

	private static final int UNAVAILABLE = 503;

	private static final int CONFLICT = 409;

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	InformerRegistry registry;

	@Autowired
	Lister<V1Service> services;

	@Autowired
	Queue<HandlerFailure<?>> failures;

	@BeforeEach
	void clearRequests() {
		this.failures.clear();
		this.kubernetes.clearRequests();
	}

	@AfterEach
	void clearFaults() {
		this.kubernetes.faults().clear();
	}

	@Test
	void teamThatIsAddedDuringTheOutage_getsItsDefaults() {
		this.kubernetes.faults().always(Verb.PATCH, "configmaps", Fault.status(UNAVAILABLE));
		createTeam("added");
		awaitAttempts(Verb.PATCH, "configmaps", "added");
		this.kubernetes.faults().clear();
		awaitDefaults("added");
	}

	@Test
	void defaultsThatAreDeletedDuringTheOutage_areCreatedAgain() {
		createTeam("deprived");
		awaitDefaults("deprived");
		this.kubernetes.clearRequests();
		this.kubernetes.faults().always(Verb.PATCH, "configmaps", Fault.status(UNAVAILABLE));
		this.kubernetes.delete("configmaps", "deprived", "team-defaults");
		awaitAttempts(Verb.PATCH, "configmaps", "deprived");
		this.kubernetes.faults().clear();
		awaitDefaults("deprived");
	}

	@Test
	void settingsOfServiceThatIsDeletedDuringTheOutage_areRemoved() throws InterruptedException {
		createService("web");
		createSettings("web");
		await().atMost(LIMIT).until(() -> this.services.get("default", "web").isPresent());
		assertThat(this.registry.awaitHandlersIdle(LIMIT)).isTrue();
		this.kubernetes.faults().always(Verb.DELETE, "configmaps", Fault.status(UNAVAILABLE));
		this.kubernetes.delete("services", "default", "web");
		awaitAttempts(Verb.DELETE, "configmaps", "default");
		this.kubernetes.faults().clear();
		awaitRemoved("web-settings");
	}

	@Test
	void settingsWithoutServiceDuringAnOutageOfReads_areRemoved() {
		this.kubernetes.faults().always(Verb.GET, "services", Fault.status(UNAVAILABLE));
		createSettings("none");
		awaitAttempts(Verb.GET, "services", "default");
		this.kubernetes.faults().clear();
		awaitRemoved("none-settings");
	}

	@Test
	void conflicts_areRetriedWithoutWarning(CapturedOutput output) {
		this.kubernetes.faults().next(ATTEMPTS, Verb.DELETE, "configmaps", Fault.status(CONFLICT));
		createSettings("contended");
		awaitRemoved("contended-settings");
		assertThat(requests(Verb.DELETE, "configmaps", "default")).isGreaterThan(ATTEMPTS);
		assertThat(this.failures).isEmpty();
		assertThat(output.toString().lines().filter((line) -> line.contains("contended")))
			.noneMatch((line) -> line.contains("WARN") || line.contains("ERROR"));
	}

	private void createTeam(String name) {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata",
				Map.of("name", name, "labels", Map.of("team", name))));
	}

	private void createService(String name) {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Service", "metadata",
				Map.of("namespace", "default", "name", name)));
	}

	private void createSettings(String service) {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace",
				"default", "name", service + "-settings", "labels", Map.of("example.com/service", service))));
	}

	private void awaitAttempts(Verb verb, String resource, String namespace) {
		await().atMost(LIMIT).until(() -> requests(verb, resource, namespace) >= ATTEMPTS);
	}

	private long requests(Verb verb, String resource, String namespace) {
		return this.kubernetes.requests(verb, resource)
			.stream()
			.map(ReceivedRequest::namespace)
			.filter(namespace::equals)
			.count();
	}

	private void awaitDefaults(String namespace) {
		await().atMost(LIMIT).until(() -> this.kubernetes.get("configmaps", namespace, "team-defaults").isPresent());
	}

	private void awaitRemoved(String settings) {
		await().atMost(LIMIT).until(() -> this.kubernetes.get("configmaps", "default", settings).isEmpty());
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Failures {

		@Bean
		Queue<HandlerFailure<?>> handlerFailures() {
			return new ConcurrentLinkedQueue<>();
		}

		@Bean
		HandlerErrorHandler<KubernetesObject> failureLog(Queue<HandlerFailure<?>> failures) {
			return failures::add;
		}

	}

}
