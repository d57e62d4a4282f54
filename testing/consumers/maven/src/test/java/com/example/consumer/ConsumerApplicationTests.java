/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.consumer;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.ResourceDefinition;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureEmbeddedKubernetes
class ConsumerApplicationTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	Journal journal;

	@LocalServerPort
	int port;

	@Test
	void changes_areDelivered() {
		awaitEntry("ADDED before");
		create("v1", "Pod", "web-1", "spec", Map.of("nodeName", "node-1", "containers",
				List.of(Map.of("name", "web", "image", "web", "resources", Map.of("limits", Map.of("cpu", "500m"))))));
		awaitEntry("ADDED web-1");
		assertThat(this.journal.onNode("node-1")).containsExactly("web-1");
		this.kubernetes.mergePatch("pods", "shop", "web-1", Map.of("status", Map.of("phase", "Running")));
		awaitEntry("UPDATED web-1");
		this.kubernetes.delete("pods", "shop", "web-1");
		awaitEntry("DELETED web-1");
	}

	@Test
	void customResources_areDelivered() {
		create("example.com/v1", "Tenant", "acme", "spec", Map.of("plan", "gold"));
		awaitEntry("TENANT acme gold");
	}

	@Test
	void metadataAndSelectedObjects_areDelivered() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Node", "metadata", Map.of("name", "node-1")));
		awaitEntry("ADDED node-1");
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "shop", "name", "settings", "labels", Map.of("team", "web"))));
		awaitEntry("ADDED settings");
	}

	@Test
	void actuator_showsTheInformers() throws Exception {
		assertThat(get("/actuator/health").statusCode()).isEqualTo(200);
		assertThat(get("/actuator/informers").body()).contains("\"pods\"", "\"tenants\"", "\"labelled\"");
		assertThat(get("/actuator/metrics/kubernetes.informer.store.size").statusCode()).isEqualTo(200);
	}

	private HttpResponse<String> get(String path) throws Exception {
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build(),
					BodyHandlers.ofString());
	}

	private void create(String apiVersion, String kind, String name, String section, Map<String, ?> content) {
		this.kubernetes.create(Map.of("apiVersion", apiVersion, "kind", kind, "metadata",
				Map.of("namespace", "shop", "name", name), section, content));
	}

	private void awaitEntry(String entry) {
		await().atMost(LIMIT).untilAsserted(() -> assertThat(this.journal.entries()).contains(entry));
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Cluster {

		@Bean
		EmbeddedKubernetesCustomizer shop() {
			return (kubernetes) -> {
				kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"));
				kubernetes.create(Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", "shop")));
				kubernetes.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata",
						Map.of("namespace", "shop", "name", "before")));
			};
		}

	}

}
