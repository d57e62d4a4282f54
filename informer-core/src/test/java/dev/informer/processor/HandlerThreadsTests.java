/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.client.TimeSource;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
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

/**
 * Tests for the {@link WorkerThreads} of handlers with thread factories and user code
 * that fail.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HandlerThreadsTests {

	private final FakeTime time = FakeTime.manual();

	private volatile @Nullable FactoryFault fault;

	private volatile @Nullable Function<Runnable, Thread> factory;

	private final HandlerFixture fixture = new HandlerFixture(this.time, this::newThread);

	private final EventLog<V1Pod> one = new EventLog<>();

	private final EventLog<V1Pod> two = new EventLog<>();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	private Thread newThread(String handler, Runnable task) {
		Function<Runnable, Thread> replaced = this.factory;
		if (replaced != null) {
			return replaced.apply(task);
		}
		FactoryFault current = this.fault;
		return (current != null && handler.startsWith("two")) ? current.newThread(handler, task)
				: HandlerFixture.newThread(handler, task);
	}

	@ParameterizedTest
	@EnumSource
	void threadThatCannotBeStarted_isReportedAndRetried_andOtherHandlersGetTheirEvents(FactoryFault fault)
			throws Exception {
		CountDownLatch mayLeave = new CountDownLatch(1);
		CountDownLatch entered = new CountDownLatch(1);
		this.fixture.add(this.one, (options) -> options.name("one"), List.of());
		HandlerRegistration registration = this.fixture.add((each) -> {
			if (each.object().getMetadata().getName().equals("blocked")) {
				entered.countDown();
				mayLeave.await();
			}
			this.two.handle(each);
		}, (options) -> options.name("two").concurrency(2), List.of());
		HandlerRegistration three = this.fixture.add(new EventLog<>(), (options) -> options.name("three"), List.of());
		this.fixture.start();
		Added<V1Pod> blocked = new Added<>(pod("blocked", 1), false);
		this.fixture.distribute(blocked);
		entered.await();
		this.fault = fault;
		Added<V1Pod> event = new Added<>(pod("a", 1), false);
		this.fixture.distribute(event);
		await().untilAsserted(() -> assertThat(this.one.events()).containsExactly(blocked, event));
		await().until(() -> three.pending() == 0);
		await().untilAsserted(() -> {
			this.fixture.processor().wakeHandlers();
			assertThat(this.fixture.failureMessages()).containsExactly(fault.message);
		});
		assertThat(registration.pending()).isEqualTo(1);
		assertThat(this.fixture.processor().nanosToStartThreads()).isEqualTo(Duration.ofSeconds(1).toNanos());
		this.time.advance(Duration.ofSeconds(1));
		await().untilAsserted(() -> {
			this.fixture.processor().wakeHandlers();
			assertThat(this.fixture.failureMessages()).hasSize(2);
		});
		assertThat(this.fixture.processor().nanosToStartThreads()).isEqualTo(Duration.ofSeconds(2).toNanos());
		this.fault = null;
		this.time.advance(Duration.ofMillis(1_999));
		this.fixture.processor().wakeHandlers();
		assertThat(registration.pending()).isEqualTo(1);
		this.time.advance(Duration.ofMillis(1));
		this.fixture.processor().wakeHandlers();
		await().untilAsserted(() -> assertThat(this.two.events()).containsExactly(event));
		mayLeave.countDown();
		await().untilAsserted(() -> assertThat(this.two.events()).containsExactly(event, blocked));
	}

	@Test
	void furtherThreadThatCannotBeStarted_leavesEventsToTheFirst() throws Exception {
		Semaphore mayLeave = new Semaphore(0);
		List<String> names = new CopyOnWriteArrayList<>();
		HandlerRegistration registration = this.fixture.add((event) -> {
			this.fault = FactoryFault.OUT_OF_MEMORY;
			mayLeave.acquire();
			names.add(Thread.currentThread().getName());
		}, (options) -> options.name("two").concurrency(3), List.of());
		this.fixture.start();
		this.fixture.distribute(new Added<>(pod("a", 1), false));
		await().until(() -> this.fault != null);
		this.fixture.distribute(new Added<>(pod("b", 1), false));
		assertThat(this.fixture.failureMessages()).containsExactly(FactoryFault.OUT_OF_MEMORY.message);
		mayLeave.release(2);
		await().until(() -> names.size() == 2 && registration.pending() == 0);
		assertThat(names).containsOnly("informer-pods-handler-two-1");
	}

	/**
	 * The threads of an unfinished stop end after their current invocations: the stop
	 * does not wait for what a restart delivers.
	 */
	@Test
	void restartDuringStop_doesNotMakeTheStopWait() throws Exception {
		HandlerFixture restarted = new HandlerFixture(TimeSource.SYSTEM);
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch mayLeave = new CountDownLatch(1);
		List<ResourceEvent<V1Pod>> log = new CopyOnWriteArrayList<>();
		restarted.add((event) -> {
			entered.countDown();
			mayLeave.await();
			log.add(event);
		}, (options) -> {
		}, List.of(new Added<>(pod("a", 1), true), new Added<>(pod("b", 1), true)));
		restarted.start();
		entered.await();
		CountDownLatch stopped = new CountDownLatch(1);
		Thread stopping = new Thread(() -> {
			restarted.stop(Duration.ofDays(1));
			stopped.countDown();
		});
		stopping.start();
		await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
		restarted.start();
		mayLeave.countDown();
		assertThat(stopped.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		await().until(() -> log.size() == 2);
		restarted.distribute(new Added<>(pod("c", 1), false));
		await().until(() -> log.size() == 3);
		restarted.close();
	}

	private enum FactoryFault {

		OUT_OF_MEMORY("Handler 'two' could not start a thread; retrying in 1000 ms") {

			@Override
			Thread newThread(String handler, Runnable task) {
				throw new OutOfMemoryError("unable to create native thread");
			}

		},

		REJECTED("Handler 'two' could not start a thread; retrying in 1000 ms") {

			@Override
			Thread newThread(String handler, Runnable task) {
				throw new RejectedExecutionException("for the test");
			}

		},

		NO_THREAD("Handler 'two' could not start a thread; retrying in 1000 ms") {

			@Override
			@SuppressWarnings("NullAway")
			Thread newThread(String handler, Runnable task) {
				return null;
			}

		},

		STARTED("Handler 'two' could not start a thread; retrying in 1000 ms") {

			@Override
			Thread newThread(String handler, Runnable task) {
				Thread thread = new Thread(() -> {
				});
				thread.start();
				return thread;
			}

		},

		ERROR_AT_START("Handler 'two' could not start a thread; retrying in 1000 ms") {

			@Override
			Thread newThread(String handler, Runnable task) {
				return new Thread(task) {

					@Override
					public void start() {
						throw new OutOfMemoryError("unable to create native thread");
					}

				};
			}

		},

		DIES_BEFORE_TASK("A thread of handler 'two' has died; starting another one") {

			@Override
			Thread newThread(String handler, Runnable task) {
				return new Thread(() -> {
				});
			}

		};

		private final String message;

		FactoryFault(String message) {
			this.message = message;
		}

		abstract Thread newThread(String handler, Runnable task);

	}

}
