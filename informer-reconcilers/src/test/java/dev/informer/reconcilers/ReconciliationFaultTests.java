/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.CapturedLog;
import dev.informer.testing.FakeTime;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.ClientBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that throw at each step around a call: the cluster still becomes what the
 * reconciler wants, and nothing is left behind.
 */
@Timeout(120)
class ReconciliationFaultTests {

	private static final String FINALIZER = "example.com/test";

	/** Failures in a row, in each phase of a test. */
	private static final int FAILURES = 3;

	@RegisterExtension
	private final CapturedLog log = new CapturedLog();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final FakeTime time = FakeTime.manual();

	private final InformerFactory factory = InformerFactory.create(
			() -> new ClientBuilder().setBasePath(this.kubernetes.url()).build(),
			(settings) -> settings.time(this.time).threadFactory((task) -> {
				fail(Step.THREAD);
				Thread thread = new Thread(task);
				thread.setDaemon(true);
				return thread;
			}));

	private final SharedIndexInformer<V1ConfigMap> configMaps = this.factory.informer(V1ConfigMap.class);

	private final SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class);

	private final ObjectWriter writer = ObjectWriter.of(this.factory, "tests", (write) -> {
		fail(Step.WRITE);
		write.proceed();
		fail(Step.WRITE_HAS_SUCCEEDED);
	});

	private final Reconcilers reconcilers = Reconcilers.of(this.factory, this.writer, (call) -> {
		fail(Step.INTERCEPTOR);
		call.proceed();
		fail(Step.INTERCEPTOR_AFTER_THE_CALL);
	});

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicInteger thrown = new AtomicInteger();

	private volatile @Nullable Step failing;

	private volatile Supplier<Throwable> failure = AssertionError::new;

	private volatile int cleanups;

	@BeforeEach
	void create() throws InterruptedException {
		this.log.setLevel(Level.OFF);
		this.kubernetes.create(TestObjects.namespace("shop"));
		this.configMaps.addMultiValueIndex("secret", (primary) -> {
			fail(Step.INDEX);
			return List.of("referred");
		});
		this.configMaps.start();
		this.secrets.start();
		assertThat(this.factory.awaitSynced(Duration.ofSeconds(30))).isTrue();
	}

	@AfterEach
	void close() {
		this.failures.set(0);
		this.reconcilers.close();
		this.factory.close();
		this.kubernetes.close();
	}

	static Stream<Arguments> faults() {
		Map<String, Supplier<Throwable>> kinds = Map.of("exception", () -> new IllegalStateException("for the test"),
				"checked", () -> new IOException("for the test"), "error", StackOverflowError::new, "hostile",
				HostileException::new);
		return Stream.of(Step.values())
			.flatMap((step) -> kinds.entrySet()
				.stream()
				.map((kind) -> Arguments.argumentSet(step + ", " + kind.getKey(), step, kind.getValue())));
	}

	@ParameterizedTest(name = "{argumentSetName}")
	@MethodSource("faults")
	void faultAtAStep_losesNothing(Step step, Supplier<Throwable> failure) {
		ReconcilerRegistration registration = this.reconcilers.add(this.configMaps, this::reconcile,
				(options) -> options.minInterval(Duration.ofMillis(100))
					.gate(new FaultyGate())
					.owns(this.secrets)
					.watches(this.secrets, "secret")
					.watches(this.secrets, mapper())
					.cleanup(FINALIZER, this::cleanup));
		this.failing = step;
		this.failure = failure;
		this.failures.set(FAILURES);
		this.reconcilers.start();
		write("a", "1");
		write("b", "1");
		awaitChild("a", "1");
		awaitChild("b", "1");
		this.failures.set(FAILURES);
		write("a", "2");
		awaitChild("a", "2");
		this.failures.set(FAILURES);
		this.kubernetes.delete("secrets", "shop", "child-b");
		awaitChild("b", "1");
		this.failures.set(FAILURES);
		this.kubernetes.delete("configmaps", "shop", "a");
		awaitAdvancing(() -> this.kubernetes.get("configmaps", "shop", "a").isEmpty());
		assertThat(this.cleanups).isPositive();
		this.failures.set(0);
		write("b", "2");
		awaitChild("b", "2");
		// a handler may still map an event, which is followed by one more call
		awaitAdvancing(() -> registration.counts().equals(new ReconcilerRegistration.Counts(0, 0, 0, 0, 0, 0, 0, 0))
				&& registration.calls().isEmpty());
		assertThat(this.thrown).hasPositiveValue();
	}

	private @Nullable Duration reconcile(V1ConfigMap primary, ReconcileContext context) throws Exception {
		fail(Step.RECONCILER);
		String name = String.valueOf(primary.getMetadata().getName());
		this.writer.apply(new V1Secret().metadata(new V1ObjectMeta().namespace("shop")
			.name("child-" + name)
			.putAnnotationsItem("value", primary.getData().get("value"))), primary);
		return null;
	}

	private @Nullable Duration cleanup(V1ConfigMap primary, ReconcileContext context) {
		fail(Step.CLEANUP);
		this.cleanups++;
		return null;
	}

	private Function<V1Secret, Collection<String>> mapper() {
		return (secret) -> {
			fail(Step.MAPPER);
			return List.of();
		};
	}

	private void write(String name, String value) {
		if (this.kubernetes.get("configmaps", "shop", name).isEmpty()) {
			this.kubernetes.create(TestObjects.configMap("shop", name).data(Map.of("value", value)));
		}
		else {
			this.kubernetes.mergePatch("configmaps", "shop", name, Map.of("data", Map.of("value", value)));
		}
	}

	private void awaitChild(String primary, String value) {
		awaitAdvancing(() -> this.kubernetes.get("secrets", "shop", "child-" + primary)
			.filter((child) -> child.at("/metadata/annotations/value").asString().equals(value))
			.isPresent());
	}

	private void awaitAdvancing(BooleanSupplier condition) {
		await().pollInterval(Duration.ofMillis(2)).until(() -> {
			this.time.advance(Duration.ofMillis(100));
			return condition.getAsBoolean();
		});
	}

	private void fail(Step step) {
		if (step == this.failing && this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			this.thrown.incrementAndGet();
			ReconciliationFaultTests.<RuntimeException>sneakyThrow(this.failure.get());
		}
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> void sneakyThrow(Throwable failure) throws E {
		throw (E) failure;
	}

	private enum Step {

		RECONCILER, CLEANUP, INTERCEPTOR, INTERCEPTOR_AFTER_THE_CALL, WRITE, WRITE_HAS_SUCCEEDED, MAPPER, INDEX, THREAD,
		GATE_IS_OPEN, GATE_ACCESS, GATE_TERM, GATE_BEGIN, GATE_TOKEN, GATE_END

	}

	/**
	 * Exception that throws when it is printed.
	 */
	private static final class HostileException extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("getMessage");
		}

		@Override
		public String toString() {
			throw new IllegalStateException("toString");
		}

	}

	/**
	 * Gate that is open, but throws.
	 */
	private final class FaultyGate implements InvocationGate {

		@Override
		public boolean isOpen() {
			fail(Step.GATE_IS_OPEN);
			return true;
		}

		@Override
		public Access access(Target target) {
			fail(Step.GATE_ACCESS);
			return Access.OPEN;
		}

		@Override
		public long term(Target target) {
			fail(Step.GATE_TERM);
			return 1;
		}

		@Override
		public boolean begin(Target target) {
			fail(Step.GATE_BEGIN);
			return true;
		}

		@Override
		public OptionalInt fencingToken() {
			fail(Step.GATE_TOKEN);
			return OptionalInt.of(1);
		}

		@Override
		public void end(Target target) {
			fail(Step.GATE_END);
		}

	}

}
