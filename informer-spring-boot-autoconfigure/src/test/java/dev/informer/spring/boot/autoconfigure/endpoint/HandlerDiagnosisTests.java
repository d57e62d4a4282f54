/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.util.Map;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerRegistry;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for causes for which a handler is not invoked, each provoked in an application
 * with a web server.
 */
@Timeout(120)
class HandlerDiagnosisTests extends AbstractHandlerEndpointTests {

	@Test
	void causesOfHandlers_areNamed() throws Exception {
		start(App.class, UNRESTRICTED);
		create("default", "one");
		awaitReasons("all", "one", "UP_TO_DATE");
		assertThat(delivery("all", "one").at("/lastDelivery/outcome").asString()).isEqualTo("HANDLED");
		assertThat(delivery("all", "one").at("/lastDelivered")).isEqualTo(delivery("all", "one").at("/current"));

		create("default", "unwanted");
		awaitReasons("filtered", "unwanted", "FILTER");
		assertThat(delivery("filtered", "unwanted").at("/lastDelivered").isMissingNode()
				|| delivery("filtered", "unwanted").at("/lastDelivered").isNull())
			.isTrue();

		awaitReasons("labels", "one", "UP_TO_DATE");
		this.kubernetes.mergePatch("configmaps", "default", "one", Map.of("data", Map.of("more", MARKER)));
		awaitReasons("labels", "one", "UNCHANGED_PARTS");
		JsonNode unchanged = delivery("labels", "one");
		assertThat(unchanged.at("/lastDelivered/uid")).isEqualTo(unchanged.at("/current/uid"));
		assertThat(unchanged.at("/lastDelivered/resourceVersion"))
			.isNotEqualTo(unchanged.at("/current/resourceVersion"));

		awaitReasons("updates", "unwanted", "EVENT_TYPE");
		JsonNode unwanted = delivery("updates", "unwanted");
		assertThat(unwanted.at("/lastDelivery/outcome").asString()).isEqualTo("NOT_ACCEPTED");
		assertThat(unwanted.at("/causes/0/message").asString())
			.isEqualTo("The event was ADDED, but the handler accepts only [UPDATED]. "
					+ "A creation and the changes before its delivery are one ADDED");

		awaitReasons("paused", "one", "PAUSED");
		assertThat(delivery("paused", "one").at("/pending").asBoolean()).isTrue();

		awaitReasons("waiting", "one", "WAITING_FOR_RETRY");
		assertThat(delivery("waiting", "one").at("/failedAttempts").asInt()).isEqualTo(1);
		assertThat(delivery("waiting", "one").at("/nextAttempt").asString()).isNotEmpty();

		awaitReasons("exhausted", "one", "RETRIES_EXHAUSTED", "UNCHANGED_PARTS");
		assertThat(delivery("exhausted", "one").at("/lastDelivery/error").asString())
			.isEqualTo("java.lang.IllegalStateException");

		create("default", "blocker");
		awaitReasons("busy", "blocker", "BUSY");
		create("default", "behind");
		awaitReasons("busy", "behind", "BUSY");
		assertThat(delivery("busy", "behind").at("/causes/0/message").asString()).contains("default/blocker");
		assertThat(delivery("busy", "behind").at("/causes/0/since").asString()).isNotEmpty();
	}

	@Test
	void causesOfInformers_areNamed() throws Exception {
		start(App.class);
		create("default", "one");
		awaitReasons("all", "one", "UP_TO_DATE");
		assertThat(reasons("configmaps", "all", "kube-system", "one")).containsExactly("OUTSIDE_NAMESPACES");
		assertThat(reasons("webmaps", "web", "default", "one")).containsExactly("OUTSIDE_SELECTOR");
		assertThat(reasons("all", "missing")).containsExactly("NOT_IN_CACHE");

		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "default", "name", "broken"), "data", Map.of("key", Map.of("nested", MARKER))));
		awaitReasons("all", "broken", "UNDECODABLE");
		this.kubernetes.replace(configMap("default", "broken"));
		awaitReasons("all", "broken", "UP_TO_DATE");

		this.kubernetes.faults().refuseConnections();
		awaitReasons("all", "one", "INFORMER_STALE", "UP_TO_DATE");
		this.kubernetes.faults().acceptConnections();
		context().getBean(InformerRegistry.class).stop();
		assertThat(reasons("all", "one")).startsWith("INFORMER_STOPPED").endsWith("UP_TO_DATE");
	}

	@Test
	void causesOfTheStart_areNamed() throws Exception {
		this.kubernetes.faults().always(Verb.LIST, "secrets", Fault.status(403));
		this.kubernetes.faults().always(Verb.LIST, "pods", Fault.status(400));
		create("default", "one");
		start(WaitingApp.class, "informer.startup.timeout=60s", "informer.auto-startup=false",
				"informer.resources.pods.required=false", "informer.resources.webmaps.required=false");
		assertThat(reasons("all", "one")).startsWith("INFORMER_NOT_STARTED");
		Thread startup = new Thread(context().getBean(InformerRegistry.class)::start);
		startup.start();
		awaitReasons("all", "one", "HELD_UNTIL_SYNC");
		await().untilAsserted(
				() -> assertThat(delivery("all", "one").at("/causes/0/message").asString()).contains("[secrets]"));
		await().untilAsserted(
				() -> assertThat(reasons("secrets", "secrets", "default", "one")).startsWith("INFORMER_NOT_SYNCED"));
		await()
			.untilAsserted(() -> assertThat(reasons("pods", "pods", "default", "one")).startsWith("INFORMER_FAILED"));
		this.kubernetes.faults().clear();
		startup.join();
		awaitReasons("all", "one", "UP_TO_DATE");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WaitingApp {

		@Bean
		WaitingHandlers waitingHandlers() {
			return new WaitingHandlers();
		}

	}

	static class WaitingHandlers {

		@InformerHandler(id = "all")
		void all(V1ConfigMap configMap) {
		}

		@InformerHandler(id = "secrets")
		void secrets(V1Secret secret) {
		}

		@InformerHandler(id = "pods")
		void pods(V1Pod pod) {
		}

	}

}
