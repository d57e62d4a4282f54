/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.IndexFunction;
import dev.informer.reconcilers.Owned;
import dev.informer.reconcilers.ReconcileContext;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.reconcilers.Watched;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Watches;
import dev.informer.spring.InformerReconciler.Writes;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for reconcilers of an application with all of its auto-configurations, and for
 * the operations of its endpoint on them.
 */
@Timeout(120)
class ReconcilerOperationsTests extends AbstractHandlerEndpointTests {

	private static final String ACCOUNTS = "reconcilers/accounts";

	private static final String OF_ONE = ACCOUNTS + "?namespace=default&name=one";

	@Test
	void application_reconcilesAndCleansUp_andIsDescribed() throws Exception {
		start(App.class, "management.endpoints.web.exposure.include=*",
				"management.endpoint.health.show-details=always", "informer.reconcilers.accounts.min-interval=1ms");
		create("default", "one");
		awaitReconciled();
		assertThat(reasons()).containsExactly("UP_TO_DATE");
		assertThat(this.kubernetes.list("serviceaccounts", "default")).hasSize(1);
		JsonNode reconciler = JsonMapper.shared().readTree(body("informers")).at("/reconcilers/accounts");
		assertThat(reconciler.get("informers").valueStream().map(JsonNode::asString)).containsExactly("configmaps",
				"serviceaccounts", "secrets");
		assertThat(reconciler.get("synced").asBoolean()).isTrue();
		assertThat(reconciler.at("/objects/pending").asInt()).isZero();
		assertThat(get(OF_ONE).at("/diagnosis/failures").asInt()).isZero();
		assertThat(body("informerrbac")).contains("""
				  resources: [configmaps, secrets, serviceaccounts]
				  verbs: [list, watch]
				""", """
				  namespace: default
				rules:
				- apiGroups: ['']
				  resources: [configmaps]
				  verbs: [list, watch, patch]
				- apiGroups: ['']
				  resources: [serviceaccounts]
				  verbs: [create]
				""");
		assertThat(JsonMapper.shared().readTree(body("health")).at("/components/informerReconcilers/status").asString())
			.isEqualTo("UP");
		assertThat(body("metrics/kubernetes.informer.reconciler.calls?tag=reconciler:accounts&tag=outcome:success"))
			.contains("\"COUNT\"");
		this.kubernetes.create(new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace("default").name("one")));
		await().until(() -> context().getBean(Accounts.class).calls.contains("one[WATCHED]1"));
		this.kubernetes.delete("configmaps", "default", "one");
		await().until(() -> this.kubernetes.get("configmaps", "default", "one").isEmpty());
		assertThat(context().getBean(Accounts.class).calls).last().isEqualTo("removed one");
		await().untilAsserted(() -> assertThat(reasons()).contains("NOT_IN_CACHE"));
	}

	@Test
	void reconciler_isPausedResumedAndCalledOnRequest() throws Exception {
		start(App.class, UNRESTRICTED);
		create("default", "one");
		awaitReconciled();
		assertThat(reasons()).containsExactly("UP_TO_DATE");
		assertThat(post(ACCOUNTS, Map.of("action", "pause")).body()).contains("\"paused\":true");
		assertThat(get(ACCOUNTS).at("/causes/0/message").asString()).isEqualTo("The reconciler was paused by actuator");
		List<String> calls = context().getBean(Accounts.class).calls;
		calls.clear();
		Map<String, String> requestOne = Map.of("action", "request", "namespace", "default", "name", "one");
		assertThat(post(ACCOUNTS, requestOne).body()).contains("\"requested\":true");
		assertThat(reasons()).contains("PAUSED").doesNotContain("UP_TO_DATE");
		assertThat(calls).isEmpty();
		assertThat(post(ACCOUNTS, Map.of("action", "resume")).statusCode()).isEqualTo(200);
		await().until(() -> calls.equals(List.of("one[REQUEST]0")));
		assertThat(post(ACCOUNTS, Map.of("action", "request")).body()).contains("\"requested\":true");
		await().until(() -> calls.equals(List.of("one[REQUEST]0", "one[REQUEST]0")));
		assertThat(post(ACCOUNTS, Map.of("action", "request", "namespace", "default", "name", "two")).body())
			.contains("\"requested\":false");
	}

	@Test
	void endpoint_isReadOnlyByDefault() throws Exception {
		start(App.class);
		assertThat(get(ACCOUNTS).get("name").asString()).isEqualTo("accounts");
		assertThat(post(ACCOUNTS, Map.of("action", "pause")).statusCode()).isEqualTo(405);
	}

	@Test
	void invalidRequests_areAnsweredWithTheValidValues() throws Exception {
		start(App.class, UNRESTRICTED);
		assertThat(error(404, "reconcilers/account")).contains("Unknown reconciler 'account'", "[\"accounts\"]");
		assertThat(error(404, "configmaps/accounts")).contains("Unknown path 'configmaps'", "[\"reconcilers\"]");
		assertThat(error(400, ACCOUNTS + "?name=one")).contains("Missing parameter 'namespace'");
		HttpResponse<String> unknown = post(ACCOUNTS, Map.of("action", "stop"));
		assertThat(unknown.statusCode()).isEqualTo(400);
		assertThat(unknown.body()).contains("Unknown action 'stop'", "pause", "resume", "request");
		assertThat(post(ACCOUNTS, Map.of("action", "pause", "namespace", "default", "name", "one")).statusCode())
			.isEqualTo(400);
	}

	private List<String> reasons() throws Exception {
		return get(OF_ONE).at("/diagnosis/causes")
			.valueStream()
			.map((cause) -> cause.get("reason").asString())
			.toList();
	}

	private void awaitReconciled() throws InterruptedException {
		await().until(() -> !this.kubernetes.list("serviceaccounts", "default").isEmpty());
		assertThat(context().getBean(Reconcilers.class).awaitIdle(Duration.ofSeconds(30))).isTrue();
	}

	private String body(String path) throws Exception {
		URI uri = URI.create("http://localhost:" + context().getEnvironment().getProperty("local.server.port")
				+ "/actuator/" + path);
		return send(HttpRequest.newBuilder(uri)).body();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Accounts.class)
	static class App {

		@Bean
		static IndexFunction<V1ConfigMap> sameName() {
			return (configMap) -> List.of(String.valueOf(configMap.getMetadata().getName()));
		}

	}

	@Component
	static class Accounts {

		final List<String> calls = new CopyOnWriteArrayList<>();

		private final ObjectWriter writer;

		Accounts(ObjectWriter writer) {
			this.writer = writer;
		}

		@InformerReconciler(id = "accounts", informer = "configmaps", owns = V1ServiceAccount.class,
				watches = @Watches(type = V1Secret.class, index = "sameName"),
				writes = @Writes(type = V1ServiceAccount.class, operations = Operation.CREATE))
		void reconcile(V1ConfigMap configMap, Owned<V1ServiceAccount> accounts, Watched<V1Secret> secrets,
				ReconcileContext context) throws ObjectWriteException {
			String name = String.valueOf(configMap.getMetadata().getName());
			this.calls.add(name + context.triggers() + secrets.list().size());
			if (accounts.get(name).isEmpty()) {
				this.writer.create(new V1ServiceAccount().metadata(new V1ObjectMeta().namespace("default").name(name)),
						configMap);
			}
		}

		@InformerCleanup("example.com/accounts")
		void remove(V1ConfigMap configMap) {
			this.calls.add("removed " + configMap.getMetadata().getName());
		}

	}

}
