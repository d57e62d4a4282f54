/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.content;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.informer.InformerState.Phase;
import dev.informer.spring.InformerRegistry;
import dev.informer.test.AccessRule;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.ResourceDefinition;
import dev.informer.test.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that neither the content of an object nor a credential appears in a log line at
 * any level, in an answer of an endpoint, or in a metric. All features fail in all ways.
 */
@Timeout(180)
class ObjectContentTests {

	/** The name of the configuration is not that of the sample application. */
	private static final List<String> PROPERTIES = List.of("spring.config.name=content", "server.port=0",
			"spring.application.name=content", "informer.connection.token=" + Marker.TOKEN,
			"informer.resources.tenants.resource=tenants.v1.example.com",
			"informer.resources.pods.mutation-detection=fail", "informer.resources.pods.encoding=json",
			"informer.resources.secrets.encoding=json", "informer.resources.secrets.handler.retry.max-retries=1",
			"informer.resources.secrets.handler.retry.delay=10ms", "informer.defaults.backoff.delay=50ms",
			"informer.defaults.backoff.jitter=50ms", "informer.observation-enabled=true",
			"informer.leader.enabled=true", "informer.leader.lease-namespace=default",
			"informer.health.stuck-handler-threshold=100ms", "spring.lifecycle.timeout-per-shutdown-phase=1s",
			"management.endpoints.web.exposure.include=*",
			"management.endpoints.web.exposure.exclude=heapdump,shutdown",
			"management.endpoints.access.default=unrestricted", "management.endpoint.health.show-details=always");

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes
		.start((options) -> options.user("app", Marker.TOKEN, AccessRule.everything()));

	private final HttpClient client = HttpClient.newHttpClient();

	private final LogSearch log = new LogSearch();

	private final Map<String, String> answers = new LinkedHashMap<>();

	@AfterEach
	void close() {
		this.log.close();
		this.kubernetes.close();
	}

	@Test
	void marker_isFoundInEachForm() {
		byte[] content = ("x" + Marker.CONTENT).getBytes(StandardCharsets.UTF_8);
		assertThat(Marker.find("a " + Marker.CONTENT)).isNotEmpty();
		assertThat(Marker.find("Bearer " + Marker.TOKEN)).isNotEmpty();
		assertThat(Marker.find(Base64.getEncoder().encodeToString(content))).isNotEmpty();
		assertThat(Marker.find("no content")).isEmpty();
	}

