/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWrite.Operation;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the finalizer of a reconciler, which others write as well.
 */
class FinalizerTests extends AbstractReconcilersTests {

	private static final String FINALIZER = "example.com/test";

	/** Number of patches before which another writer changes the object. */
	private final AtomicInteger changes = new AtomicInteger();

	private final AtomicInteger written = new AtomicInteger();

	private volatile boolean cleanupWrites;

	@Override
	void writes(ObjectWrite write) {
		if (write.operation() == Operation.PATCH && this.changes.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			change();
		}
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

	@Test
	void cleanup_isCalledBeforeTheObjectIsGone() throws Exception {
		AtomicInteger cleanups = new AtomicInteger();
		add((primary, context) -> {
			this.calls.add("reconcile " + primary.getMetadata().getFinalizers());
			return null;
		}, (options) -> options.cleanup("example.com/test", (primary, context) -> {
			this.calls.add("cleanup");
			return (cleanups.incrementAndGet() < 3) ? Duration.ofMillis(1) : null;
		}));
		this.reconcilers.start();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.calls.size() == 1);
		awaitIdle();
		this.kubernetes.delete("configmaps", "shop", "a");
		awaitAdvancing(() -> this.kubernetes.get("configmaps", "shop", "a").isEmpty());
		awaitIdle();
		assertThat(this.calls).containsExactly("reconcile [example.com/test]", "cleanup", "cleanup", "cleanup");
	}

	@Test
	void cleanup_isNotRepeated_whenItsObjectIsGone() throws Exception {
		this.watches.maxMillis(300);
		AtomicInteger cleanups = new AtomicInteger();
		add((primary, context) -> null,
				(options) -> options.minInterval(Duration.ZERO).cleanup("example.com/test", (primary, context) -> {
					cleanups.incrementAndGet();
					// a reason for another call, which begins when the cache has lost the
					// object
					assertThat(this.reconcilers.find("configmaps").orElseThrow().request("shop", "a")).isTrue();
					return null;
				}));
		startSynced();
		create(configMap("a", "1"));
		awaitAdvancing(() -> this.kubernetes.get("configmaps", "shop", "a")
			.filter((object) -> object.at("/metadata/finalizers").size() == 1)
			.isPresent());
		this.kubernetes.delete("configmaps", "shop", "a");
		awaitAdvancing(() -> this.configMaps.lister().size() == 0);
		awaitIdle();
		assertThat(cleanups).hasValue(1);
	}

	@Test
	void objectThatIsBeingDeleted_getsNoFinalizerAndNoCall() throws Exception {
		V1ConfigMap foreign = configMap("a", "1");
		foreign.getMetadata().addFinalizersItem("example.com/other");
		create(foreign);
		this.kubernetes.delete("configmaps", "shop", "a");
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add("reconcile");
			return null;
		}, (options) -> options.cleanup("example.com/test", (primary, context) -> {
			this.calls.add("cleanup");
			return null;
		}));
		this.reconcilers.start();
		awaitIdle();
		change("a", "2");
		await().until(() -> "2".equals(this.configMaps.lister().get("shop", "a").orElseThrow().getData().get("key")));
		awaitIdle();
		assertThat(this.calls).isEmpty();
		assertThat(this.kubernetes.get("configmaps", "shop", "a").orElseThrow().at("/metadata/finalizers"))
			.hasToString("[\"example.com/other\"]");
		assertThat(reasons(registration, "a")).contains(Reason.BEING_DELETED);
	}

	private ReconcilerRegistration start() throws InterruptedException {
		ReconcilerRegistration registration = add((primary, context) -> {
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
		assertThat(this.configMaps.awaitSynced(LONG)).isTrue();
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
