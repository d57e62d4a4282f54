/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.informer.InformerEvent;
import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.QueuePolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.test.support.Await;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what code of the user, or an error of the informer, leaves on the threads of
 * an informer: only a stop ends them.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class RunTests {

	private static final Throwable NONE = new Throwable("only the interrupt flag");

	private final FakeSource source = new FakeSource();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final List<InformerEvent> events = new CopyOnWriteArrayList<>();

	private @Nullable SharedIndexInformer<V1Pod> informer;

	@AfterEach
	void close() {
		if (this.informer != null) {
			this.informer.close();
		}
	}

	static Stream<Arguments> leftovers() {
		return Stream.of("index function", "transform", "listener", "handler", "filter", "interceptor")
			.flatMap((callback) -> Stream
				.of(NONE, new IllegalStateException("for the test"), new OutOfMemoryError("for the test"),
						new InterruptedException("thrown sneakily, for the test"), new ThreadDeath())
				.map((leftover) -> Arguments.of(callback, leftover)));
	}

	@ParameterizedTest
	@MethodSource("leftovers")
	void interruptFlagOrThrowableOfACallback_endsNoThread(String callback, Throwable leftover) {
		FakeTime time = FakeTime.autoAdvancingUpTo();
		SharedIndexInformer<V1Pod> pods = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
				(settings) -> settings.time(time)
					.addListener((event) -> leave(callback.equals("listener"), leftover))
					.interceptor((informer, handler, event, invocation) -> {
						invocation.proceed();
						leaveFlag(callback.equals("interceptor"));
					}));
		this.informer = pods;
		boolean fails = leftover != NONE;
		if (!callback.equals("transform") || !fails) {
			pods.setTransform((pod) -> {
				leave(callback.equals("transform"), leftover);
				return pod;
			});
		}
		pods.addMultiValueIndex("index", (pod) -> {
			leave(callback.equals("index function"), leftover);
			return List.of();
		});
		pods.addHandler((event) -> {
			leaveFlag(callback.equals("handler"));
			this.log.handle(event);
		}, (options) -> options.queue(QueuePolicy.KEEP_ALL).filter((pod) -> {
			leave(callback.equals("filter"), leftover);
			return true;
		}));
		for (int i = 0; i < 5; i++) {
			this.source.put("before" + i);
		}
		pods.start();
		awaitAgreement();
		for (int i = 0; i < 5; i++) {
			this.source.put("after" + i);
			this.source.delete("before" + i);
			awaitAgreement();
		}
		assertThat(NoThreadLeft.informerThreads()).hasSize(3);
		assertThat(pods.state().phase()).isNotIn(Phase.NOT_STARTED, Phase.FAILED, Phase.STOPPED);
	}

	private void leaveFlag(boolean chosen) {
		if (chosen) {
			Thread.currentThread().interrupt();
		}
	}

	private void leave(boolean chosen, Throwable leftover) {
		if (chosen && Thread.currentThread().getName().startsWith("informer-")) {
			Thread.currentThread().interrupt();
			if (leftover != NONE) {
				throw sneaky(leftover);
			}
		}
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> RuntimeException sneaky(Throwable ex) throws X {
		throw (X) ex;
	}

	private void awaitAgreement() {
		await().untilAsserted(() -> {
			assertThat(this.log.replay()).isEqualTo(this.source.versions());
			assertThat(this.log.problems()).isEmpty();
		});
	}

	@Test
	void storeThreadThatFails_isReportedAndVisible_andContinuesAfterAPause() {
		FakeTime time = FakeTime.manual();
		FailingTime failing = new FailingTime(time, (thread) -> thread.endsWith("-store"));
		SharedIndexInformer<V1Pod> pods = start(failing);
		Moment before = time.moment();
		failing.failures.set(1);
		this.source.put("b");
		await().until(() -> pods.state().phase() == Phase.BACKING_OFF);
		assertThat(failures()).singleElement().satisfies((failure) -> {
			assertThat(failure.message()).isEqualTo("Cannot apply queued changes to the cache; retrying");
			assertThat(failure.cause()).hasMessage("time for the test");
		});
		assertThat(pods.state()).isEqualTo(
				new InformerState(Phase.BACKING_OFF, before, failures().get(0), before, before.time().plusSeconds(1)));
		assertThat(this.events).contains(new InformerEvent.StateChanged(pods, "", pods.state()));
		failing.awaitPause(Duration.ofSeconds(1));
		this.source.put("c");
		time.advance(Duration.ofSeconds(1));
		awaitAgreement();
		await().until(() -> pods.state().phase() == Phase.WATCHING);
		assertThat(pods.state().failingSince()).isNull();
		assertThat(this.source.requests()).filteredOn((request) -> request.startsWith("LIST")).hasSize(1);
	}

	@Test
	void threadThatKeepsFailing_pausesLonger_andIsFailingSinceTheFirstFailure() {
		FakeTime time = FakeTime.manual();
		FailingTime failing = new FailingTime(time, (thread) -> thread.endsWith("-store"));
		SharedIndexInformer<V1Pod> pods = start(failing);
		Moment before = time.moment();
		failing.failures.set(3);
		this.source.put("b");
		for (int i = 1; i <= 3; i++) {
			int failed = i;
			await().until(() -> failures().size() == failed && pods.state().nextAttempt() != null
					&& pods.state().nextAttempt().isAfter(time.now()));
			assertThat(pods.state().failingSince()).isEqualTo(before);
			Duration pause = Duration.between(time.now(), pods.state().nextAttempt());
			assertThat(pause).isEqualTo(Duration.ofSeconds(1L << (i - 1)));
			failing.awaitPause(pause);
			time.advance(pause);
		}
		awaitAgreement();
	}

	@Test
	void failureThatCannotBeReported_isFatal_untilTheNextStart() {
		FailingTime failing = new FailingTime(FakeTime.manual(), (thread) -> thread.endsWith("-store"));
		SharedIndexInformer<V1Pod> pods = start(failing);
		failing.reports.set(1);
		failing.failures.set(1);
		this.source.put("b");
		await().until(() -> pods.state().phase() == Phase.FAILED);
		assertThat(failures()).singleElement().satisfies((failure) -> {
			assertThat(failure).isEqualTo(pods.state().failure());
			assertThat(failure.cause()).hasMessage("time for the test");
		});
		assertThatExceptionOfType(InformerFailedException.class).isThrownBy(() -> pods.awaitSynced(Duration.ofDays(1)));
		this.source.put("c");
		pods.stop(Duration.ZERO);
		pods.start();
		awaitAgreement();
		await().until(() -> pods.state().phase() == Phase.WATCHING);
	}

	@Test
	void threadFactoryWhoseThreadsFailBeforeOrAfterTheirTask_followsTheServer() {
		AtomicInteger threads = new AtomicInteger();
		SharedIndexInformer<V1Pod> pods = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
				(settings) -> settings.time(FakeTime.autoAdvancingUpTo())
					.addListener(this.events::add)
					.threadFactory((task) -> {
						boolean early = threads.incrementAndGet() <= 2;
						Thread thread = new Thread(() -> {
							if (early) {
								throw new IllegalStateException("before the task, for the test");
							}
							task.run();
							throw new IllegalStateException("after the task, for the test");
						});
						thread.setUncaughtExceptionHandler((dying, failure) -> {
						});
						return thread;
					}));
		this.informer = pods;
		pods.addHandler(this.log);
		this.source.put("a");
		pods.start();
		awaitAgreement();
		assertThat(failures()).hasSize(2);
		pods.stop(Duration.ofSeconds(5));
		await().untilAsserted(() -> assertThat(NoThreadLeft.informerThreads()).isEmpty());
		pods.start();
		this.source.put("b");
		awaitAgreement();
		assertThat(failures()).hasSize(2);
	}

	private SharedIndexInformer<V1Pod> start(TimeSource time) {
		SharedIndexInformer<V1Pod> pods = FakeInformers.pods(this.source, InformerOptions.DEFAULT,
				(settings) -> settings.time(time).addListener(this.events::add));
		this.informer = pods;
		pods.addHandler(this.log, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		this.source.put("a");
		pods.start();
		awaitAgreement();
		await().until(() -> pods.hasSynced() && pods.state().phase() == Phase.WATCHING);
		return pods;
	}

	private List<InformerFailure> failures() {
		return this.events.stream()
			.filter(InformerEvent.Failed.class::isInstance)
			.map((event) -> ((InformerEvent.Failed) event).failure())
			.toList();
	}

	/**
	 * Clock that fails some times before some threads wait for a batch, or report that.
	 */
	private static final class FailingTime implements TimeSource {

		private final AtomicInteger failures = new AtomicInteger();

		private final AtomicInteger reports = new AtomicInteger();

		private final TimeSource time;

		private final Predicate<String> threads;

		private volatile long waited;

		FailingTime(TimeSource time, Predicate<String> threads) {
			this.time = time;
			this.threads = threads;
		}

		@Override
		public Instant now() {
			return this.time.now();
		}

		@Override
		public long nanoTime() {
			if (this.threads.test(Thread.currentThread().getName())) {
				failWithin("updateStore", this.failures);
				failWithin("failed", this.reports);
			}
			return this.time.nanoTime();
		}

		private static void failWithin(String method, AtomicInteger failures) {
			boolean within = StackWalker.getInstance()
				.walk((frames) -> frames.anyMatch((frame) -> frame.getMethodName().equals(method)));
			if (within && failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
				throw new IllegalStateException("time for the test");
			}
		}

		@Override
		public void await(Condition condition, long nanos) throws InterruptedException {
			if (this.threads.test(Thread.currentThread().getName())) {
				this.waited = nanos;
			}
			this.time.await(condition, nanos);
		}

		/**
		 * Wait until a thread has begun to pause after its failure, which it reports
		 * before.
		 */
		void awaitPause(Duration pause) {
			Await.await().until(() -> this.waited == pause.toNanos());
		}

	}

}
