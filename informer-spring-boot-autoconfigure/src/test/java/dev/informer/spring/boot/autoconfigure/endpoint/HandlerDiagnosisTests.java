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
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

import dev.informer.ChangedPart;
import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import dev.informer.spring.InformerRegistry;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
 * Tests for causes for which a handler is not invoked, each provoked in an application
 * with a web server, and for the operations on handlers. No response may contain
 * {@link #MARKER}, which every object has in its labels, annotations and data.
 */
@Timeout(120)
class HandlerDiagnosisTests {

	private static final String MARKER = "content-of-an-object";

	private static final String UNRESTRICTED = "management.endpoint.informers.access=unrestricted";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final HttpClient client = HttpClient.newHttpClient();

	private final List<String> bodies = new ArrayList<>();

	private ConfigurableApplicationContext context;

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
		assertThat(delivery("updates", "unwanted").at("/lastDelivery/outcome").asString()).isEqualTo("NOT_ACCEPTED");

		awaitReasons("paused", "one", "PAUSED");
		assertThat(delivery("paused", "one").at("/pending").asBoolean()).isTrue();

		awaitReasons("waiting", "one", "WAITING_FOR_RETRY");
		assertThat(delivery("waiting", "one").at("/failedAttempts").asInt()).isEqualTo(1);
		assertThat(delivery("waiting", "one").at("/nextAttempt").asString()).isNotEmpty();

		awaitReasons("exhausted", "one", "RETRIES_EXHAUSTED");
		assertThat(delivery("exhausted", "one").at("/lastDelivery/error").asString())
			.isEqualTo("java.lang.IllegalStateException");

		create("default", "blocker");
		awaitReasons("busy", "blocker", "BUSY");
		create("default", "behind");
		awaitReasons("busy", "behind", "BUSY");
		assertThat(delivery("busy", "behind").at("/causes/0/message").asString()).contains("default/blocker");
		assertThat(delivery("busy", "behind").at("/causes/0/since").asString()).isNotEmpty();

		create("default", "stuck");
		awaitReasons("stuckfilter", "stuck", "PAUSED", "FILTER_BLOCKED");
		assertThat(reasons("stuckfilter", "stuck")).containsExactly("PAUSED", "FILTER_BLOCKED");
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
		this.context.getBean(InformerRegistry.class).stop();
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
		Thread startup = new Thread(this.context.getBean(InformerRegistry.class)::start);
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

	@Test
	void handler_isPausedAndResumed() throws Exception {
		start(App.class, UNRESTRICTED);
		assertThat(post("configmaps/handlers/all", Map.of("action", "pause")).statusCode()).isEqualTo(200);
		create("default", "one");
		awaitReasons("all", "one", "PAUSED");
		assertThat(get("configmaps/handlers/all").at("/diagnosis/causes/0/message").asString())
			.contains("paused by actuator");
		assertThat(get("configmaps/handlers/all").at("/handler/paused").asBoolean()).isTrue();
		assertThat(post("configmaps/handlers/all", Map.of("action", "resume")).statusCode()).isEqualTo(200);
		awaitReasons("all", "one", "UP_TO_DATE");
		assertThat(get("configmaps/handlers/all").at("/diagnosis/causes").isEmpty()).isTrue();
	}

	@Test
	void events_areRetriedOnRequest() throws Exception {
		start(App.class, UNRESTRICTED);
		for (String name : List.of("one", "two", "three")) {
			create("default", name);
			awaitReasons("waiting", name, "WAITING_FOR_RETRY");
			awaitReasons("exhausted", name, "RETRIES_EXHAUSTED");
		}
		assertThat(get("configmaps/handlers/exhausted").at("/diagnosis/retriesExhausted").asInt()).isEqualTo(3);
		assertThat(get("configmaps/handlers/waiting").at("/diagnosis/waitingForRetry").asInt()).isEqualTo(3);
		this.context.getBean(Handlers.class).failing = false;
		Map<String, String> retryOne = Map.of("action", "retry", "namespace", "default", "name", "one");
		for (String handler : List.of("waiting", "exhausted")) {
			assertThat(retried("configmaps/handlers/" + handler, retryOne)).isEqualTo(1);
			awaitReasons(handler, "one", "UP_TO_DATE");
			assertThat(delivery(handler, "one").at("/lastDelivery/event").asString()).isEqualTo("ADDED");
			assertThat(retried("configmaps/handlers/" + handler, retryOne)).isZero();
			assertThat(retried("configmaps/handlers/" + handler, Map.of("action", "retry"))).isEqualTo(2);
			awaitReasons(handler, "two", "UP_TO_DATE");
			awaitReasons(handler, "three", "UP_TO_DATE");
		}
	}

	@Test
	void endpoint_isReadOnlyByDefault() throws Exception {
		start(App.class);
		assertThat(get("configmaps/handlers/all").at("/handler/name").asString()).isEqualTo("all");
		assertThat(post("configmaps/handlers/all", Map.of("action", "pause")).statusCode()).isEqualTo(405);
		assertThat(post("configmaps", Map.of("action", "relist")).statusCode()).isEqualTo(405);
	}

	@Test
	void invalidRequests_areAnsweredWithTheValidValues() throws Exception {
		start(App.class, UNRESTRICTED);
		assertThat(error(404, "pods/handlers/all")).contains("Unknown informer 'pods'", "configmaps", "webmaps");
		assertThat(error(404, "configmaps/handlers/nowhere")).contains("Unknown handler 'nowhere'", "filtered");
		assertThat(error(404, "configmaps/listeners/all")).contains("handlers");
		assertThat(error(400, "configmaps/handlers/all?name=one")).contains("Missing parameter 'namespace'");
		assertThat(error(400, "configmaps/handlers/all?namespace=default")).contains("Missing parameter 'name'");
		HttpResponse<String> unknown = post("configmaps/handlers/all", Map.of("action", "stop"));
		assertThat(unknown.statusCode()).isEqualTo(400);
		assertThat(unknown.body()).contains("Unknown action 'stop'", "pause", "resume", "retry");
		assertThat(post("configmaps/handlers/all", Map.of("action", "pause", "namespace", "default", "name", "one"))
			.statusCode()).isEqualTo(400);
	}

	private void start(Class<?> application, String... properties) {
		this.context = new SpringApplicationBuilder(application)
			.properties("server.port=0", "management.endpoints.web.exposure.include=informers",
					"spring.main.banner-mode=off", "informer.resources.configmaps.namespaces=default",
					"informer.resources.webmaps.resource=configmaps",
					"informer.resources.webmaps.label-selector=tier=web",
					"informer.connection.url=" + this.kubernetes.url())
			.properties(properties)
			.run();
	}

	private void create(String namespace, String name) {
		this.kubernetes.create(configMap(namespace, name));
	}

	private static Map<String, Object> configMap(String namespace, String name) {
		return Map.of(
				"apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("namespace", namespace, "name", name,
						"labels", Map.of("marker", MARKER), "annotations", Map.of("marker", MARKER)),
				"data", Map.of("marker", MARKER));
	}

	private void awaitReasons(String handler, String name, String... reasons) {
		await().untilAsserted(() -> assertThat(reasons(handler, name)).contains(reasons));
	}

	private List<String> reasons(String handler, String name) throws Exception {
		return reasons("configmaps", handler, "default", name);
	}

	private List<String> reasons(String informer, String handler, String namespace, String name) throws Exception {
		return get(informer + "/handlers/" + handler + "?namespace=" + namespace + "&name=" + name)
			.at("/delivery/causes")
			.valueStream()
			.map((cause) -> cause.get("reason").asString())
			.toList();
	}

	private JsonNode delivery(String handler, String name) throws Exception {
		return get("configmaps/handlers/" + handler + "?namespace=default&name=" + name).get("delivery");
	}

	private int retried(String path, Map<String, String> body) throws Exception {
		return JsonMapper.shared().readTree(post(path, body).body()).get("retried").asInt();
	}

	private String error(int status, String path) throws Exception {
		HttpResponse<String> response = send(HttpRequest.newBuilder(uri(path)));
		assertThat(response.statusCode()).isEqualTo(status);
		return response.body();
	}

	private JsonNode get(String path) throws Exception {
		HttpResponse<String> response = send(HttpRequest.newBuilder(uri(path)));
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	private HttpResponse<String> post(String path, Map<String, String> body) throws Exception {
		return send(HttpRequest.newBuilder(uri(path))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body))));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		HttpResponse<String> response = this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
		this.bodies.add(response.body());
		return response;
	}

	private URI uri(String path) {
		return URI.create("http://localhost:" + this.context.getEnvironment().getProperty("local.server.port")
				+ "/actuator/informers/" + path);
	}

	private static void awaitLatch(CountDownLatch latch) {
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

		private final CountDownLatch mayContinue = new CountDownLatch(1);

		private volatile boolean failing = true;

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

		@InformerHandler(id = "exhausted", retry = @Retry(maxRetries = "0"))
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
