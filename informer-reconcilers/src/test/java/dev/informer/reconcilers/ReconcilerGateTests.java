/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.writer.LateWatches;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Reconcilers} with gates and interceptors that throw.
 */
@Timeout(60)
class ReconcilerGateTests {

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final FakeTime time = FakeTime.manual();

	private final LateWatches watches = new LateWatches(0);

	private final InformerFactory factory = InformerFactory.create(
			() -> this.watches.applyTo(new ClientBuilder().setBasePath(this.kubernetes.url()).build()),
			(settings) -> settings.time(this.time));

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests");

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class);

	private volatile boolean interceptorFails;

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer, (call) -> {
		call.proceed();
		if (this.interceptorFails) {
			throw new IllegalStateException("of the interceptor");
		}
	});

	private final ThrowingGate gate = new ThrowingGate();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	@BeforeEach
	void createNamespace() {
		this.log.setLevel(Level.WARN);
		this.kubernetes.create(TestObjects.namespace("shop"));
	}

	@AfterEach
	void close() {
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
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
				V1Secret child = new V1Secret().metadata(new V1ObjectMeta().namespace("shop").generateName("child-"));
				this.writer.create(child, primary);
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

	private ReconcilerRegistration add(Reconciler<V1ConfigMap> reconciler) {
		Consumer<ReconcilerOptions.Builder<V1ConfigMap>> options = (
				builder) -> builder.gate(this.gate).owns(this.secrets).concurrency(1);
		return this.reconcilers.add(this.configMaps, reconciler, options);
	}

	private void create(String name) {
		this.kubernetes.create(TestObjects.configMap("shop", name));
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
