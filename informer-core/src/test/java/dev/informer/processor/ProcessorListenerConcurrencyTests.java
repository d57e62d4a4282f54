/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ProcessorListener} with several threads.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ProcessorListenerConcurrencyTests {

	private static final RetryPolicy IMMEDIATE = new RetryPolicy(999, Duration.ZERO, 1, Duration.ZERO, Duration.ZERO);

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final Set<String> threads = ConcurrentHashMap.newKeySet();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void differentObjects_areDeliveredInParallel_onNumberedThreads() throws Exception {
		CyclicBarrier together = new CyclicBarrier(3);
		CountDownLatch done = new CountDownLatch(3);
		HandlerRegistration registration = this.fixture.add((event) -> {
			this.threads.add(Thread.currentThread().getName());
			together.await();
			done.countDown();
		}, (options) -> options.name("audit").concurrency(3), pods(3));
		this.fixture.start();
		done.await();
		await().until(registration::hasSynced);
		assertThat(this.threads).containsExactlyInAnyOrder("informer-pods-handler-audit-1",
				"informer-pods-handler-audit-2", "informer-pods-handler-audit-3");
	}

	@Test
	void threads_areStartedWhenNeeded() throws Exception {
		Semaphore entered = new Semaphore(0);
		Semaphore mayLeave = new Semaphore(0);
		this.fixture.add((event) -> {
			entered.release();
			mayLeave.acquire();
		}, (options) -> options.concurrency(4), List.of());
		this.fixture.start();
		int calls = 0;
		for (ResourceEvent<V1Pod> each : pods(4)) {
			this.fixture.distribute(each);
			entered.acquire();
			calls++;
			assertThat(NoThreadLeft.informerThreads()).hasSize(calls);
		}
		mayLeave.release(4);
	}

	@Test
	void retry_isNotDelayedByRunningInvocation() throws Exception {
		Semaphore mayLeave = new Semaphore(0);
		AtomicBoolean failed = new AtomicBoolean();
		CountDownLatch again = new CountDownLatch(1);
		this.fixture.add((event) -> {
			if (event.object().getMetadata().getName().equals("pod1")) {
				mayLeave.acquire();
			}
			else if (failed.compareAndSet(false, true)) {
				throw new IllegalStateException("for the test");
			}
			else {
				again.countDown();
			}
		}, (options) -> options.concurrency(2).retry(new RetryPolicy(2, Duration.ofMillis(5), 1, LONG, Duration.ZERO)),
				pods(2));
		this.fixture.start();
		assertThat(again.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		mayLeave.release();
	}

	@Test
	void stop_drainsAllThreads_thenInterrupts() throws Exception {
		Semaphore entered = new Semaphore(0);
		Semaphore mayLeave = new Semaphore(0);
		Semaphore left = new Semaphore(0);
		HandlerRegistration registration = this.fixture.add((event) -> {
			entered.release();
			mayLeave.acquire();
			left.release();
		}, (options) -> options.concurrency(3), pods(6));
		this.fixture.start();
		entered.acquire(3);
		mayLeave.release(4);
		entered.acquire(3);
		left.acquire(4);
		this.fixture.stop(Duration.ofMillis(20));
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
		assertThat(registration.hasSynced()).isFalse();
		assertThat(registration.pending()).isEqualTo(2);
		mayLeave.release(10);
		this.fixture.start();
		await().until(registration::hasSynced);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void invocationStuckSinceBeforeRestart_countsTowardsConcurrency(int concurrency) throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		CallLog log = new CallLog(concurrency);
		V1Pod one = pod("a", 1);
		V1Pod two = pod("a", 2);
		HandlerRegistration registration = this.fixture.add((event) -> log.call(event, () -> {
			if (event.object() == one) {
				entered.countDown();
				awaitUninterruptibly(release);
			}
		}), (options) -> options.concurrency(concurrency), List.of(new Added<>(one, true)));
		this.fixture.start();
		entered.await();
		this.fixture.stop(Duration.ZERO);
		this.fixture.start();
		this.fixture.distribute(new Updated<>(one, two), new Added<>(pod("b", 1), false));
		if (concurrency > 1) {
			await().until(() -> log.states().containsKey("ns/b"));
		}
		assertThat(log.states()).doesNotContainKey("ns/a");
		release.countDown();
		await().until(() -> registration.hasSynced() && log.states().size() == 2);
		await().untilAsserted(() -> assertThat(log.states()).containsEntry("ns/a", two));
		assertThat(log.problems()).isEmpty();
	}

	@Test
	void removeInSeveralInvocations_doesNotDeadlock() throws Exception {
		CyclicBarrier together = new CyclicBarrier(2);
		CountDownLatch removed = new CountDownLatch(2);
		List<HandlerRegistration> self = new ArrayList<>();
		self.add(this.fixture.add((event) -> {
			together.await();
			if (self.get(0).remove(LONG)) {
				removed.countDown();
			}
		}, (options) -> options.concurrency(2), pods(2)));
		this.fixture.start();
		assertThat(removed.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	/**
	 * Add, change, delete and recreate objects while invocations fail and the handler is
	 * paused, stopped and started.
	 */
	@ParameterizedTest
	@CsvSource({ "COALESCE, 1", "COALESCE, 2", "COALESCE, 7", "KEEP_ALL, 1", "KEEP_ALL, 4" })
	void randomEventsFailuresPausesAndStops_endInStateOfCache(QueuePolicy policy, int concurrency) throws Exception {
		CallLog log = new CallLog(concurrency);
		FakeStore store = new FakeStore(concurrency);
		HandlerRegistration registration = this.fixture.add((event) -> log.call(event, () -> log.maybeThrow(event)),
				(options) -> stress(options, policy, concurrency), List.of());
		this.fixture.start();
		int offered = 0;
		for (int step = 0; step < 5_000; step++) {
			List<ResourceEvent<V1Pod>> events = store.next();
			events.forEach(this.fixture::distribute);
			offered += events.size();
			switch (step % 500) {
				case 100 -> registration.pause();
				case 150 -> registration.resume();
				case 300 -> this.fixture.stop((step % 1_000 == 300) ? LONG : Duration.ZERO);
				case 350 -> this.fixture.start();
				default -> {
				}
			}
		}
		await().untilAsserted(() -> assertThat(log.states()).isEqualTo(store.contents()));
		await().until(() -> registration.pending() == 0 && registration.hasSynced());
		assertThat(log.problems()).isEmpty();
		if (policy == QueuePolicy.KEEP_ALL) {
			assertThat(log.delivered()).isEqualTo(offered);
		}
		else {
			assertThat(log.delivered()).isLessThanOrEqualTo(offered);
		}
		this.fixture.stop(LONG);
	}

	/**
	 * Each change waits for the invocation of the one before, so that the threads of the
	 * handler wait each time and nothing else wakes them.
	 */
	@ParameterizedTest
	@CsvSource({ "COALESCE, 1", "COALESCE, 3", "KEEP_ALL, 1", "KEEP_ALL, 3" })
	void waitingHandler_isWokenByEachEventAndByResume(QueuePolicy policy, int concurrency) throws Exception {
		Semaphore called = new Semaphore(0);
		CallLog log = new CallLog(concurrency);
		FakeStore store = new FakeStore(concurrency);
		HandlerRegistration registration = this.fixture.add((event) -> {
			log.call(event, () -> {
			});
			called.release();
		}, (options) -> options.queue(policy).concurrency(concurrency), List.of());
		this.fixture.start();
		for (int step = 0; step < 2_000; step++) {
			List<ResourceEvent<V1Pod>> events = store.next();
			if (step % 2 == 0) {
				registration.pause();
			}
			events.forEach(this.fixture::distribute);
			registration.resume();
			assertThat(called.tryAcquire(events.size(), LONG.toSeconds(), TimeUnit.SECONDS)).as("step %s", step)
				.isTrue();
		}
		assertThat(log.states()).isEqualTo(store.contents());
		assertThat(log.problems()).isEmpty();
	}

	@Test
	void concurrencyBelowOne_isRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new HandlerOptions.Builder<V1Pod>().concurrency(0).build())
			.withMessageContaining("concurrency");
	}

	private static void stress(HandlerOptions.Builder<V1Pod> options, QueuePolicy policy, int concurrency) {
		options.queue(policy).concurrency(concurrency).retry(IMMEDIATE);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean done = false;
		while (!done) {
			try {
				latch.await();
				done = true;
			}
			catch (InterruptedException ex) {
				// ignoring the interrupt is the purpose
			}
		}
	}

	private static List<ResourceEvent<V1Pod>> pods(int count) {
		List<ResourceEvent<V1Pod>> events = new ArrayList<>();
		for (int i = 1; i <= count; i++) {
			events.add(new Added<>(pod("pod" + i, i), true));
		}
		return events;
	}

}