	@Test
	void fullRunAtTrace_showsNoContent() throws Exception {
		createObjects();
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ContentApplication.class)
			.initializers((created) -> this.log.begin())
			.run(arguments())) {
			InformerRegistry registry = context.getBean(InformerRegistry.class);
			String url = "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/actuator";
			changeObjects();
			awaitLogged("Handler 'failing' failed", "Filter of handler 'filtered' failed", "could not decode",
					"modified", "Transform of informer 'services' failed", "Index function 'broken' failed",
					"It must return an object of the same namespace", "expected a Lease at");
			search(url);
			this.kubernetes.delete("leases.coordination.k8s.io", "default", "content");
			failRequests(registry);
			search(url);
			post(url + "/informers/secrets/handlers/failing", "retry");
			post(url + "/informers/secrets/handlers/failing", "pause");
			post(url + "/informers/secrets/handlers/failing", "resume");
			post(url + "/informers/configmaps", "relist");
			post(url + "/informers/configmaps", "resync");
			search(url);
		}
		awaitLogged("ignores the interrupt|interrupted handler 'blocked'|discarding .* undelivered events");
		assertThat(this.log.searched()).isGreaterThan(1000);
		assertThat(this.log.ofClient()).isPositive();
		assertThat(this.answers).hasSizeGreaterThan(40);
		assertThat(this.log.found()).isEmpty();
	}

	private String[] arguments() {
		return Stream.concat(PROPERTIES.stream(), Stream.of("informer.connection.url=" + this.kubernetes.url()))
			.map((property) -> "--" + property)
			.toArray(String[]::new);
	}

	private void createObjects() {
		for (String plural : List.of("gadgets", "tenants")) {
			this.kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", plural,
					plural.equals("gadgets") ? "Gadget" : "Tenant"));
		}
		String encoded = Base64.getEncoder().encodeToString(Marker.CONTENT.getBytes(StandardCharsets.UTF_8));
		create("v1", "ConfigMap", "a", Map.of("data", Map.of("key", Marker.CONTENT)));
		create("v1", "ConfigMap", "b", Map.of("data", Map.of("key", "one " + Marker.CONTENT)));
		create("v1", "Secret", "a", Map.of("data", Map.of("key", encoded), "type", "Opaque"));
		create("v1", "Pod", "a", pod("1"));
		create("v1", "Service", "throws", Map.of("spec", Map.of("externalName", Marker.CONTENT)));
		create("v1", "Service", "other", Map.of("spec", Map.of("externalName", Marker.CONTENT)));
		create("v1", "Service", "blocks", Map.of("spec", Map.of("externalName", Marker.CONTENT)));
		create("example.com/v1", "Tenant", "a", Map.of("spec", Map.of("plan", Marker.CONTENT)));
		create("example.com/v1", "Gadget", "a", Map.of("spec", Map.of("text", Marker.CONTENT)));
		undecodable();
	}

	/**
	 * Create objects that do not match their class, at different values.
	 */
	private void undecodable() {
		create("v1", "Pod", "undecodable", pod(Marker.CONTENT));
		Map<String, Object> started = new LinkedHashMap<>(pod("1"));
		started.put("status", Map.of("startTime", Marker.CONTENT));
		create("v1", "Pod", "started", started);
		create("v1", "Secret", "undecodable", Map.of("data", Map.of("key", Marker.CONTENT + "!")));
		create("v1", "ConfigMap", "undecodable", Map.of("data", List.of(Marker.CONTENT)));
		create("coordination.k8s.io/v1", "Lease", "content",
				Map.of("spec", Map.of("leaseDurationSeconds", Marker.CONTENT)));
		create("example.com/v1", "Gadget", "size", Map.of("spec", Map.of("size", Marker.CONTENT)));
		create("example.com/v1", "Gadget", "since", Map.of("spec", Map.of("since", Marker.CONTENT)));
		create("example.com/v1", "Gadget", "color", Map.of("spec", Map.of("color", Marker.CONTENT)));
		create("example.com/v1", "Gadget", "number", Map.of("spec", Map.of("number", Marker.CONTENT)));
		create("example.com/v1", "Gadget", "spec", Map.of("spec", Marker.CONTENT));
		create("example.com/v1", "Tenant", "undecodable", Map.of("metadata", Map.of("name", "undecodable", "namespace",
				"default", "annotations", Map.of("annotation", Marker.CONTENT), "labels", Marker.CONTENT)));
	}

	private static Map<String, Object> pod(Object seconds) {
		Object number = seconds.equals("1") ? 1 : seconds;
		return Map.of("spec", Map.of("activeDeadlineSeconds", number, "containers", List.of(Map.of("name", "main",
				"image", "none", "env", List.of(Map.of("name", "PASSWORD", "value", Marker.CONTENT))))));
	}

	private void create(String apiVersion, String kind, String name, Map<String, ?> content) {
		Map<String, Object> object = new LinkedHashMap<>(Map.of("apiVersion", apiVersion, "kind", kind, "metadata",
				Map.of("name", name, "namespace", "default", "labels", Map.of("label", Marker.CONTENT), "annotations",
						Map.of("annotation", Marker.CONTENT))));
		object.putAll(content);
		this.kubernetes.create(object);
	}

	private void changeObjects() {
		Map<String, Object> changed = Map.of("metadata",
				Map.of("annotations", Map.of("annotation", "changed " + Marker.CONTENT)));
		this.kubernetes.mergePatch("configmaps", "default", "a", changed);
		this.kubernetes.mergePatch("secrets", "default", "a", changed);
		this.kubernetes.mergePatch("services", "default", "throws", changed);
		this.kubernetes.mergePatch("pods", "default", "a", changed);
		this.kubernetes.mergePatch("gadgets.example.com", "default", "a",
				Map.of("spec", Map.of("text", "changed " + Marker.CONTENT)));
		this.kubernetes.mergePatch("tenants.example.com", "default", "a", changed);
		this.kubernetes.mergePatch("pods", "default", "a", Map.of("spec", pod(Marker.CONTENT).get("spec")));
		this.kubernetes.delete("configmaps", "default", "b");
	}

	/**
	 * Let requests fail in all ways, with content in what is received.
	 */
	private void failRequests(InformerRegistry registry) {
		this.kubernetes.faults().next(1, Verb.LIST, "configmaps", Fault.body("<html>Welcome</html>"));
		this.kubernetes.faults().next(1, Verb.LIST, "secrets", Fault.body("{\"" + Marker.CONTENT));
		this.kubernetes.faults().next(1, Verb.LIST, "services", Fault.replaced(Marker.CONTENT, ""));
		this.kubernetes.faults().next(1, Verb.LIST, "pods", Fault.truncated(700));
		this.kubernetes.faults().next(1, Verb.LIST, "gadgets.example.com", Fault.cutAfter(500));
		registry.informers().forEach((informer) -> informer.relist("the test"));
		awaitLogged("invalid response");
		awaitWatching(registry);
		this.kubernetes.faults().sendOnWatches("{\"type\":\"ADDED\",\"object\":\"" + Marker.CONTENT + "\"}\n");
		this.kubernetes.faults().sendOnWatches(Marker.CONTENT + "\n");
		this.kubernetes.faults().cutWatches();
		this.kubernetes.compact();
		this.kubernetes.access().allow("app");
		this.kubernetes.faults().cutWatches();
		awaitLogged("403 Forbidden");
		this.kubernetes.access().token("app", "other");
		awaitLogged("401 Unauthorized");
		this.kubernetes.access().token("app", Marker.TOKEN);
		this.kubernetes.access().allow("app", AccessRule.everything());
		awaitWatching(registry);
		this.kubernetes.restart();
		awaitWatching(registry);
	}

	private static void awaitWatching(InformerRegistry registry) {
		awaitExternal().untilAsserted(() -> assertThat(registry.informers()).allSatisfy(
				(informer) -> assertThat(informer.state().phase()).as(informer.name()).isEqualTo(Phase.WATCHING)));
	}

	private void awaitLogged(String... expressions) {
		for (String expression : expressions) {
			Pattern pattern = Pattern.compile(expression);
			awaitExternal().untilAsserted(
					() -> assertThat(this.log.own()).as(expression).anyMatch((line) -> pattern.matcher(line).find()));
		}
	}

	/**
	 * Search the answers of all endpoints, all metrics included.
	 */
	private void search(String url) throws Exception {
		List<String> addresses = new ArrayList<>(links(get(url)));
		addresses.removeIf((address) -> address.contains("{"));
		for (String metric : texts(get(url + "/metrics"), "\"([a-z][\\w.]+)\"")) {
			addresses.add(url + "/metrics/" + metric);
		}
		Map<String, List<String>> handlers = Map.of("secrets", List.of("failing"), "configmaps", List.of("filtered"),
				"pods", List.of("mutating"), "gadgets", List.of("unequal"), "tenants", List.of("untyped"), "nodes",
				List.of("leader"), "services", List.of("blocked"));
		handlers.forEach((informer, names) -> {
			addresses.add(url + "/informers/" + informer);
			addresses.add(url + "/health/informers/" + informer);
			for (String name : names) {
				String handler = url + "/informers/" + informer + "/handlers/" + name;
				addresses.add(handler);
				for (String object : List.of("a", "undecodable", "throws", "blocks", "absent")) {
					addresses.add(handler + "?namespace=default&name=" + object);
				}
			}
		});
		for (String address : addresses) {
			String answer = get(address);
			this.answers.put(address, answer);
			assertThat(Marker.find(answer)).as(address).isEmpty();
		}
		assertThat(this.answers.get(url + "/informers")).contains("\"failing\"");
		assertThat(this.answers.get(url + "/prometheus")).contains("kubernetes_informer_handler_retries_total");
	}

	private static List<String> links(String index) {
		return texts(index, "\"href\":\"([^\"]+)\"");
	}

	private static List<String> texts(String answer, String expression) {
		return Pattern.compile(expression)
			.matcher(answer)
			.results()
			.map((MatchResult match) -> match.group(1))
			.distinct()
			.toList();
	}

	private String get(String url) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30)).build();
		return send(request).body();
	}

	private void post(String url, String action) throws IOException, InterruptedException {
		HttpResponse<String> answer = send(HttpRequest.newBuilder(URI.create(url))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"action\": \"" + action + "\"}"))
			.build());
		assertThat(answer.statusCode()).as(url).isLessThan(300);
		assertThat(Marker.find(answer.body())).as(url).isEmpty();
	}

	private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
		return this.client.send(request, BodyHandlers.ofString());
	}

}
