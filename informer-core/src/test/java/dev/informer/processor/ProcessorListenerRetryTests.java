/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.HandlerFailure;
import dev.informer.HandlerRegistration;
import dev.informer.InformerFailure.Kind;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for retries of {@link ProcessorListener}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ProcessorListenerRetryTests {

	private static final RetryPolicy WITHOUT_JITTER = new RetryPolicy(4, Duration.ofSeconds(1), 2,
			Duration.ofSeconds(3), Duration.ZERO);

	private final FakeTime time = FakeTime.autoAdvancing();

	private final HandlerFixture fixture = new HandlerFixture(this.time);

	private final EventLog<V1Pod> log = new EventLog<>();

	private final V1Pod one = pod("a", 1);

	private final V1Pod two = pod("a", 2);

	private final V1Pod three = pod("a", 3);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void failedInvocation_isRetriedAfterDelay_withoutDelayingOtherObjects() {
		AtomicInteger calls = new AtomicInteger();
		List<HandlerFailure<?>> failures = new CopyOnWriteArrayList<>();
		this.fixture.add((event) -> {
			if (event.object() == this.one && calls.incrementAndGet() < 3) {
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.name("audit").retry(WITHOUT_JITTER).errorHandler(failures::add),
				List.of(new Added<>(this.one, true), new Added<>(pod("b", 1), true)));
		this.fixture.start();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("ADDED ns/b", "ADDED ns/a"));
		// the last attempt is published after the handler has returned
		await().untilAsserted(() -> assertThat(this.fixture.attempts()).containsExactly(1, 1, 2, 3));
		assertThat(this.time.waits()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
		assertThat(failures).isEqualTo(this.fixture.failures())
			.extracting(HandlerFailure::attempt, HandlerFailure::retryIn, HandlerFailure::retriesExhausted)
			.containsExactly(tuple(1, Duration.ofSeconds(1), false), tuple(2, Duration.ofSeconds(2), false));
		assertThat(this.fixture.failureKinds()).containsExactly(Kind.HANDLER, Kind.HANDLER);
	}

	@Test
	void retriesExhausted_isReported_andCountsAsDelivered() throws Exception {
		HandlerRegistration registration = this.fixture.add((event) -> {
			if (event.object() == this.one) {
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(WITHOUT_JITTER), List.of(new Added<>(this.one, true)));
		assertThat(registration.hasSynced()).isFalse();
		this.fixture.start();
		await().until(registration::hasSynced);
		assertThat(this.fixture.failures()).extracting(HandlerFailure::retriesExhausted)
			.containsExactly(false, false, false, false, true);
		assertThat(this.fixture.failureKinds()).containsExactly(Kind.HANDLER, Kind.HANDLER, Kind.HANDLER, Kind.HANDLER,
				Kind.HANDLER_RETRIES_EXHAUSTED);
		assertThat(this.time.waits()).contains(Duration.ofSeconds(3));
		this.fixture.distribute(new Updated<>(this.one, this.two));
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Updated<>(this.one, this.two)));
		assertThat(registration.pending()).isZero();
	}

	@Test
	void newerState_replacesTheFailedOne() throws Exception {
		CountDownLatch failed = new CountDownLatch(1);
		CountDownLatch newer = new CountDownLatch(1);
		this.fixture.add((event) -> {
			if (event.object() == this.one) {
				failed.countDown();
				newer.await();
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(WITHOUT_JITTER), List.of());
		this.fixture.start();
		this.fixture.distribute(new Added<>(this.one, false));
		failed.await();
		this.fixture.distribute(new Updated<>(this.one, this.two), new Updated<>(this.two, this.three));
		newer.countDown();
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Added<>(this.three, false)));
	}

	@Test
	void keepAll_newerEventsWaitForTheFailedOne() {
		Map<ResourceEvent<V1Pod>, Boolean> once = new ConcurrentHashMap<>();
		this.fixture.add((event) -> {
			if (once.putIfAbsent(event, true) == null) {
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(WITHOUT_JITTER).queue(QueuePolicy.KEEP_ALL), List.of());
		this.fixture.distribute(new Added<>(this.one, false), new Updated<>(this.one, this.two),
				new Added<>(pod("b", 1), false), new Updated<>(this.two, this.three));
		this.fixture.start();
		await().untilAsserted(() -> assertThat(this.log.story()).hasSize(4)
			.filteredOn((line) -> line.endsWith("a"))
			.containsExactly("ADDED ns/a", "UPDATED ns/a", "UPDATED ns/a"));
		assertThat(this.log.problems()).isEmpty();
	}

	@Test
	void errors_areReportedAndRetried() {
		AtomicInteger calls = new AtomicInteger();
		this.fixture.add((event) -> {
			if (calls.incrementAndGet() == 1) {
				throw new OutOfMemoryError("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(WITHOUT_JITTER).errorHandler((failure) -> {
			throw new StackOverflowError("for the test, too");
		}), List.of(new Added<>(this.one, true)));
		this.fixture.start();
		await().untilAsserted(() -> assertThat(this.log.events()).hasSize(1));
		assertThat(this.fixture.failures()).singleElement()
			.satisfies((failure) -> assertThat(failure.cause()).isInstanceOf(OutOfMemoryError.class));
	}

	@Test
	void noRetries_isOneAttempt() throws Exception {
		HandlerRegistration registration = this.fixture.add((event) -> {
			throw new IllegalStateException("for the test");
		}, (options) -> options.retry(RetryPolicy.NONE), List.of(new Added<>(this.one, true)));
		this.fixture.start();
		await().until(registration::hasSynced);
		assertThat(this.fixture.failures()).singleElement()
			.satisfies((failure) -> assertThat(failure.retriesExhausted()).isTrue());
	}

	@Test
	void stop_retriesAtOnce_andKeepsFailedEventForNextStart() throws Exception {
		HandlerFixture stopped = new HandlerFixture(FakeTime.manual());
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration registration = stopped.add((event) -> {
			if (calls.incrementAndGet() < 3) {
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(WITHOUT_JITTER), List.of(new Added<>(this.one, true)));
		stopped.start();
		await().until(() -> registration.pending() == 1 && calls.get() == 1);
		stopped.stop(LONG);
		assertThat(calls).hasValue(2);
		assertThat(registration.pending()).isEqualTo(1);
		assertThat(registration.hasSynced()).isFalse();
		stopped.start();
		stopped.stop(LONG);
		assertThat(this.log.events()).hasSize(1);
		assertThat(registration.hasSynced()).isTrue();
	}

	@Test
	void invocationInterruptedByStop_isRetriedAfterNextStart() throws Exception {
		CountDownLatch called = new CountDownLatch(1);
		this.fixture.add((event) -> {
			if (called.getCount() > 0) {
				called.countDown();
				new CountDownLatch(1).await();
			}
			this.log.handle(event);
		}, (options) -> options.retry(WITHOUT_JITTER), List.of(new Added<>(this.one, true)));
		this.fixture.start();
		called.await();
		this.fixture.stop(Duration.ZERO);
		assertThat(this.log.events()).isEmpty();
		this.fixture.start();
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Added<>(this.one, true)));
	}

	@Test
	void interruptedInvocations_useUpNoRetries() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		CountDownLatch never = new CountDownLatch(1);
		HandlerRegistration registration = this.fixture.add((event) -> {
			if (calls.incrementAndGet() <= 5) {
				never.await();
			}
			if (calls.get() == 6) {
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options
			.retry(new RetryPolicy(1, Duration.ofSeconds(1), 2, Duration.ofSeconds(3), Duration.ZERO)),
				List.of(new Added<>(this.one, true)));
		for (int stops = 1; stops <= 5; stops++) {
			int started = stops;
			this.fixture.start();
			await().until(() -> calls.get() == started && registration.invocations().size() == 1);
			this.fixture.stop(Duration.ZERO);
			assertThat(registration.pending()).isEqualTo(1);
		}
		this.fixture.start();
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Added<>(this.one, true)));
		assertThat(this.fixture.failures()).extracting(HandlerFailure::attempt, HandlerFailure::retryIn)
			.containsExactly(tuple(1, Duration.ofSeconds(1)));
		assertThat(this.fixture.failureKinds()).containsExactly(Kind.HANDLER);
	}

	@Test
	void unlimitedRetries_continueUntilTheHandlerReturns() {
		AtomicInteger calls = new AtomicInteger();
		this.fixture.add((event) -> {
			if (calls.incrementAndGet() < 100) {
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(
				new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofSeconds(1), 2, Duration.ofSeconds(3), Duration.ZERO)),
				List.of(new Added<>(this.one, true)));
		this.fixture.start();
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Added<>(this.one, true)));
		assertThat(this.fixture.failureKinds()).hasSize(99).containsOnly(Kind.HANDLER);
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void requestForALaterInvocation_isNoFailure(QueuePolicy policy) {
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration registration = this.fixture.add((event) -> {
			switch (calls.incrementAndGet()) {
				case 1, 2 -> throw new RetryLaterException("conflict");
				case 3, 4, 5, 6 -> throw new RetryLaterException("conflict", Duration.ofSeconds(7));
				case 7 -> throw new IllegalStateException("for the test");
				default -> this.log.handle(event);
			}
		}, (options) -> options.queue(policy)
			.retry(new RetryPolicy(1, Duration.ofSeconds(1), 2, Duration.ofSeconds(3), Duration.ZERO)),
				List.of(new Added<>(this.one, true)));
		this.fixture.start();
		await().until(registration::hasSynced);
		assertThat(this.log.events()).containsExactly(new Added<>(this.one, true));
		assertThat(this.fixture.attempts()).containsExactly(1, 1, 1, 1, 1, 1, 1, 2);
		assertThat(this.fixture.failures()).extracting(HandlerFailure::attempt).containsExactly(1);
		assertThat(this.fixture.failureKinds()).containsExactly(Kind.HANDLER);
		assertThat(this.time.waits()).startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(7),
				Duration.ofSeconds(7), Duration.ofSeconds(7), Duration.ofSeconds(7));
	}

	@Test
	void requestForALaterInvocation_isHonouredWithoutRetries() {
		AtomicInteger calls = new AtomicInteger();
		this.fixture.add((event) -> {
			if (calls.incrementAndGet() < 9) {
				throw new RetryLaterException("conflict");
			}
			this.log.handle(event);
		}, (options) -> options.retry(RetryPolicy.NONE), List.of(new Added<>(this.one, true)));
		this.fixture.start();
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Added<>(this.one, true)));
		assertThat(this.fixture.failures()).isEmpty();
		assertThat(new RetryLaterException("conflict").getStackTrace()).isEmpty();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RetryLaterException("conflict", Duration.ofMillis(-1)))
			.withMessageContaining("negative");
	}

	@Test
	void delay_growsUpToMaximumPlusJitter() {
		RetryPolicy policy = new RetryPolicy(8, Duration.ofSeconds(1), 2, Duration.ofSeconds(5),
				Duration.ofMillis(500));
		assertThat(List.of(policy.delay(1, 0), policy.delay(2, 0), policy.delay(3, 0), policy.delay(400, 0)))
			.containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4),
					Duration.ofSeconds(5));
		assertThat(policy.delay(2, 0.5)).isEqualTo(Duration.ofMillis(2500));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RetryPolicy(-2, Duration.ofSeconds(1), 2, Duration.ofSeconds(5), Duration.ZERO))
			.withMessageContaining("max-retries");
	}

}
