/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerFailure.Kind;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for transforms, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class TransformTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<InformerFailure> failures = new CopyOnWriteArrayList<>();

	private final List<String> transformed = new CopyOnWriteArrayList<>();

	private final EventLog<V1ConfigMap> log = new EventLog<>();

	private final InformerFactory informers = InformerFactory
		.create(() -> new ApiClient().setBasePath(this.kubernetes.url()), this::configure);

	private final SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class,
			(options) -> options.namespaces("default"));

	private void configure(InformerFactorySettings settings) {
		BackoffPolicy fast = new BackoffPolicy(Duration.ofMillis(5), 2, Duration.ofMillis(50), Duration.ofMillis(5),
				Duration.ofMinutes(2));
		settings.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(fast).build())
			.addListener((event) -> {
				if (event instanceof InformerEvent.Failed failed) {
					TransformTests.this.failures.add(failed.failure());
				}
			});
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void transform_runsOncePerObject_neverForResyncsAndUnchangedRelists() throws Exception {
		create("a", "1");
		create("b", "1");
		EventLog<V1ConfigMap> resynced = new EventLog<>();
		this.informer.setTransform((map) -> {
			this.transformed.add(map.getMetadata().getName() + map.getData().get("key"));
			return map.data(Map.of("short", "x" + map.getData().get("key")));
		});
		this.informer.addHandler(resynced, (options) -> options.resyncPeriod(Duration.ofSeconds(1)));
		this.informer.addHandler(this.log);
		startAndSync();
		List<V1ConfigMap> before = this.informer.lister().list();
		assertThat(before).extracting(V1ConfigMap::getData).containsOnly(Map.of("short", "x1"));
		await().until(() -> resynced.events().stream().anyMatch(ResourceEvent::resync));
		awaitStory("ADDED default/a", "ADDED default/b");
		this.informer.stop(Duration.ZERO);
		this.informer.start();
		patch("a", "2");
		awaitStory("ADDED default/a", "ADDED default/b", "UPDATED default/a");
		assertThat(this.transformed).containsExactlyInAnyOrder("a1", "b1", "a2");
		V1ConfigMap unchanged = this.informer.lister().get("default", "b").orElseThrow();
		assertThat(before).anyMatch((map) -> map == unchanged);
		assertThat(this.failures).extracting(InformerFailure::kind).doesNotContain(Kind.TRANSFORM);
	}

	@Test
	void deletion_isTransformedUnlessItWasMissed() throws Exception {
		create("seen", "1");
		create("missed", "1");
		this.informer.setTransform((map) -> {
			this.transformed.add(map.getMetadata().getName());
			return map.data(Map.of());
		});
		this.informer.addHandler(this.log);
		startAndSync();
		awaitStory("ADDED default/seen", "ADDED default/missed");
		delete("seen");
		await().untilAsserted(() -> assertThat(this.log.story()).contains("DELETED default/seen"));
		assertThat(this.log.events()).last().satisfies((event) -> assertThat(event.object().getData()).isEmpty());
		this.informer.stop(LONG);
		delete("missed");
		this.informer.start();
		await().untilAsserted(() -> assertThat(this.log.story()).contains("DELETED default/missed"));
		assertThat(this.transformed).containsExactlyInAnyOrder("missed", "seen", "seen");
		assertThat(this.log.problems()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "throw", "error", "null", "name", "uid", "version" })
	void failure_keepsCachedObject(String failure) throws Exception {
		create("a", "1");
		create("new", failure);
		this.informer.setTransform((map) -> fail(map, failure));
		this.informer.addHandler(this.log);
		startAndSync();
		assertThat(this.informer.lister().list()).extracting((map) -> map.getMetadata().getName()).containsOnly("a");
		patch("a", failure);
		create("last", "1");
		awaitStory("ADDED default/a", "ADDED default/last");
		assertThat(this.informer.lister().get("default", "a")).get()
			.satisfies((map) -> assertThat(map.getData()).containsEntry("key", "1"));
		assertThat(this.informer.lastSyncResourceVersion()).isEqualTo(Long.toString(this.kubernetes.resourceVersion()));
		assertThat(this.failures).hasSize(2).allSatisfy((reported) -> {
			assertThat(reported.kind()).isEqualTo(Kind.TRANSFORM);
			assertThat(reported.message()).contains("'configmaps'").containsAnyOf("default/a", "default/new");
		});
		// listed as present, so nothing is deleted
		this.informer.stop(LONG);
		this.informer.start();
		patch("last", "2");
		awaitStory("ADDED default/a", "ADDED default/last", "UPDATED default/last");
		// a deletion is followed all the same
		delete("a");
		delete("new");
		awaitStory("ADDED default/a", "ADDED default/last", "UPDATED default/last", "DELETED default/a");
		assertThat(this.informer.lister().size()).isOne();
	}

	@Test
	void transform_afterStartOrSetTwice_isRejected() throws Exception {
		this.informer.setTransform((map) -> map);
		assertThatIllegalStateException().isThrownBy(() -> this.informer.setTransform((map) -> map))
			.withMessageContaining("'configmaps' has a transform already");
		startAndSync();
		assertThatIllegalStateException().isThrownBy(() -> this.informer.setTransform((map) -> map))
			.withMessageContaining("'configmaps' was started already");
	}

	@SuppressWarnings("NullAway") // a transform that breaks the rules
	private static V1ConfigMap fail(V1ConfigMap map, String failure) {
		if (!failure.equals(map.getData().get("key"))) {
			return map;
		}
		switch (failure) {
			case "throw" -> throw new IllegalArgumentException("for the test");
			case "error" -> throw new AssertionError("for the test");
			case "name" -> map.getMetadata().setName("other");
			case "uid" -> map.getMetadata().setUid("other");
			case "version" -> map.getMetadata().setResourceVersion(null);
			default -> {
				return null;
			}
		}
		return map;
	}

	private void create(String name, String value) {
		this.kubernetes.create(TestObjects.configMap("default", name).data(Map.of("key", value)));
	}

	private void patch(String name, String value) {
		this.kubernetes.mergePatch("configmaps", "default", name, Map.of("data", Map.of("key", value)));
	}

	private void delete(String name) {
		this.kubernetes.delete("configmaps", "default", name);
	}

	private void startAndSync() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
	}

	private void awaitStory(String... story) {
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactlyInAnyOrder(story));
		assertThat(this.log.problems()).isEmpty();
	}

}
