/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the finalizer of a reconciler, which others write as well.
 */
@Timeout(60)
class FinalizerTests {

	private static final String FINALIZER = "example.com/test";

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final FakeTime time = FakeTime.manual();

	private final InformerFactory factory = InformerFactory.create(
			() -> new ClientBuilder().setBasePath(this.kubernetes.url()).build(),
			(settings) -> settings.time(this.time));

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	/** Number of patches before which another writer changes the object. */
	private final AtomicInteger changes = new AtomicInteger();

	private final AtomicInteger written = new AtomicInteger();

	private final Reconcilers reconcilers = Reconcilers.of(this.factory,
			ObjectWriter.of(this.factory, "tests", (write) -> {
				if (write.operation() == Operation.PATCH
						&& this.changes.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					change();
				}
				write.proceed();
			}));

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private volatile boolean cleanupWrites;

	@BeforeEach
	void create() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() {
		this.kubernetes.faults().clear();
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void conflicts_doNotRepeatTheCleanup() throws Exception {
		ReconcilerRegistration registration = start();
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
		awaitCalls(registration, "reconcile");
		this.changes.set(5);
		this.kubernetes.delete("configmaps", "shop", "a");
		await().until(() -> this.kubernetes.get("configmaps", "shop", "a").isEmpty());
		assertThat(this.changes).hasValue(0);
		awaitCalls(registration, "reconcile", "cleanup");
	}

	@Test
	void cleanupThatWritesTheObject_isNotRepeated() throws Exception {
		this.cleanupWrites = true;
		ReconcilerRegistration registration = start();
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
		awaitCalls(registration, "reconcile");
		assertThat(this.kubernetes.requests(Verb.PATCH, "configmaps")).hasSize(1);
		this.kubernetes.delete("configmaps", "shop", "a");
		await().until(() -> this.kubernetes.get("configmaps", "shop", "a").isEmpty());
		awaitCalls(registration, "reconcile", "cleanup");
	}

	@Test
	void conflicts_doNotDelayTheAddition() throws Exception {
		this.changes.set(5);
		ReconcilerRegistration registration = start();
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
		await().until(() -> this.calls.contains("reconcile"));
		assertThat(this.changes).hasValue(0);
		assertThat(registration.failing()).isEmpty();
	}

	@Test
	void finalizersOfOthers_remain() throws Exception {
		ReconcilerRegistration registration = start();
		V1ConfigMap object = TestObjects.configMap("shop", "a");
		object.getMetadata().addFinalizersItem("example.com/other");
		this.kubernetes.create(object);
		awaitCalls(registration, "reconcile");
		assertThat(finalizers()).isEqualTo("[\"example.com/other\",\"" + FINALIZER + "\"]");
		this.changes.set(1);
		this.kubernetes.delete("configmaps", "shop", "a");
		await().until(() -> finalizers().equals("[\"example.com/other\"]"));
		awaitCalls(registration, "reconcile", "cleanup");
	}

	@Test
	void patchThatIsNotFound_isAFailedCall() throws Exception {
		ReconcilerRegistration registration = start();
		this.kubernetes.faults().always(Verb.PATCH, "configmaps", Fault.status(404));
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
		await().until(() -> registration.counts().retrying() == 1);
		assertThat(registration.failing()).hasSize(1);
		assertThat(this.kubernetes.requests(Verb.PATCH, "configmaps")).hasSize(1);
		assertThat(this.log.text()).contains("Reconciler 'configmaps' failed on shop/a (attempt 1); retrying in");
		this.kubernetes.faults().clear();
		await().until(() -> {
			this.time.advance(Duration.ofSeconds(1));
			return this.calls.contains("reconcile");
		});
	}

	@Test
	void objectThatIsGone_isNoFailure() throws Exception {
		ReconcilerRegistration registration = start();
		registration.pause("test");
		this.kubernetes.create(TestObjects.configMap("shop", "a"));
		await().until(() -> this.configMaps.lister().size() == 1);
		this.kubernetes.faults().stallWatches();
		this.kubernetes.delete("configmaps", "shop", "a");
		registration.resume();
		await().until(() -> !this.kubernetes.requests(Verb.PATCH, "configmaps").isEmpty()
				&& registration.counts().active() == 0);
		assertThat(registration.failing()).isEmpty();
		assertThat(registration.counts().pending() + registration.counts().limited()).isZero();
		assertThat(this.log.text()).doesNotContain("failed on shop/a");
	}

	private ReconcilerRegistration start() throws InterruptedException {
		ReconcilerRegistration registration = this.reconcilers.add(this.configMaps, (primary, context) -> {
			this.calls.add("reconcile");
			return null;
		}, (options) -> options.minInterval(Duration.ZERO).cleanup(FINALIZER, (primary, context) -> {
			this.calls.add("cleanup");
			if (this.cleanupWrites) {
				change();
			}
			return null;
		}));
		this.reconcilers.start();
		assertThat(this.factory.awaitSynced(Duration.ofSeconds(30))).isTrue();
		return registration;
	}

	/** Make a change by another writer. */
	private void change() {
		String value = String.valueOf(this.written.incrementAndGet());
		this.kubernetes.mergePatch("configmaps", "shop", "a", Map.of("data", Map.of("written", value)));
	}

	private String finalizers() {
		return this.kubernetes.get("configmaps", "shop", "a").orElseThrow().at("/metadata/finalizers").toString();
	}

	private void awaitCalls(ReconcilerRegistration registration, String... expected) throws InterruptedException {
		await().until(() -> {
			// holds are checked after some milliseconds
			this.time.advance(Duration.ofMillis(1));
			return this.calls.size() >= expected.length && registration.counts().active() == 0
					&& registration.counts().held() == 0;
		});
		assertThat(this.calls).containsExactly(expected);
	}

}
