/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.InformerState.Phase;
import dev.informer.client.ResourceType;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.testing.ConversionWebhook;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for informers of custom resources whose conversion from the stored version to the
 * watched one fails at the real API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealConversionTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String GROUP = "conversion.example.com";

	/**
	 * While a watch is open the server says nothing of it: its watch cache stands still,
	 * serves lists as they were, and tries again. Without that cache, after a restart, it
	 * answers with 500.
	 */
	@Test
	@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
	void failedConversion_isReportedAndLosesNothing(RealServer server, @TempDir Path folder) throws Exception {
		ControlPlane cluster = server.requireControlPlane();
		ApiClient admin = RealConfigMaps.client(server);
		try (ConversionWebhook webhook = new ConversionWebhook(folder); InformerFactory informers = factory(admin)) {
			define(admin, webhook);
			create(admin, "one");
			EventLog<DynamicKubernetesObject> stored = new EventLog<>();
			EventLog<DynamicKubernetesObject> converted = new EventLog<>();
			follow(informers, "v1", stored);
			SharedIndexInformer<DynamicKubernetesObject> informer = follow(informers, "v2", converted);
			webhook.failing(true);
			create(admin, "two");
			awaitExternal().untilAsserted(() -> assertThat(stored.story()).containsExactly("ADDED one", "ADDED two"));
			assertThatExceptionOfType(ApiException.class).isThrownBy(() -> list(admin))
				.satisfies((failure) -> assertThat(failure.getResponseBody()).contains("conversion webhook"));
			assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING);
			cluster.killApiServer();
			cluster.startApiServer();
			awaitExternal().untilAsserted(() -> assertThat(informer.state().failure()).isNotNull()
				.satisfies(
						(failure) -> assertThat(failure.message()).contains("500", "conversion webhook for " + GROUP)));
			create(admin, "three");
			awaitExternal().untilAsserted(() -> assertThat(stored.replay()).hasSize(3));
			assertThat(converted.story()).containsExactly("ADDED one");
			assertThat(informer.lister().keys()).containsExactly("one");
			webhook.failing(false);
			awaitExternal().untilAsserted(() -> assertThat(converted.replay()).isEqualTo(stored.replay()));
			awaitExternal()
				.until(() -> informer.state().phase() == Phase.WATCHING && informer.state().failure() == null);
			create(admin, "four");
			awaitExternal()
				.untilAsserted(() -> assertThat(converted.story()).startsWith("ADDED one").endsWith("ADDED four"));
			assertThat(informer.lister().get("four")).get()
				.satisfies((four) -> assertThat(four.getApiVersion()).isEqualTo(GROUP + "/v2"));
			assertThat(converted.problems()).isEmpty();
			assertThat(stored.problems()).isEmpty();
		}
	}

	private static SharedIndexInformer<DynamicKubernetesObject> follow(InformerFactory informers, String version,
			EventLog<DynamicKubernetesObject> log) throws InterruptedException {
		ResourceType<DynamicKubernetesObject> gizmos = ResourceType.dynamic(GROUP, version, "gizmos", "Gizmo", false);
		Consumer<InformerOptions.Builder> named = (options) -> options.name("gizmos-" + version);
		SharedIndexInformer<DynamicKubernetesObject> informer = informers.informer(gizmos, named);
		informer.addHandler(log);
		informer.start();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		awaitExternal()
			.until(() -> informer.state().phase() == Phase.WATCHING && log.story().equals(List.of("ADDED one")));
		return informer;
	}

	private static InformerFactory factory(ApiClient client) {
		BackoffPolicy fast = new BackoffPolicy(Duration.ofMillis(20), 2, Duration.ofMillis(500), Duration.ofMillis(20),
				Duration.ofMinutes(2));
		return InformerFactory.create(() -> client, (settings) -> settings
			.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(fast).build()));
	}

	private static void define(ApiClient client, ConversionWebhook webhook) throws Exception {
		Map<String, Object> conversion = Map.of("strategy", "Webhook", "webhook",
				Map.of("conversionReviewVersions", List.of("v1"), "clientConfig",
						Map.of("url", webhook.url(), "caBundle", webhook.certificateAuthority())));
		Map<String, Object> definition = Map.of("apiVersion", "apiextensions.k8s.io/v1", "kind",
				"CustomResourceDefinition", "metadata", Map.of("name", "gizmos." + GROUP), "spec",
				Map.of("group", GROUP, "scope", "Cluster", "names", Map.of("plural", "gizmos", "kind", "Gizmo"),
						"versions", List.of(version("v1", true), version("v2", false)), "conversion", conversion));
		new CustomObjectsApi(client)
			.createClusterCustomObject("apiextensions.k8s.io", "v1", "customresourcedefinitions", definition)
			.execute();
	}

	private static Map<String, Object> version(String name, boolean stored) {
		return Map.of("name", name, "served", true, "storage", stored, "schema",
				Map.of("openAPIV3Schema", Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true)));
	}

	private static Object list(ApiClient client) throws ApiException {
		return new CustomObjectsApi(client).listClusterCustomObject(GROUP, "v2", "gizmos").execute();
	}

	/**
	 * Creates a gizmo, as soon as they are served.
	 */
	private static void create(ApiClient client, String name) {
		Map<String, Object> gizmo = Map.of("apiVersion", GROUP + "/v1", "kind", "Gizmo", "metadata",
				Map.of("name", name));
		awaitExternal().until(() -> {
			new CustomObjectsApi(client).createClusterCustomObject(GROUP, "v1", "gizmos", gizmo).execute();
			return true;
		});
	}

}
