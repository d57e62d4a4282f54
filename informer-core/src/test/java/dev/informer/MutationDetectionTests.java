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
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the detection of changed objects, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class MutationDetectionTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<InformerFailure> failures = new CopyOnWriteArrayList<>();

	private final List<Throwable> handlerFailures = new CopyOnWriteArrayList<>();

	private final InformerFactory informers = InformerFactory.create(
			() -> new ApiClient().setBasePath(this.kubernetes.url()), (settings) -> settings.addListener((event) -> {
				if (event instanceof InformerEvent.Failed failed) {
					MutationDetectionTests.this.failures.add(failed.failure());
				}
				else if (event instanceof InformerEvent.HandlerInvoked invoked) {
					if (invoked.failure() != null) {
						MutationDetectionTests.this.handlerFailures.add(invoked.failure());
					}
				}
			}));

	@AfterEach
	void close() {
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void fail_failsHandlerThatModifiesObject() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = informer(MutationDetection.FAIL);
		EventLog<V1ConfigMap> innocent = new EventLog<>();
		informer.addHandler((event) -> event.object().putDataItem("key", "changed"),
				(options) -> options.name("guilty"));
		create("a");
		startAndSync();
		await().untilAsserted(() -> assertThat(this.handlerFailures).isNotEmpty()
			.allSatisfy((failure) -> assertThat(failure).isInstanceOf(IllegalStateException.class)
				.hasMessageContaining("modified an object of the event")));
		assertThat(reported()).singleElement()
			.satisfies((message) -> assertThat(message).contains("'guilty'", "ADDED", "default/a"));
		informer.addHandler(innocent);
		await().untilAsserted(() -> assertThat(innocent.story()).containsExactly("ADDED default/a"));
		assertThat(reported()).hasSize(1);
	}

	@Test
	void log_reportsHandlerThatModifiesObject() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = informer(MutationDetection.LOG);
		create("a");
		HandlerRegistration guilty = informer.addHandler((event) -> {
			if (event.previous() != null) {
				event.previous().getMetadata().putLabelsItem("changed", "yes");
			}
		}, (options) -> options.name("guilty"));
		startAndSync();
		assertThat(guilty.awaitSynced(LONG)).isTrue();
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("data", Map.of("key", "2")));
		await().untilAsserted(() -> assertThat(reported()).singleElement()
			.satisfies((message) -> assertThat(message).contains("'guilty'", "UPDATED", "default/a")));
		assertThat(this.handlerFailures).isEmpty();
	}

	@Test
	void readerThatModifiesObject_isDetectedByPeriodicCheck() throws Exception {
		create("a");
		create("b");
		SharedIndexInformer<DynamicKubernetesObject> informer = this.informers.informer("configmaps.v1",
				(options) -> options.mutationDetection(MutationDetection.LOG));
		startAndSync();
		informer.lister().get("default", "b").orElseThrow().getRaw().addProperty("changed", true);
		await().untilAsserted(() -> assertThat(reported()).singleElement()
			.satisfies((message) -> assertThat(message).contains("was modified", "default/b")));
	}

	@Test
	void untouchedObjects_areNotReported() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = informer(MutationDetection.FAIL);
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log, (options) -> options.resyncPeriod(Duration.ofSeconds(1)));
		create("a");
		create("b");
		startAndSync();
		await().until(() -> log.story().containsAll(List.of("ADDED default/a", "ADDED default/b")));
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("data", Map.of("key", "2")));
		this.kubernetes.delete("configmaps", "default", "b");
		await().until(() -> log.story().contains("DELETED default/b")
				&& log.events().stream().filter(ResourceEvent::resync).count() > 1);
		assertThat(this.failures).isEmpty();
		assertThat(log.problems()).isEmpty();
	}

	@Test
	void off_isDefault() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.informers.informer(V1ConfigMap.class);
		assertThat(informer.options().mutationDetection()).isEqualTo(MutationDetection.OFF);
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler((event) -> {
			event.object().putDataItem("key", "changed");
			log.handle(event);
		});
		create("a");
		startAndSync();
		await().untilAsserted(() -> assertThat(log.story()).hasSize(1));
		assertThat(this.failures).isEmpty();
	}

	private SharedIndexInformer<V1ConfigMap> informer(MutationDetection mode) {
		return this.informers.informer(V1ConfigMap.class,
				(options) -> options.namespaces("default").mutationDetection(mode));
	}

	private List<String> reported() {
		return this.failures.stream()
			.filter((failure) -> failure.kind() == Kind.MUTATED_OBJECT)
			.map(InformerFailure::message)
			.toList();
	}

	private void create(String name) {
		this.kubernetes.create(TestObjects.configMap("default", name).data(Map.of("key", "1")));
	}

	private void startAndSync() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
	}

}
