/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.InformerOptions;
import dev.informer.InvocationGate;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.WatchedSet;
import dev.informer.client.ObjectSelector;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.util.ClientBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for objects with the finalizer of a reconciler that its informer does not select
 * any more.
 */
@Timeout(60)
class UnselectedObjectsTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final String FINALIZER = "example.com/test";

	private static final RetryPolicy SOON = new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMillis(5), 1,
			Duration.ofMillis(5), Duration.ZERO);

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory factory = InformerFactory
		.create(new ClientBuilder().setBasePath(this.kubernetes.url()).build());

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, ObjectWriter.of(this.factory, "tests"),
			(call) -> {
				call.proceed();
				this.observed.add(call.cleanup());
			});

	private final List<Boolean> observed = new CopyOnWriteArrayList<>();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final AtomicBoolean open = new AtomicBoolean(true);

	private final AtomicInteger failures = new AtomicInteger();

	private Cleanup cleanup = (object) -> {
	};

	@BeforeEach
	void create() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(namespace("shop", "true"));
	}

	@AfterEach
	void close() {
		this.kubernetes.faults().clear();
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void objectThatLosesItsLabel_isCleanedUp_andCanBeDeleted() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		label("false");
		await().until(() -> finalizers().isEmpty());
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true", "cleanup false");
		assertThat(this.observed).containsExactly(false, true);
		assertThat(this.log.text()).containsOnlyOnce("Reconciler 'configmaps' found shop/a with its finalizer '"
				+ FINALIZER + "', which informer 'configmaps' does not select any more; cleaning it up");
		assertThat(this.log.text()).doesNotContain("its calls do not see it");
		this.kubernetes.delete("configmaps", "shop", "a");
		assertThat(this.kubernetes.get("configmaps", "shop", "a")).isEmpty();
		createReconciled();
		assertThat(this.calls).endsWith("cleanup false", "reconcile true");
	}

	@Test
	void objectThatIsDeletedAfterIt_isCleanedUpOnce() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		registration.pause("test");
		label("false");
		await().until(() -> registration.informer().lister().size() == 0);
		this.kubernetes.delete("configmaps", "shop", "a");
		assertThat(this.kubernetes.get("configmaps", "shop", "a")).isPresent();
		registration.resume();
		await().until(() -> this.kubernetes.get("configmaps", "shop", "a").isEmpty());
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true", "cleanup false");
	}

	@Test
	void cleanupThatDeletesTheObject_leavesNothingToWaitFor() throws Exception {
		this.cleanup = ObjectWriter.of(this.factory, "tests")::delete;
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		label("false");
		await().until(() -> this.kubernetes.get("configmaps", "shop", "a").isEmpty());
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true", "cleanup false");
	}

	@Test
	void objectThatLosesItsLabelWhileItIsDeleted_isCleanedUp() throws Exception {
		this.failures.set(Integer.MAX_VALUE);
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		this.kubernetes.delete("configmaps", "shop", "a");
		await().until(() -> registration.failing().size() == 1);
		label("false");
		await().until(() -> registration.informer().lister().size() == 0);
		this.failures.set(0);
		await().until(() -> this.kubernetes.get("configmaps", "shop", "a").isEmpty());
	}

	@Test
	void objectThatAnotherProcessHasReconciledMeanwhile_isCleanedUpAgain() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		label("false");
		await().until(() -> finalizers().isEmpty());
		awaitIdle(registration);
		registration.pause("test");
		this.kubernetes.mergePatch("configmaps", "shop", "a",
				Map.of("metadata", Map.of("finalizers", List.of(FINALIZER), "labels", Map.of("managed", "true"))));
		await().until(() -> registration.informer().lister().size() == 1);
		label("false");
		await().until(() -> registration.informer().lister().size() == 0);
		registration.resume();
		await().until(() -> finalizers().isEmpty());
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true", "cleanup false", "cleanup false");
	}

	@Test
	void byOption_onlyTheFinalizerIsRemoved() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"),
				(options) -> options.cleanupUnselected(false));
		createReconciled();
		label("false");
		await().until(() -> finalizers().isEmpty());
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true");
		assertThat(this.log.text()).contains("does not select any more; removing the finalizer");
	}

	@Test
	void objectThatIsDeleted_needsNoRequest() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		int lists = this.kubernetes.requests(Verb.LIST, "configmaps").size();
		this.kubernetes.delete("configmaps", "shop", "a");
		await().until(() -> registration.informer().lister().size() == 0);
		awaitIdle(registration);
		// the one after the removal of the finalizer
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).hasSizeLessThanOrEqualTo(lists + 1);
		assertThat(this.calls).containsExactly("reconcile true", "cleanup true");
		assertThat(this.log.text()).isEmpty();
	}

	@Test
	void objectThatComesBackBefore_isReconciled() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		registration.pause("test");
		label("false");
		await().until(() -> registration.informer().lister().size() == 0);
		label("true");
		await().until(() -> registration.informer().lister().size() == 1);
		registration.resume();
		await().until(() -> this.calls.size() >= 2);
		awaitIdle(registration);
		// once more if the event of the addition comes after the resume
		assertThat(this.calls).containsOnly("reconcile true");
		assertThat(finalizers()).contains(FINALIZER);
	}

	@Test
	void objectThatIsSelectedAgain_butNotCachedYet_isNotCleanedUp() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		registration.pause("test");
		label("false");
		await().until(() -> registration.informer().lister().size() == 0);
		this.kubernetes.faults().stallWatches();
		label("true");
		int lists = this.kubernetes.requests(Verb.LIST, "configmaps").size();
		registration.resume();
		await().until(() -> this.kubernetes.requests(Verb.LIST, "configmaps").size() >= lists + 2);
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true");
		registration.informer().relist("test");
		await().until(() -> this.calls.size() == 2);
		assertThat(this.calls).containsExactly("reconcile true", "reconcile true");
	}

	@Test
	void objectThatIsLostWithAnUnknownFinalState_isCleanedUp() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		this.kubernetes.faults().always(Verb.PATCH, "configmaps", Fault.status(500));
		this.kubernetes.create(configMap());
		await().until(() -> registration.failing().size() == 1);
		// the cache has not got the finalizer, nor that the object has left
		this.kubernetes.faults().stallWatches();
		this.kubernetes.mergePatch("configmaps", "shop", "a",
				Map.of("metadata", Map.of("finalizers", List.of(FINALIZER), "labels", Map.of("managed", "false"))));
		registration.informer().relist("test");
		await().until(() -> registration.informer().lister().size() == 0);
		this.kubernetes.faults().clear();
		await().until(() -> finalizers().isEmpty());
		assertThat(this.calls).containsExactly("cleanup false");
	}

	@Test
	void namespaceThatLeaves_isCleanedUp() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.namespaceSelector("managed=true"));
		createReconciled();
		this.kubernetes.mergePatch("namespaces", null, "shop",
				Map.of("metadata", Map.of("labels", Map.of("managed", "false"))));
		await().until(() -> finalizers().isEmpty());
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true", "cleanup true");
	}

	@Test
	void requestThatFails_isRepeated() throws Exception {
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		this.kubernetes.faults().always(Verb.LIST, "configmaps", Fault.status(403));
		label("false");
		await().until(() -> !registration.failing().isEmpty() && registration.failing().get(0).failures() > 2);
		assertThat(this.log.text()).contains("Reconciler 'configmaps' failed on shop/a (attempt 1); retrying in",
				"Permit to list configmaps");
		assertThat(finalizers()).contains(FINALIZER);
		this.kubernetes.faults().clear();
		await().until(() -> finalizers().isEmpty());
		await().until(() -> registration.failing().isEmpty());
	}

	@Test
	void cleanupThatFails_isRepeated_andReportedOnce() throws Exception {
		this.failures.set(3);
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"));
		createReconciled();
		label("false");
		await().until(() -> finalizers().isEmpty());
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true", "cleanup false", "cleanup false", "cleanup false",
				"cleanup false");
		assertThat(this.log.text()).containsOnlyOnce("does not select any more");
	}

	@Test
	void closedGate_leavesItToTheProcessWithTheOpenOne() throws Exception {
		Gate gate = new Gate();
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"),
				(options) -> options.gate(gate));
		createReconciled();
		this.open.set(false);
		gate.notifyFollower();
		label("false");
		await().until(() -> registration.informer().lister().size() == 0);
		await().until(() -> registration.counts().gated() == 1);
		assertThat(finalizers()).contains(FINALIZER);
		this.open.set(true);
		gate.notifyFollower();
		await().until(() -> finalizers().isEmpty());
	}

	@Test
	void deletedObjectsOfOthers_areNotKept_whileTheGateIsClosed() throws Exception {
		Gate gate = new Gate();
		ReconcilerRegistration registration = start((options) -> options.labelSelector("managed=true"),
				(options) -> options.gate(gate));
		createReconciled();
		this.open.set(false);
		gate.notifyFollower();
		this.kubernetes.delete("configmaps", "shop", "a");
		this.kubernetes.mergePatch("configmaps", "shop", "a", Map.of("metadata", Map.of("finalizers", List.of())));
		await().until(() -> registration.informer().lister().size() == 0);
		await().until(() -> registration.counts().gated() == 0);
	}

	@Test
	void objectThatMovesToAnotherProcess_isNotCleanedUp() throws Exception {
		Objects objects = new Objects();
		ReconcilerRegistration registration = start((options) -> options.watchedSet(objects));
		createReconciled();
		objects.excluded = true;
		objects.changed();
		await().until(() -> registration.informer().lister().size() == 0);
		awaitIdle(registration);
		assertThat(this.calls).containsExactly("reconcile true");
		assertThat(finalizers()).contains(FINALIZER);
		assertThat(this.log.text()).isEmpty();
	}

	private ReconcilerRegistration start(Consumer<InformerOptions.Builder> informer) throws InterruptedException {
		return start(informer, (options) -> {
		});
	}

	private ReconcilerRegistration start(Consumer<InformerOptions.Builder> informer,
			Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options) throws InterruptedException {
		SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class, informer::accept);
		ReconcilerRegistration registration = this.reconcilers.add(configMaps, (primary, context) -> {
			this.calls.add("reconcile " + primary.getMetadata().getLabels().get("managed"));
			return null;
		}, (builder) -> {
			builder.minInterval(Duration.ZERO).retry(SOON).cleanup(FINALIZER, (primary, context) -> {
				this.calls.add("cleanup " + primary.getMetadata().getLabels().get("managed"));
				if (this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					throw new IllegalStateException("cleanup");
				}
				this.cleanup.call(primary);
				return null;
			});
			options.accept(builder);
		});
		this.reconcilers.start();
		assertThat(this.factory.awaitSynced(LONG)).isTrue();
		return registration;
	}

	private void createReconciled() throws InterruptedException {
		int before = this.calls.size();
		this.kubernetes.create(configMap());
		await().until(() -> this.calls.size() > before);
		assertThat(this.reconcilers.awaitIdle(LONG)).isTrue();
		assertThat(finalizers()).contains(FINALIZER);
	}

	private V1ConfigMap configMap() {
		V1ConfigMap object = TestObjects.configMap("shop", "a");
		object.getMetadata().setLabels(Map.of("managed", "true"));
		return object;
	}

	private static V1Namespace namespace(String name, String managed) {
		V1Namespace namespace = TestObjects.namespace(name);
		namespace.getMetadata().setLabels(Map.of("managed", managed));
		return namespace;
	}

	private void label(String value) {
		this.kubernetes.mergePatch("configmaps", "shop", "a",
				Map.of("metadata", Map.of("labels", Map.of("managed", value))));
	}

	private String finalizers() {
		return this.kubernetes.get("configmaps", "shop", "a")
			.orElseThrow()
			.at("/metadata/finalizers")
			.toString()
			.replace("[]", "");
	}

	private void awaitIdle(ReconcilerRegistration registration) throws InterruptedException {
		assertThat(registration.awaitIdle(LONG)).isTrue();
	}

	/** What a cleanup does. */
	private interface Cleanup {

		void call(V1ConfigMap object) throws Exception;

	}

	/** Gate for all objects. */
	private final class Gate implements InvocationGate {

		private volatile @Nullable Follower follower;

		@Override
		public void follow(Follower follower) {
			this.follower = follower;
		}

		@Override
		public boolean isOpen() {
			return UnselectedObjectsTests.this.open.get();
		}

		void notifyFollower() {
			Follower current = this.follower;
			if (current != null) {
				current.changed();
			}
		}

	}

	/** All objects, or none. */
	private static final class Objects implements WatchedSet {

		private volatile boolean excluded;

		private volatile @Nullable Runnable follower;

		@Override
		public ObjectSelector selector() {
			boolean none = this.excluded;
			return (state) -> none;
		}

		@Override
		public void follow(Runnable changed) {
			this.follower = changed;
		}

		@Override
		public void unfollow(Runnable changed) {
			this.follower = null;
		}

		void changed() {
			Runnable current = this.follower;
			if (current != null) {
				current.run();
			}
		}

	}

}
