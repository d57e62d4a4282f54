/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InvocationGate;
import dev.informer.SharedIndexInformer;
import dev.informer.WatchedSet;
import dev.informer.client.ObjectSelector;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Reconcilers} with gates, and with gates and interceptors that throw.
 */
class ReconcilerGateTests extends AbstractReconcilersTests {

	private final ThrowingGate gate = new ThrowingGate();

	private volatile boolean interceptorFails;

	@Override
	void called() {
		if (this.interceptorFails) {
			throw new IllegalStateException("of the interceptor");
		}
	}

	@Test
	void gate_holdsObjects_untilItOpens() throws Exception {
		TestGate gate = new TestGate();
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.gate(gate));
		gate.closed.addAll(Set.of("a", "c"));
		startSynced();
		create(configMap("a", "1"));
		create(configMap("b", "1"));
		create(configMap("c", "1"));
		await().until(() -> this.calls.size() == 1 && registration.counts().gated() == 2);
		assertThat(this.reconcilers.awaitIdle(LONG)).isTrue();
		assertThat(reasons(registration, "a")).contains(Reason.GATE_CLOSED);
		this.kubernetes.delete("configmaps", "shop", "c");
		await().until(() -> registration.counts().gated() == 1);
		gate.closed.clear();
		gate.change();
		await().until(() -> this.calls.size() == 2);
		assertThat(this.calls).containsExactly("b", "a");
		assertThat(gate.begun).hasValue(0);
	}

	@Test
	void gateThatIsClosedForAll_gatesObjects_andIsNotWaitedFor() throws Exception {
		TestGate gate = new TestGate();
		gate.open = false;
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.gate(gate));
		create(configMap("a", "1"));
		this.reconcilers.start();
		await().until(() -> registration.counts().gated() == 1);
		assertThat(registration.counts().pending()).isZero();
		assertThat(registration.awaitIdle(LONG)).isTrue();
		// after the list, the informers do not follow the server before they watch it
		await().until(() -> reasons(registration, "a").equals(List.of(Reason.GATE_CLOSED)));
		gate.open = true;
		gate.change();
		await().until(() -> this.calls.size() == 1);
	}

	@Test
	void gateThatClosesWhileACallBegins_interruptsIt() throws Exception {
		AtomicBoolean interrupted = new AtomicBoolean();
		TestGate gate = new TestGate();
		gate.onBegin = () -> {
			gate.onBegin = () -> {
			};
			CompletableFuture.runAsync(gate::revoke).join();
		};
		add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			if (this.calls.size() == 1) {
				interrupted.set(Thread.interrupted());
				throw new InterruptedException();
			}
			return null;
		}, (options) -> options.gate(gate));
		create(configMap("a", "1"));
		startSynced();
		assertThat(interrupted).isTrue();
		assertThat(this.calls).containsExactly("a", "a");
		assertThat(gate.begun).hasValue(0);
	}

	@Test
	void callThatBeginsDuringTheClose_leavesTheGate() throws Exception {
		TestGate gate = new TestGate();
		CountDownLatch closed = new CountDownLatch(1);
		gate.onBegin = () -> {
			this.reconcilers.close();
			closed.countDown();
		};
		ReconcilerRegistration registration = add((primary, context) -> null,
				(options) -> options.gate(gate).timeout(LONG));
		create(configMap("a", "1"));
		this.reconcilers.start();
		assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
		await().until(() -> registration.calls().isEmpty());
		assertThat(gate.begun).hasValue(0);
	}

	@Test
	void fencingToken_isThatOfTheBeginOfTheCall() throws Exception {
		TestGate gate = new TestGate();
		add((primary, context) -> {
			gate.token = 8;
			this.calls.add(primary.getMetadata().getName() + context.fencingToken().orElseThrow());
			return null;
		}, (options) -> options.gate(gate));
		create(configMap("a", "1"));
		startSynced();
		change("a", "2");
		awaitAdvancing(() -> this.calls.size() == 2);
		assertThat(this.calls).containsExactly("a7", "a8");
	}

	@Test
	void gateOfTheInformer_isThatOfItsReconcilers() throws Exception {
		TestGate gate = new TestGate();
		SharedIndexInformer<V1ConfigMap> shard = this.factory.informer(V1ConfigMap.class,
				(options) -> options.name("shard").watchedSet(new GatedSet(gate)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.reconcilers.add(shard, (primary, context) -> null,
					(options) -> options.gate(new TestGate())))
			.withMessageContaining("Cannot add reconciler 'shard': the GatedSet of its informer has a gate");
		ReconcilerRegistration registration = this.reconcilers.add(shard, (primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.owns(shard));
		assertThat(registration.options().gate()).isSameAs(gate);
		gate.closed.add("a");
		create(configMap("a", "1"));
		create(configMap("b", "1"));
		startSynced();
		assertThat(this.calls).containsExactly("b");
		gate.closed.clear();
		gate.change();
		await().until(() -> this.calls.contains("a"));
	}

	@Test
	void gateThatThrows_isAskedAgain() throws Exception {
		TestGate gate = new TestGate();
		AtomicInteger failures = new AtomicInteger();
		gate.onBegin = () -> {
			if (failures.getAndIncrement() == 0) {
				gate.begun.decrementAndGet();
				throw new IllegalStateException("not yet");
			}
		};
		ReconcilerRegistration registration = add((primary, context) -> {
			this.calls.add(primary.getMetadata().getName());
			return null;
		}, (options) -> options.gate(gate).minInterval(Duration.ZERO).concurrency(1));
		startSynced();
		create(configMap("a", "1"));
		await().until(() -> registration.counts().retrying() == 1);
		this.time.advance(KeyQueue.GATE_RETRY);
		await().until(() -> this.calls.size() == 1);
		assertThat(failures).hasValue(2);
	}

	@Test
	void gateThatThrowsOnce_losesNoObject() throws Exception {
		this.gate.accessFailures.set(1);
		add(this::call);
		this.reconcilers.start();
		create("bad");
		await().until(() -> this.log.text().contains("could not ask its gate about shop/bad"));
		await().until(() -> {
			this.time.advance(Duration.ofSeconds(1));
			return this.calls.size() == 1;
		});
	}

	/**
	 * A gate is asked for the term of an object when its key is admitted, and when its
	 * call begins.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void gateThatThrowsOnceAboutATerm_losesNoObject(int question) throws Exception {
		this.gate.termsBeforeFailure.set(question);
		add(this::call);
		this.reconcilers.start();
		create("bad");
		await().until(() -> this.log.text().contains("of the gate"));
		await().until(() -> {
			this.time.advance(Duration.ofSeconds(1));
			return this.calls.contains("bad");
		});
		await().until(() -> this.gate.begun.get() == 0);
	}

	@Test
	void gateThatThrowsForOneObject_stopsNoOther() throws Exception {
		this.gate.accessFailures.set(Integer.MAX_VALUE);
		ReconcilerRegistration registration = add(this::call);
		this.reconcilers.start();
		create("bad");
		create("good");
		await().until(() -> this.calls.size() == 1);
		for (int i = 2; i < 6; i++) {
			this.time.advance(Duration.ofSeconds(1));
			assertThat(registration.request("shop", "good")).isTrue();
			int count = i;
			await().until(() -> this.calls.size() == count);
		}
		assertThat(this.calls).containsOnly("good");
		assertThat(registration.counts().gated()).isOne();
		this.gate.accessFailures.set(0);
		this.time.advance(Duration.ofSeconds(1));
		await().until(() -> this.calls.contains("bad"));
	}

	@Test
	void gateThatThrowsWhenACallEnds_stopsNoObject() throws Exception {
		ReconcilerRegistration registration = add((primary, context) -> {
			this.gate.openFailures.set(1);
			this.gate.endFailures.set(1);
			return call(primary, context);
		});
		this.reconcilers.start();
		for (String name : List.of("a", "b", "c")) {
			create(name);
			await().until(() -> this.calls.contains(name));
		}
		await().until(() -> registration.counts().active() == 0);
		assertThat(registration.counts().retrying()).isZero();
		assertThat(this.calls).containsExactly("a", "b", "c");
		assertThat(this.log.text()).contains("Reconciler 'configmaps' could not end its call for shop/a at its gate");
	}

	@Test
	void gateThatThrowsWhenACallEnds_forgetsNoWrite() throws Exception {
		this.watches.maxMillis(300);
		AtomicInteger created = new AtomicInteger();
		ReconcilerRegistration registration = add((primary, context) -> {
			this.gate.endFailures.set(1);
			if (context.owned(V1Secret.class).list().isEmpty()) {
				this.writer.create(child(), primary);
				created.incrementAndGet();
			}
			return call(primary, context);
		});
		this.reconcilers.start();
		create("a");
		await().until(() -> this.calls.size() == 1);
		assertThat(registration.request("shop", "a")).isTrue();
		await().until(() -> {
			this.time.advance(Duration.ofMillis(100));
			return this.calls.size() > 1;
		});
		assertThat(created).hasValue(1);
	}

	@Test
	void interceptorThatThrowsAfterTheCall_doesNotRepeatIt() throws Exception {
		this.interceptorFails = true;
		ReconcilerRegistration registration = add((primary, context) -> {
			call(primary, context);
			return Duration.ofHours(1);
		});
		this.reconcilers.start();
		create("a");
		await().until(() -> registration.counts().scheduled() == 1);
		assertThat(registration.counts().retrying()).isZero();
		this.time.advance(Duration.ofMinutes(59));
		assertThat(registration.diagnose("shop", "a").failures()).isZero();
		assertThat(this.calls).hasSize(1);
		assertThat(this.log.text()).contains(
				"An interceptor of reconciler 'configmaps' failed after the call for shop/a, which has succeeded");
	}

	@Test
	void gateThatThrowsAboutItsReason_isNamedByTheDiagnosis() {
		ReconcilerRegistration registration = add(this::call);
		this.gate.reasonFailures.set(2);
		assertThat(registration.diagnose("shop", "a").causes()).extracting(Cause::message)
			.contains("The gate has failed with java.lang.IllegalStateException");
		assertThat(registration.diagnose()).extracting(Cause::reason).contains(Reason.GATE_CLOSED);
	}

	private @Nullable Duration call(V1ConfigMap primary, ReconcileContext context) {
		this.calls.add(String.valueOf(primary.getMetadata().getName()));
		return null;
	}

	@Override
	ReconcilerRegistration add(Reconciler<V1ConfigMap> reconciler) {
		return add(reconciler, (options) -> options.gate(this.gate).owns(this.secrets).concurrency(1));
	}

	private void create(String name) {
		create(TestObjects.configMap("shop", name));
	}

	/**
	 * All objects, with a gate.
	 */
	private record GatedSet(InvocationGate gate) implements WatchedSet {

		@Override
		public ObjectSelector selector() {
			return (state) -> false;
		}

		@Override
		public void follow(Runnable changed) {
		}

		@Override
		public void unfollow(Runnable changed) {
		}

		@Override
		public String toString() {
			return "GatedSet";
		}

	}

	/**
	 * Gate that is open, but throws.
	 */
	private static final class ThrowingGate implements InvocationGate {

		/** For the object {@code bad}. */
		private final AtomicInteger accessFailures = new AtomicInteger();

		private final AtomicInteger openFailures = new AtomicInteger();

		private final AtomicInteger endFailures = new AtomicInteger();

		private final AtomicInteger reasonFailures = new AtomicInteger();

		private final AtomicInteger termsBeforeFailure = new AtomicInteger();

		/** Number of calls that have not ended. */
		private final AtomicInteger begun = new AtomicInteger();

		@Override
		public boolean isOpen() {
			fail(this.openFailures);
			return true;
		}

		@Override
		public Access access(Target target) {
			if (target.name().equals("bad")) {
				fail(this.accessFailures);
			}
			return Access.OPEN;
		}

		@Override
		public boolean begin(Target target) {
			this.begun.incrementAndGet();
			return true;
		}

		@Override
		public @Nullable String closedReason(@Nullable Target target) {
			fail(this.reasonFailures);
			return null;
		}

		@Override
		public long term(Target target) {
			if (this.termsBeforeFailure.getAndDecrement() == 1) {
				throw new IllegalStateException("of the gate");
			}
			return 0;
		}

		@Override
		public void end(Target target) {
			this.begun.decrementAndGet();
			fail(this.endFailures);
		}

		private static void fail(AtomicInteger failures) {
			if (failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
				throw new IllegalStateException("of the gate");
			}
		}

	}

}
