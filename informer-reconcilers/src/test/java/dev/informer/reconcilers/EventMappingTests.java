/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for functions that map objects to primary objects, and throw.
 */
@Timeout(60)
class EventMappingTests {

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final FakeTime time = FakeTime.manual();

	private final InformerFactory factory = InformerFactory.create(
			() -> new ClientBuilder().setBasePath(this.kubernetes.url()).build(),
			(settings) -> settings.time(this.time));

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class);

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, ObjectWriter.of(this.factory, "tests"));

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicInteger invocations = new AtomicInteger();

	@BeforeEach
	void create() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(TestObjects.namespace("shop"));
		for (String name : List.of("a", "b", "c")) {
			this.kubernetes.create(TestObjects.configMap("shop", name));
		}
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void mapperThatThrows_isCalledAgainWithoutALimit() throws Exception {
		start((options) -> options.watches(this.secrets, mapper((secret) -> List.of("shop/" + label(secret)))));
		this.failures.set(10);
		createSecret("a");
		await().until(() -> this.invocations.get() == 1);
		assertThat(this.calls).isEmpty();
		await().until(() -> {
			this.time.advance(Duration.ofSeconds(30));
			return this.calls.size() == 1;
		});
		assertThat(this.calls).containsExactly("a");
		assertThat(this.log.text())
			.containsOnlyOnce("Reconciler 'configmaps' could not map shop/s by its watches of V1Secret by mapper "
					+ "tenantsOf; trying again in 500 ms")
			.doesNotContain("Handler 'reconciler-configmaps'");
	}

	@Test
	void statesThatWereNotMapped_areMappedWithTheNextChange() throws Exception {
		start((options) -> options.watches(this.secrets, mapper((secret) -> List.of("shop/" + label(secret)))));
		createSecret("a");
		await().until(() -> this.calls.size() == 1);
		this.failures.set(2);
		changeSecret("b");
		await().until(() -> this.failures.get() == 0);
		changeSecret("c");
		await().until(() -> this.calls.size() == 4);
		assertThat(this.calls).startsWith("a").containsExactlyInAnyOrder("a", "a", "b", "c");
	}

	@Test
	void referenceThatThrows_keepsNoOtherFromBeingMapped() throws Exception {
		this.failures.set(Integer.MAX_VALUE);
		start((options) -> options.watches(this.secrets, mapper((secret) -> List.of("shop/a")))
			.watches(this.secrets, (secret) -> List.of("shop/" + label(secret))));
		createSecret("b");
		await().until(() -> this.calls.contains("b"));
		assertThat(this.calls).containsExactly("b");
	}

	@Test
	void indexFunctionThatThrows_losesNoChange() throws Exception {
		this.configMaps.addMultiValueIndex("secret", (primary) -> {
			this.invocations.incrementAndGet();
			if (primary.getMetadata().getName().equals("a")
					&& this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
				throw new IllegalStateException("for the test");
			}
			return List.of("s");
		});
		this.failures.set(3);
		start((options) -> options.watches(this.secrets, "secret"));
		assertThat(this.log.text()).contains(
				"Reconciler 'configmaps' could not map shop/a by its watches of V1Secret by index 'secret'; trying again");
		createSecret("a");
		await().until(() -> {
			this.time.advance(Duration.ofSeconds(30));
			return this.calls.containsAll(List.of("a", "b", "c"));
		});
		await().until(() -> this.failures.get() == 0);
		this.calls.clear();
		changeSecret("b");
		await().until(() -> this.calls.containsAll(List.of("a", "b", "c")));
	}

	@Test
	void indexFunctionThatThrowsForTheCacheOnly_losesNoChange() throws Exception {
		this.configMaps.addMultiValueIndex("secret", (primary) -> {
			if (Thread.currentThread().getName().endsWith("store")) {
				throw new IllegalStateException("for the test");
			}
			return List.of("s");
		});
		start((options) -> options.watches(this.secrets, "secret"));
		createSecret("a");
		await().until(() -> this.calls.containsAll(List.of("a", "b", "c")));
	}

	@Test
	void impossibleKeys_areIgnoredWithOneLine() throws Exception {
		start((options) -> options.watches(this.secrets, (secret) -> List.of("", "a", "shop/", "x/y/z", "shop/a")));
		createSecret("a");
		await().until(() -> this.calls.size() == 1);
		assertThat(this.calls).containsExactly("a");
		assertThat(this.log.text())
			.containsOnlyOnce("which cannot be the key of a primary object, from its watches of V1Secret");
	}

	@Test
	void impossibleNames_areReportedWithOneLine() throws Exception {
		this.configMaps.addMultiValueIndex("secret", (primary) -> List.of("", "s"));
		start((options) -> options.watches(this.secrets, "secret"));
		assertThat(this.log.text()).containsOnlyOnce(
				"Reconciler 'configmaps' ignores '', which cannot be the name of an object, from its watches of V1Secret by index 'secret'");
		createSecret("a");
		await().until(() -> this.calls.size() == 3);
	}

	private void start(Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options) throws InterruptedException {
		ReconcilerRegistration registration = this.reconcilers.add(this.configMaps, (primary, context) -> {
			this.calls.add(String.valueOf(primary.getMetadata().getName()));
			return null;
		}, (builder) -> options.accept(builder.minInterval(Duration.ZERO)));
		this.reconcilers.start();
		assertThat(this.factory.awaitSynced(Duration.ofSeconds(30))).isTrue();
		await().until(() -> this.calls.containsAll(List.of("a", "b", "c")) && registration.counts().active() == 0
				&& registration.counts().pending() == 0);
		this.calls.clear();
	}

	private Function<V1Secret, Collection<String>> mapper(Function<V1Secret, Collection<String>> function) {
		return new Function<>() {

			@Override
			public Collection<String> apply(V1Secret secret) {
				EventMappingTests.this.invocations.incrementAndGet();
				if (EventMappingTests.this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					throw new IllegalStateException("for the test");
				}
				return function.apply(secret);
			}

			@Override
			public String toString() {
				return "tenantsOf";
			}

		};
	}

	private static String label(V1Secret secret) {
		return String.valueOf(secret.getMetadata().getLabels().get("of"));
	}

	private void createSecret(String of) {
		V1Secret secret = new V1Secret().apiVersion("v1").kind("Secret");
		this.kubernetes
			.create(secret.metadata(TestObjects.configMap("shop", "s").getMetadata().labels(Map.of("of", of))));
	}

	private void changeSecret(String of) {
		this.kubernetes.mergePatch("secrets", "shop", "s", Map.of("metadata", Map.of("labels", Map.of("of", of))));
	}

}
