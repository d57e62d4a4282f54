/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import dev.informer.InformerFailure.Kind;
import dev.informer.client.CustomResource;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.PlainObject;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for informers of custom resources with a class, against the real kube-apiserver.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealCustomResourceTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String GROUP = "classes.example.com";

	private final InformerRecorder recorder = new InformerRecorder();

	@Test
	@RealKubernetes
	void timestampThatServerAccepts_isDecoded(RealServer server) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		define(admin, "timers", "Timer", "Namespaced",
				Map.of("since", Map.of("type", "string", "format", "date-time")));
		Map<String, String> texts = Map.of("digits", "2024-05-01T10:00:00.1234567899+02:00", "comma",
				"2024-05-01T10:00:00,5Z", "lower", "2024-05-01t10:00:00z", "offset", "2024-05-01T10:00:00-23:59");
		for (Map.Entry<String, String> text : texts.entrySet()) {
			awaitExternal().untilAsserted(() -> createTimer(admin, text.getKey(), text.getValue()));
		}
		for (String text : List.of("2024-05-01T10:00:00.1234567899+0000", "2024-05-01T24:00:00Z",
				"2024-05-01T10:00:60Z", "2024-05-01T10:00Z")) {
			assertThatExceptionOfType(ApiException.class).isThrownBy(() -> createTimer(admin, "refused", text));
		}
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<Timer> informer = informers.informer(Timer.class);
			informers.start();
			assertThat(informers.awaitSynced(LONG)).isTrue();
			assertThat(this.recorder.failures()).isEmpty();
			assertThat(since(informer, "digits")).hasToString("2024-05-01T10:00:00.123456789+02:00");
			assertThat(since(informer, "comma")).hasToString("2024-05-01T10:00:00.500Z");
			assertThat(since(informer, "lower")).hasToString("2024-05-01T10:00Z");
			assertThat(since(informer, "offset")).hasToString("2024-05-02T09:59Z");
		}
	}

	@Test
	@RealKubernetes
	void scopeOtherThanDeclared_isReportedUntilDefinitionIsReplaced(RealServer server) throws Exception {
		ApiClient admin = RealConfigMaps.client(server);
		CustomObjectsApi objects = new CustomObjectsApi(admin);
		define(admin, "places", "Place", "Cluster", Map.of());
		awaitExternal()
			.untilAsserted(() -> objects.createClusterCustomObject(GROUP, "v1", "places", place("north")).execute());
		try (InformerFactory informers = factory(admin)) {
			SharedIndexInformer<Place> everywhere = informers.informer(Place.class);
			SharedIndexInformer<Place> somewhere = informers.informer(Place.class,
					(options) -> options.name("somewhere").namespaces("default"));
			EventLog<Place> log = new EventLog<>();
			everywhere.addHandler(log);
			informers.start();
			String remedy = "Set namespaced = false in the annotation @CustomResource of " + Place.class.getName();
			awaitExternal().untilAsserted(() -> {
				assertThat(everywhere.state().failure()).isNotNull()
					.satisfies((failure) -> assertThat(failure.message()).contains(remedy));
				assertThat(somewhere.state().failure()).isNotNull()
					.satisfies((failure) -> assertThat(failure.message()).contains(remedy + ", and remove"));
			});
			assertThat(this.recorder.failureKinds()).containsOnly(Kind.OTHER);
			objects
				.deleteClusterCustomObject("apiextensions.k8s.io", "v1", "customresourcedefinitions", "places." + GROUP)
				.execute();
			awaitExternal().untilAsserted(() -> define(admin, "places", "Place", "Namespaced", Map.of()));
			awaitExternal().untilAsserted(
					() -> objects.createNamespacedCustomObject(GROUP, "v1", "default", "places", place("south"))
						.execute());
			assertThat(informers.awaitSynced(LONG)).isTrue();
			awaitExternal().untilAsserted(() -> {
				assertThat(log.story()).containsExactly("ADDED default/south");
				assertThat(somewhere.lister().keys()).containsExactly("default/south");
				assertThat(everywhere.state().failure()).isNull();
			});
			assertThat(this.recorder.failureKinds()).doesNotContain(Kind.UNDECODABLE_OBJECT);
		}
	}

	private static Map<String, Object> place(String name) {
		return Map.of("apiVersion", GROUP + "/v1", "kind", "Place", "metadata", Map.of("name", name));
	}

	private static @Nullable OffsetDateTime since(SharedIndexInformer<Timer> informer, String name) {
		return informer.lister().get("default", name).orElseThrow().since;
	}

	private static void createTimer(ApiClient client, String name, String since) throws ApiException {
		Map<String, Object> timer = Map.of("apiVersion", GROUP + "/v1", "kind", "Timer", "metadata",
				Map.of("name", name), "since", since);
		new CustomObjectsApi(client).createNamespacedCustomObject(GROUP, "v1", "default", "timers", timer).execute();
	}

	private InformerFactory factory(ApiClient client) {
		return InformerFactory.create(() -> client, (settings) -> settings.addListener(this.recorder));
	}

	private static void define(ApiClient client, String plural, String kind, String scope,
			Map<String, Object> properties) throws ApiException {
		Map<String, Object> schema = Map.of("type", "object", "properties", properties);
		Map<String, Object> version = Map.of("name", "v1", "served", true, "storage", true, "schema",
				Map.of("openAPIV3Schema", schema));
		Map<String, Object> definition = Map.of("apiVersion", "apiextensions.k8s.io/v1", "kind",
				"CustomResourceDefinition", "metadata", Map.of("name", plural + "." + GROUP), "spec",
				Map.of("group", GROUP, "scope", scope, "names", Map.of("plural", plural, "kind", kind), "versions",
						List.of(version)));
		new CustomObjectsApi(client)
			.createClusterCustomObject("apiextensions.k8s.io", "v1", "customresourcedefinitions", definition)
			.execute();
	}

	@CustomResource(group = GROUP, version = "v1", plural = "places")
	static class Place extends PlainObject {

	}

	@CustomResource(group = GROUP, version = "v1", plural = "timers")
	static class Timer extends PlainObject {

		private @Nullable OffsetDateTime since;

	}

}
