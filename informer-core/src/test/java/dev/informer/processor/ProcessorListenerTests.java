/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for pausing, resuming and removing a {@link ProcessorListener}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ProcessorListenerTests {

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final EventLog<V1Pod> log = new EventLog<>();

	private final V1Pod one = pod("a", 1);

	private final V1Pod two = pod("a", 2);

	private final V1Pod three = pod("a", 3);

	private final Semaphore entered = new Semaphore(0);

	private final Semaphore mayLeave = new Semaphore(0);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void paused_isNotInvoked_andReceivesNewestStateOnResume() {
		HandlerRegistration registration = this.fixture.add(this.log, (options) -> {
		}, List.of());
		registration.pause();
		this.fixture.start();
		V1Pod last = this.one;
		this.fixture.distribute(new Added<>(last, false));
		for (int version = 2; version <= 1_000; version++) {
			V1Pod next = pod("a", version);
			this.fixture.distribute(new Updated<>(last, next));
			last = next;
		}
		assertThat(registration.pending()).isEqualTo(1);
		assertThat(registration.isPaused()).isTrue();
		assertThat(this.log.events()).isEmpty();
		registration.resume();
		V1Pod newest = last;
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Added<>(newest, false)));
		assertThat(registration.isPaused()).isFalse();
	}

	@Test
	void addedPaused_isNotInvokedUntilResumed() throws Exception {
		this.fixture.start();
		HandlerRegistration registration = this.fixture.add(this.log, (options) -> options.paused(true),
				List.of(new Added<>(this.one, true)));
		assertThat(registration.isPaused()).isTrue();
		this.fixture.stop(LONG);
		assertThat(this.log.events()).isEmpty();
		this.fixture.start();
		registration.resume();
		assertThat(registration.awaitIdle(LONG)).isTrue();
		assertThat(this.log.events()).containsExactly(new Added<>(this.one, true));
	}

	@Test
	void awaitIdle_returnsWhenDeletionCancelsTheLastPendingEvent() throws Exception {
		HandlerRegistration registration = this.fixture.add(this.log, (options) -> options.paused(true),
				List.of(new Added<>(this.one, true)));
		this.fixture.start();
		AtomicReference<@Nullable Boolean> idle = new AtomicReference<>();
		Thread waiting = new Thread(() -> {
			try {
				idle.set(registration.awaitIdle(LONG));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		waiting.start();
		await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
		this.fixture.distribute(new Deleted<>(this.one, this.one, false));
		waiting.join(LONG.toMillis());
		assertThat(idle.get()).isEqualTo(true);
		assertThat(this.log.events()).isEmpty();
	}

	@Test
	void pendingReadBeforeTheWake_leavesTheEventsReady() throws Exception {
		HandlerRegistration registration = this.fixture.add(this.log, (options) -> {
		}, List.of());
		this.fixture.start();
		assertThat(registration.awaitSynced(LONG)).isTrue();
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals("informer-pods-handler-" + registration.name())
					&& thread.getState() == Thread.State.TIMED_WAITING));
		this.fixture.processor()
			.distribute(HandlerFixture.keyed(List.of(new Added<>(this.one, false))), 0, Map::of, true);
		assertThat(registration.pending()).isEqualTo(1);
		this.fixture.processor().wakeHandlers();
		assertThat(registration.awaitIdle(LONG)).isTrue();
		assertThat(this.log.events()).containsExactly(new Added<>(this.one, false));
	}

	@Test
	void pausedForSeveralReasons_isInvokedWhenTheLastOneIsGone() throws Exception {
		HandlerRegistration registration = this.fixture.add(this.log, (options) -> {
		}, List.of(new Added<>(this.one, true)));
		this.fixture.processor().setPaused(PauseReason.NOT_SYNCED, true);
		this.fixture.start();
		registration.pause();
		this.fixture.processor().setPaused(PauseReason.NOT_SYNCED, false);
		this.fixture.processor().wakeHandlers();
		this.fixture.processor().setPaused(PauseReason.SUSPENDED, true);
		registration.resume();
		assertThat(registration.isPaused()).isFalse();
		this.fixture.stop(LONG);
		assertThat(this.log.events()).isEmpty();
		this.fixture.start();
		this.fixture.processor().setPaused(PauseReason.SUSPENDED, false);
		this.fixture.processor().wakeHandlers();
		assertThat(registration.awaitIdle(LONG)).isTrue();
		assertThat(this.log.events()).containsExactly(new Added<>(this.one, true));
	}

	@Test
	void pause_letsRunningInvocationEnd_andDeliversNothingAfterIt() throws Exception {
		HandlerRegistration registration = addSlow(QueuePolicy.KEEP_ALL);
		this.fixture.start();
		this.fixture.distribute(new Added<>(this.one, false), new Updated<>(this.one, this.two));
		this.entered.acquire();
		registration.pause();
		this.mayLeave.release(2);
		await().untilAsserted(() -> assertThat(this.log.events()).hasSize(1));
		assertThat(registration.pending()).isEqualTo(1);
		this.fixture.stop(LONG);
		assertThat(this.log.events()).hasSize(1);
		this.fixture.start();
		assertThat(registration.isPaused()).isTrue();
		registration.resume();
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Added<>(this.one, false),
				new Updated<>(this.one, this.two)));
	}

	@Test
	void pause_delaysRetries() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		AtomicReference<@Nullable HandlerRegistration> self = new AtomicReference<>();
		self.set(this.fixture.add((event) -> {
			if (calls.incrementAndGet() == 1) {
				HandlerRegistration registration = self.get();
				assertThat(registration).isNotNull();
				registration.pause();
				throw new IllegalStateException("for the test");
			}
			this.log.handle(event);
		}, (options) -> options.retry(new RetryPolicy(2, Duration.ZERO, 1, Duration.ZERO, Duration.ZERO)), List.of()));
		HandlerRegistration registration = self.get();
		assertThat(registration).isNotNull();
		this.fixture.start();
		this.fixture.distribute(new Added<>(this.one, false));
		await().until(() -> registration.pending() == 1 && calls.get() == 1);
		this.fixture.distribute(new Updated<>(this.one, this.two));
		this.fixture.stop(LONG);
		assertThat(calls).hasValue(1);
		this.fixture.start();
		registration.resume();
		await().untilAsserted(() -> assertThat(this.log.events()).containsExactly(new Added<>(this.two, false)));
	}

	@Test
	void remove_waitsForRunningInvocation_andDeliversNothingAfterIt() throws Exception {
		HandlerRegistration registration = addSlow(QueuePolicy.KEEP_ALL);
		this.fixture.start();
		this.fixture.distribute(new Added<>(this.one, false), new Updated<>(this.one, this.two));
		this.entered.acquire();
		assertThat(registration.remove(Duration.ofMillis(1))).isFalse();
		AtomicBoolean removed = new AtomicBoolean();
		Thread remover = new Thread(() -> {
			try {
				removed.set(registration.remove(LONG) && this.log.events().size() == 1);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		remover.start();
		this.mayLeave.release(2);
		remover.join();
		assertThat(removed).isTrue();
		this.fixture.distribute(new Updated<>(this.two, this.three));
		assertThat(registration.pending()).isZero();
		assertThat(this.log.events()).hasSize(1);
		assertThat(this.fixture.processor().registrations()).isEmpty();
	}

	@Test
	void removeInHandler_doesNotWaitForItself() throws Exception {
		AtomicReference<@Nullable HandlerRegistration> self = new AtomicReference<>();
		CountDownLatch removed = new CountDownLatch(1);
		self.set(this.fixture.add((event) -> {
			HandlerRegistration registration = self.get();
			if (registration != null && registration.remove(LONG)) {
				removed.countDown();
			}
		}, (options) -> {
		}, List.of(new Added<>(this.one, true), new Added<>(pod("b", 1), true))));
		this.fixture.start();
		removed.await();
		assertThat(this.fixture.processor().registrations()).isEmpty();
	}

	@Test
	void removedBusyHandler_isInterruptedByStop() throws Exception {
		HandlerRegistration registration = addSlow(QueuePolicy.COALESCE);
		this.fixture.start();
		this.fixture.distribute(new Added<>(this.one, false));
		this.entered.acquire();
		registration.remove();
		this.fixture.stop(Duration.ZERO);
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
		assertThat(this.log.events()).isEmpty();
		assertThat(this.fixture.failures()).singleElement()
			.satisfies((failure) -> assertThat(failure.retriesExhausted()).isTrue());
	}

	/**
	 * Add a handler whose invocations wait for {@code mayLeave}.
	 */
	private HandlerRegistration addSlow(QueuePolicy policy) {
		return this.fixture.add((event) -> {
			this.entered.release();
			this.mayLeave.acquire();
			this.log.handle(event);
		}, (options) -> options.queue(policy), List.of());
	}

}
