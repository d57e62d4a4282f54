/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.recipes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the recipes, with the properties of the page.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "NODE_NAME=node-1")
@ContextConfiguration(initializers = RecipesTests.PropertiesOfThePage.class)
@AutoConfigureEmbeddedKubernetes
@ExtendWith(OutputCaptureExtension.class)
class RecipesTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	ShopSettings settings;

	@Autowired
	ServiceInstances instances;

	@LocalServerPort
	int port;

	@Test
	void labelOfNamespace_isFollowed(CapturedOutput output) {
		create("v1", "Namespace", null, "labelled", Map.of());
		patchTeam("labelled", "payments");
		awaitOutput(output, "labelled belongs to team payments");
		patchTeam("labelled", "billing");
		awaitOutput(output, "labelled went to team billing");
		patchTeam("labelled", null);
		awaitOutput(output, "labelled belongs to no team");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/pod-events", "/pod-names" })
	void createdPod_isSentToBrowsers(String path) throws Exception {
		String name = "sent" + path.replace('/', '-');
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build();
		// Servers send the headers with the first event, so the client cannot wait for
		// them.
		CompletableFuture<HttpResponse<Stream<String>>> response = HttpClient.newHttpClient()
			.sendAsync(request, BodyHandlers.ofLines());
		await().atMost(LIMIT).untilAsserted(() -> {
			create("v1", "Pod", "default", name + "-" + System.nanoTime(), Map.of());
			assertThat(response).isDone();
		});
		try (Stream<String> lines = response.thenApply(HttpResponse::body).get()) {
			assertThat(lines.filter((line) -> line.contains(name)).findFirst()).isPresent();
		}
	}

	@Test
	void changedSettings_areReadAndReported(CapturedOutput output) {
		assertThat(this.settings.get("color", "blue")).isEqualTo("blue");
		create("v1", "ConfigMap", "default", "shop-settings", Map.of());
		awaitOutput(output, "The settings have the keys []");
		this.kubernetes.mergePatch("configmaps", "default", "shop-settings", Map.of("data", Map.of("color", "red")));
		awaitOutput(output, "The settings have the keys [color]");
		assertThat(this.settings.get("color", "blue")).isEqualTo("red");
	}

	@Test
	void readyEndpoints_areInstances() {
		Map<String, Object> empty = new HashMap<>(Map.of("apiVersion", "discovery.k8s.io/v1", "kind", "EndpointSlice",
				"addressType", "IPv4", "metadata", Map.of("namespace", "default", "name", "web-2", "labels",
						Map.of("kubernetes.io/service-name", "web"))));
		empty.put("endpoints", null);
		this.kubernetes.create(empty);
		this.kubernetes.create(
				Map.of("apiVersion", "discovery.k8s.io/v1", "kind", "EndpointSlice", "addressType", "IPv4", "metadata",
						Map.of("namespace", "default", "name", "web-1", "labels",
								Map.of("kubernetes.io/service-name", "web")),
						"endpoints",
						List.of(Map.of("addresses", List.of("10.0.0.1"), "conditions", Map.of("ready", true)),
								Map.of("addresses", List.of("10.0.0.2"), "conditions", Map.of("ready", false)))));
		await().atMost(LIMIT)
			.untilAsserted(() -> assertThat(this.instances.addresses("default", "web")).containsExactly("10.0.0.1"));
	}

	@Test
	void createdSecret_isInTheAuditTrail(CapturedOutput output) {
		create("v1", "Secret", "default", "password", Map.of());
		awaitOutput(output, "ADDED default/password at version");
	}

	@Test
	void defaultsOfTeam_areCorrectedAndCreatedAgain() {
		create("v1", "Namespace", null, "payments", Map.of());
		patchTeam("payments", "payments");
		awaitDefaults("payments");
		this.kubernetes.mergePatch("configmaps", "payments", "team-defaults", Map.of("data", Map.of("quota", "99")));
		await().atMost(LIMIT)
			.until(() -> this.kubernetes.get("configmaps", "payments", "team-defaults")
				.orElseThrow()
				.at("/data/quota")
				.asString()
				.equals("10"));
		this.kubernetes.delete("configmaps", "payments", "team-defaults");
		awaitDefaults("payments");
	}

	@Test
	void definitionOfTheTest_isThatOfThePage() throws IOException {
		String definition = Files.readString(Path.of("src/test/resources/tenants-crd.yaml"));
		assertThat(Path.of("../../docs/recipes.md")).content().contains("```yaml\n" + definition + "```");
	}

	@Test
	void podsOfOtherNodes_areNotReported(CapturedOutput output) {
		create("v1", "Pod", "default", "there-1", Map.of("spec", Map.of("nodeName", "node-2")));
		create("v1", "Pod", "default", "here-1", Map.of("spec", Map.of("nodeName", "node-1")));
		awaitOutput(output, "ADDED here-1 on this node");
		assertThat(output).doesNotContain("there-1 on this node");
	}

	private void create(String apiVersion, String kind, String namespace, String name, Map<String, ?> content) {
		Map<String, Object> object = new HashMap<>(content);
		object.put("apiVersion", apiVersion);
		object.put("kind", kind);
		object.put("metadata",
				(namespace != null) ? Map.of("namespace", namespace, "name", name) : Map.of("name", name));
		this.kubernetes.create(object);
	}

	private void patchTeam(String namespace, String team) {
		this.kubernetes.mergePatch("namespaces", null, namespace,
				Map.of("metadata", Map.of("labels", Collections.singletonMap("team", team))));
	}

	private void awaitDefaults(String namespace) {
		await().atMost(LIMIT).until(() -> this.kubernetes.get("configmaps", namespace, "team-defaults").isPresent());
	}

	private static void awaitOutput(CapturedOutput output, String text) {
		await().atMost(LIMIT).untilAsserted(() -> assertThat(output).contains(text));
	}

	static class PropertiesOfThePage implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		private static final Pattern BLOCK = Pattern.compile("(?s)```yaml\n(informer:.*?)```");

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			try {
				String page = Files.readString(Path.of("../../docs/recipes.md"));
				for (String yaml : BLOCK.matcher(page)
					.results()
					.map((match) -> match.group(1))
					.filter((block) -> !block.contains("tenants:"))
					.toList()) {
					new YamlPropertySourceLoader()
						.load(yaml, new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
						.forEach(context.getEnvironment().getPropertySources()::addFirst);
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
