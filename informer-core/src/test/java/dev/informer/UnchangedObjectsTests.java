/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.informer.client.ResourceType;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for objects whose contents a relist or an update does not change, over HTTP
 * against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class UnchangedObjectsTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<InformerFailure> failures = new CopyOnWriteArrayList<>();

	private final InformerFactory informers = InformerFactory.create(
			() -> new ApiClient().setBasePath(this.kubernetes.url()), (settings) -> settings.addListener((event) -> {
				if (event instanceof InformerEvent.Failed failed) {
					this.failures.add(failed.failure());
				}
			}));

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	static Stream<ResourceType<?>> typesOfConfigMaps() {
		return Stream.of(ResourceType.of(V1ConfigMap.class), ResourceType.named(WithoutEquals.class, "configmaps"),
				ResourceType.named(WithFailingEquals.class, "configmaps"),
				ResourceType.dynamic("", "v1", "configmaps", "ConfigMap", true));
	}

	@ParameterizedTest
	@MethodSource("typesOfConfigMaps")
	<T extends KubernetesObject> void requestedRelist_deliversNothingUnchanged_andKeepsTheInstance(ResourceType<T> type)
			throws Exception {
		this.kubernetes.create(TestObjects.configMap("default", "a")
			.data(Map.of("key", "1"))
			.binaryData(Map.of("bytes", new byte[] { 1, 2, 3 })));
		EventLog<T> log = new EventLog<>();
		SharedIndexInformer<T> informer = this.informers.informer(type, (options) -> options.namespaces("default"));
		informer.addHandler(log);
		startAndSync();
		T before = informer.lister().get("default", "a").orElseThrow();
		for (int relists = 1; relists <= 3; relists++) {
			informer.relist();
			int expected = 1 + relists;
			await().until(() -> this.kubernetes.requests(Verb.LIST, "configmaps").size() == expected);
			// its event is behind those of the relist
			this.kubernetes.create(TestObjects.configMap("default", "later" + relists));
			String added = "ADDED default/later" + relists;
			await().untilAsserted(() -> assertThat(log.story()).endsWith(added));
		}
		assertThat(log.story()).containsExactly("ADDED default/a", "ADDED default/later1", "ADDED default/later2",
				"ADDED default/later3");
		assertThat(informer.lister().get("default", "a")).containsSame(before);
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("binaryData", Map.of("bytes", "BAU=")));
		await().untilAsserted(() -> assertThat(log.story()).endsWith("UPDATED default/a"));
		assertThat(this.failures).isEmpty();
	}

	@Test
	void changesOfTheSpec_areThoseOfTheDataOfASecret() throws Exception {
		this.kubernetes.create(new V1Secret().apiVersion("v1")
			.kind("Secret")
			.metadata(new V1ObjectMeta().namespace("default").name("a"))
			.data(Map.of("password", new byte[] { 1, 2, 3 })));
		EventLog<V1Secret> log = new EventLog<>();
		SharedIndexInformer<V1Secret> informer = this.informers.informer(V1Secret.class,
				(options) -> options.namespaces("default"));
		List<ResourceEvent<V1Secret>> all = new CopyOnWriteArrayList<>();
		informer.addHandler(all::add);
		informer.addHandler(log, (options) -> options.changes(ChangedPart.SPEC).queue(QueuePolicy.KEEP_ALL));
		startAndSync();
		this.kubernetes.mergePatch("secrets", "default", "a",
				Map.of("metadata", Map.of("annotations", Map.of("note", "x"))));
		await().until(() -> all.size() == 2);
		this.kubernetes.mergePatch("secrets", "default", "a", Map.of("data", Map.of("password", "BAU=")));
		await().untilAsserted(() -> assertThat(log.story()).endsWith("UPDATED default/a"));
		assertThat(log.story()).containsExactly("ADDED default/a", "UPDATED default/a");
	}

	private void startAndSync() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(Duration.ofSeconds(60))).isTrue();
	}

	/**
	 * Config map of a user who has not written {@code equals}.
	 */
	static class WithoutEquals implements KubernetesObject {

		private @Nullable String apiVersion;

		private @Nullable String kind;

		private V1ObjectMeta metadata = new V1ObjectMeta();

		private @Nullable Map<String, String> data;

		private @Nullable Map<String, byte[]> binaryData;

		@Override
		public @Nullable String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public @Nullable String getKind() {
			return this.kind;
		}

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

	}

	/**
	 * Config map whose {@code equals} does not work.
	 */
	static class WithFailingEquals extends WithoutEquals {

		@Override
		public boolean equals(Object other) {
			throw new StackOverflowError("for the test");
		}

		@Override
		public int hashCode() {
			return 1;
		}

	}

}
