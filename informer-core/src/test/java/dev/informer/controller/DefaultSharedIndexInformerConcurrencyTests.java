/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerOptions;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers that several threads use at once.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class DefaultSharedIndexInformerConcurrencyTests {

	private final FakeSource source = new FakeSource();

	private volatile Runnable onStoreThread = () -> {
	};

	private final SharedIndexInformer<V1Pod> informer = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
			(settings) -> settings.time(FakeTime.autoAdvancingUpTo()).addListener((event) -> {
				if (event instanceof InformerEvent.CacheChanged) {
					DefaultSharedIndexInformerConcurrencyTests.this.onStoreThread.run();
				}
			}));

	@AfterEach
	void close() {
		this.informer.close();
	}

	@Test
	void hundredThreadsAddAndRemoveHandlers_duringTenThousandEventsAndShutdown() throws Exception {
		start();
		ConcurrentLinkedQueue<EventLog<V1Pod>> logs = new ConcurrentLinkedQueue<>();
		ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
		CountDownLatch closed = new CountDownLatch(1);
		AtomicInteger added = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			QueuePolicy queue = (i % 2 == 0) ? QueuePolicy.COALESCE : QueuePolicy.KEEP_ALL;
			Thread thread = new Thread(() -> {
				try {
					while (closed.getCount() > 0) {
						EventLog<V1Pod> log = new EventLog<>();
						HandlerRegistration registration = this.informer.addHandler(log,
								(options) -> options.queue(queue));
						logs.add(log);
						added.incrementAndGet();
						closed.await(ThreadLocalRandom.current().nextInt(20, 200), TimeUnit.MILLISECONDS);
						registration.remove();
					}
				}
				catch (IllegalStateException ex) {
					// closed: what the test is waiting for
				}
				catch (Throwable ex) {
					failures.add(ex);
				}
			});
			threads.add(thread);
			thread.start();
		}
		EventLog<V1Pod> witness = new EventLog<>();
		this.informer.addHandler(witness, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		for (int i = 0; i < 10_000; i++) {
			this.source.put("pod" + i % 20);
			if (i % 7 == 0) {
				this.source.recreate("pod" + i % 11);
			}
		}
		await().untilAsserted(() -> assertThat(witness.replay()).isEqualTo(this.source.versions()));
		assertThat(witness.events()).hasSizeGreaterThan(10_000);
		await().until(() -> added.get() >= 200);
		this.informer.close();
		closed.countDown();
		for (Thread thread : threads) {
			thread.join(TimeUnit.SECONDS.toMillis(60));
			assertThat(thread.isAlive()).isFalse();
		}
		assertThat(failures).isEmpty();
		assertThat(logs).allSatisfy((log) -> assertThat(log.problems()).isEmpty());
		assertThat(witness.problems()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void handlerAddedDuringRelist_getsEveryEventOnce(QueuePolicy queue) throws Exception {
		for (int i = 0; i < 20; i++) {
			this.source.put("pod" + i);
		}
		start();
		CountDownLatch inBatch = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		this.onStoreThread = () -> {
			inBatch.countDown();
			awaitLatch(released);
		};
		this.source.compactAndBreakWatches();
		this.source.delete("pod1");
		this.source.recreate("pod2");
		this.source.put("pod3");
		this.source.put("new");
		this.source.compactAndBreakWatches();
		awaitLatch(inBatch);
		List<EventLog<V1Pod>> logs = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			EventLog<V1Pod> log = new EventLog<>();
			logs.add(log);
			Thread thread = new Thread(() -> this.informer.addHandler(log, (options) -> options.queue(queue)));
			threads.add(thread);
			thread.start();
		}
		released.countDown();
		for (Thread thread : threads) {
			thread.join(TimeUnit.SECONDS.toMillis(60));
		}
		this.source.put("last");
		await().untilAsserted(
				() -> assertThat(logs).allSatisfy((log) -> assertThat(log.replay()).isEqualTo(this.source.versions())));
		assertThat(logs).allSatisfy((log) -> assertThat(log.problems()).isEmpty());
	}

	@Test
	void listenerOfCacheChanges_mayWaitForAThreadThatAddsAHandler() {
		start();
		EventLog<V1Pod> log = new EventLog<>();
		AtomicBoolean deadlocked = new AtomicBoolean(true);
		this.onStoreThread = () -> {
			Thread thread = new Thread(() -> this.informer.addHandler(log));
			thread.start();
			try {
				thread.join(TimeUnit.SECONDS.toMillis(60));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			deadlocked.set(thread.isAlive());
			this.onStoreThread = () -> {
			};
		};
		this.source.put("a");
		await().untilAsserted(() -> assertThat(log.replay()).isEqualTo(this.source.versions()));
		// the handler may have the event before the thread of the store continues
		await().untilAsserted(() -> assertThat(deadlocked).isFalse());
		assertThat(log.problems()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void handlerRemovedDuringInvocation_getsNoMoreEvents(QueuePolicy queue) {
		start();
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration registration = this.informer.addHandler((event) -> {
			calls.incrementAndGet();
			called.countDown();
			awaitLatch(released);
		}, (options) -> options.queue(queue));
		this.source.put("a");
		this.source.put("b");
		awaitLatch(called);
		await().until(() -> registration.pending() == 1);
		registration.remove();
		registration.remove();
		assertThat(registration.pending()).isZero();
		released.countDown();
		EventLog<V1Pod> other = new EventLog<>();
		this.informer.addHandler(other);
		this.source.put("c");
		await().untilAsserted(() -> assertThat(other.replay()).isEqualTo(this.source.versions()));
		await().untilAsserted(() -> assertThat(NoThreadLeft.informerThreads()).doesNotContain(threadOf(registration)));
		assertThat(calls).hasValue(1);
	}

	@ParameterizedTest
	@EnumSource
	void handlerRemovesItself_getsNoMoreEvents(QueuePolicy queue) {
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration registration = this.informer.addHandler((event) -> {
			calls.incrementAndGet();
			this.informer.handlers().forEach(HandlerRegistration::remove);
		}, (options) -> options.queue(queue));
		for (int i = 0; i < 20; i++) {
			this.source.put("pod" + i);
		}
		start();
		await().untilAsserted(() -> assertThat(NoThreadLeft.informerThreads()).doesNotContain(threadOf(registration)));
		assertThat(calls).hasValue(1);
	}

	@ParameterizedTest
	@EnumSource
	void slowHandler_duringManyChanges_getsConsistentEvents(QueuePolicy queue) {
		AtomicInteger calls = new AtomicInteger();
		EventLog<V1Pod> log = new EventLog<>() {

			@Override
			public void handle(ResourceEvent<V1Pod> event) throws Exception {
				if (calls.incrementAndGet() % 50 == 0) {
					throw new IllegalStateException("for the test");
				}
				if (calls.get() % 16 == 0) {
					Thread.yield();
				}
				super.handle(event);
			}

		};
		HandlerRegistration registration = this.informer.addHandler(log,
				(options) -> options.queue(queue).resyncPeriod(Duration.ofMinutes(10)));
		start();
		for (int i = 0; i < 3000; i++) {
			String name = "pod" + ThreadLocalRandom.current().nextInt(10);
			switch (i % 8) {
				case 0 -> this.source.recreate(name);
				case 1, 2 -> this.source.delete(name);
				default -> this.source.put(name);
			}
			if (i % 500 == 0) {
				this.source.compactAndBreakWatches();
			}
		}
		await().untilAsserted(() -> {
			assertThat(this.source.isQuiet()).isTrue();
			assertThat(stored()).isEqualTo(this.source.versions());
			assertThat(log.replay()).isEqualTo(this.source.versions());
		});
		// each backoff advances the clock, so a resync may be pending
		await().until(() -> registration.pending() == 0);
		assertThat(log.problems()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void stoppedAndStarted_duringManyChanges_losesNoEvent(QueuePolicy queue) {
		EventLog<V1Pod> log = new EventLog<>();
		this.informer.addHandler(log, (options) -> options.queue(queue));
		CountDownLatch enough = new CountDownLatch(1);
		Thread changing = new Thread(() -> {
			for (int i = 0; enough.getCount() > 0; i++) {
				String name = "pod" + ThreadLocalRandom.current().nextInt(10);
				switch (i % 4) {
					case 0 -> this.source.recreate(name);
					case 1 -> this.source.delete(name);
					default -> this.source.put(name);
				}
				LockSupport.parkNanos(100_000);
			}
		});
		changing.start();
		for (int life = 0; life < 20; life++) {
			int before = log.events().size();
			this.informer.start();
			await().until(() -> log.events().size() > before + 5);
			this.informer.stop((life % 2 == 0) ? Duration.ZERO : Duration.ofSeconds(10));
		}
		enough.countDown();
		this.informer.start();
		await().until(() -> !changing.isAlive());
		await().untilAsserted(() -> assertThat(log.replay()).isEqualTo(this.source.versions()));
		assertThat(stored()).isEqualTo(this.source.versions());
		assertThat(log.problems()).isEmpty();
	}

	private Map<String, String> stored() {
		return this.informer.lister()
			.list()
			.stream()
			.collect(Collectors.toMap((pod) -> "ns/" + pod.getMetadata().getName(),
					(pod) -> String.valueOf(pod.getMetadata().getResourceVersion())));
	}

	private static String threadOf(HandlerRegistration registration) {
		return "informer-pods-handler-" + registration.name();
	}

	private void start() {
		this.informer.start();
		await().until(() -> this.informer.hasSynced() && this.source.isQuiet());
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
