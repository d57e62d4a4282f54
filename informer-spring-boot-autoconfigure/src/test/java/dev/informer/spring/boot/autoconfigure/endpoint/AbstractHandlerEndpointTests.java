/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

import dev.informer.ChangedPart;
import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Application with handlers of ConfigMaps and an embedded API server, and requests to its
 * endpoint of informers. No response may contain {@link #MARKER}, which every object has
 * in its labels, annotations and data.
 */
abstract class AbstractHandlerEndpointTests {

	static final String MARKER = "content-of-an-object";

	static final String UNRESTRICTED = "management.endpoint.informers.access=unrestricted";

	final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	final HttpClient client = HttpClient.newHttpClient();

	final List<String> bodies = new ArrayList<>();

	@Nullable ConfigurableApplicationContext context;

	@AfterEach
	void close() {
		if (this.context != null) {
			if (this.context.containsBean("handlers")) {
				this.context.getBean(Handlers.class).mayContinue.countDown();
			}
			this.context.close();
		}
		this.kubernetes.close();
		assertThat(this.bodies).isNotEmpty().noneMatch((body) -> body.contains(MARKER));
	}

	void start(Class<?> application, String... properties) {
		this.context = new SpringApplicationBuilder(application)
			.properties("server.port=0", "management.endpoints.web.exposure.include=informers",
					"spring.main.banner-mode=off", "informer.resources.configmaps.namespaces=default",
					"informer.resources.webmaps.resource=configmaps",
					"informer.resources.webmaps.label-selector=tier=web",
					"informer.connection.url=" + this.kubernetes.url())
			.properties(properties)
			.run();
	}

	ConfigurableApplicationContext context() {
		return Objects.requireNonNull(this.context);
	}

	void create(String namespace, String name) {
		this.kubernetes.create(configMap(namespace, name));
	}

	static Map<String, Object> configMap(String namespace, String name) {
		return Map.of(
				"apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace", namespace, "name", name,
						"labels", Map.of("marker", MARKER), "annotations", Map.of("marker", MARKER)),
				"data", Map.of("marker", MARKER));
	}

	void awaitReasons(String handler, String name, String... reasons) {
		await().untilAsserted(() -> assertThat(reasons(handler, name)).contains(reasons));
	}

	List<String> reasons(String handler, String name) throws Exception {
		return reasons("configmaps", handler, "default", name);
	}

	List<String> reasons(String informer, String handler, String namespace, String name) throws Exception {
		return get(informer + "/handlers/" + handler + "?namespace=" + namespace + "&name=" + name)
			.at("/delivery/causes")
			.valueStream()
			.map((cause) -> cause.get("reason").asString())
			.toList();
	}

	JsonNode delivery(String handler, String name) throws Exception {
		return get("configmaps/handlers/" + handler + "?namespace=default&name=" + name).get("delivery");
	}

	int retried(String path, Map<String, String> body) throws Exception {
		return JsonMapper.shared().readTree(post(path, body).body()).get("retried").asInt();
	}

	String error(int status, String path) throws Exception {
		HttpResponse<String> response = send(HttpRequest.newBuilder(uri(path)));
		assertThat(response.statusCode()).isEqualTo(status);
		return response.body();
	}

	JsonNode get(String path) throws Exception {
		HttpResponse<String> response = send(HttpRequest.newBuilder(uri(path)));
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	HttpResponse<String> post(String path, Map<String, String> body) throws Exception {
		return send(HttpRequest.newBuilder(uri(path))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body))));
	}

	HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		HttpResponse<String> response = this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
		this.bodies.add(response.body());
		return response;
	}

	URI uri(String path) {
		return URI.create("http://localhost:" + context().getEnvironment().getProperty("local.server.port")
				+ "/actuator/informers/" + path);
	}

	static void awaitLatch(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class App {

		@Bean
		Handlers handlers() {
			return new Handlers();
		}

		@Bean
		Predicate<V1ConfigMap> wanted() {
			return (configMap) -> !"unwanted".equals(configMap.getMetadata().getName());
		}

		@Bean
		Predicate<V1ConfigMap> blocking(Handlers handlers) {
			return (configMap) -> {
				if ("stuck".equals(configMap.getMetadata().getName())) {
					awaitLatch(handlers.mayContinue);
				}
				return true;
			};
		}

	}

	static class Handlers {

		final CountDownLatch mayContinue = new CountDownLatch(1);

		volatile boolean failing = true;

		@InformerHandler(id = "all")
		void all(V1ConfigMap configMap) {
		}

		@InformerHandler(id = "filtered", filter = "wanted")
		void filtered(V1ConfigMap configMap) {
		}

		@InformerHandler(id = "labels", changes = ChangedPart.LABELS)
		void labels(V1ConfigMap configMap) {
		}

		@InformerHandler(id = "updates", on = ResourceEvent.Type.UPDATED)
		void updates(V1ConfigMap configMap) {
		}

		@InformerHandler(id = "paused", autoStartup = "false")
		void paused(V1ConfigMap configMap) {
		}

		@InformerHandler(id = "waiting", retry = @Retry(delay = "1h", maxDelay = "1h", jitter = "0s"))
		void waiting(V1ConfigMap configMap) {
			fail();
		}

		@InformerHandler(id = "exhausted", changes = ChangedPart.LABELS, retry = @Retry(maxRetries = "0"))
		void exhausted(V1ConfigMap configMap) {
			fail();
		}

		private void fail() {
			if (this.failing) {
				throw new IllegalStateException(MARKER);
			}
		}

		@InformerHandler(id = "busy")
		void busy(V1ConfigMap configMap) {
			if ("blocker".equals(configMap.getMetadata().getName())) {
				awaitLatch(this.mayContinue);
			}
		}

		@InformerHandler(id = "stuckfilter", filter = "blocking", autoStartup = "false")
		void stuckFilter(V1ConfigMap configMap) {
		}

		@InformerHandler(id = "web", informer = "webmaps")
		void web(V1ConfigMap configMap) {
		}

	}

}
