/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.informer.client.TimeSource;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventRecorder} whose clock, writer and log throw.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class EventRecorderFaultTests {

	private static final String THREAD = "informer-event-recorder";

	private final FakeTime time = FakeTime.autoAdvancing();

	private final FakeEventServer server = new FakeEventServer(this.time);

	private final LoggerContext loggers = (LoggerContext) LoggerFactory.getILoggerFactory();

	private @Nullable TurboFilter filter;

	@AfterEach
	void removeFilter() {
		this.loggers.getTurboFilterList().remove(this.filter);
	}

	@ParameterizedTest
	@EnumSource
	void eachStepOfTheThreadThrowsOnce_everyEventIsWrittenOrCounted(Thrown thrown) {
		int step = 1;
		while (isSurvived(new Faults(thrown, step, step))) {
			step++;
		}
		// otherwise nothing has been shown
		assertThat(step).isGreaterThan(15);
	}

	@ParameterizedTest
	@EnumSource
	void stepsOfTheThreadThrowForAWhile_everyEventIsWrittenOrCounted(Thrown thrown) {
		for (int from = 1; from < 20; from += 3) {
			assertThat(isSurvived(new Faults(thrown, from, from + 20))).isTrue();
			removeFilter();
		}
	}

	/**
	 * Record with a server that fails at first, and require that each event is accounted
	 * for, and that the recorder works afterwards.
	 * @return whether a fault has occurred
	 */
	private boolean isSurvived(Faults faults) {
		FakeEventServer faulty = new FakeEventServer(this.time);
		AtomicInteger requests = new AtomicInteger();
		faulty.behave((request) -> {
			faults.step();
			switch (requests.incrementAndGet()) {
				case 1 -> throw FakeEventServer.refusal(request, 403, "Forbidden", "");
				case 2 -> throw FakeEventServer.unanswered(request);
				case 3 -> throw FakeEventServer.refusal(request, 422, "Invalid", "");
				default -> {
				}
			}
		});
		this.filter = faults.filter();
		this.loggers.addTurboFilter(this.filter);
		int recorded = 0;
		try (EventRecorder recorder = new DefaultEventRecorder(faulty, "shop", "node-7", faults.time(this.time))) {
			for (int i = 0; i < 12; i++) {
				recorder.normal(TestObjects.pod("pod-" + i % 3, 1), "Scaled", "Scale", "");
				recorded++;
			}
			await().until(() -> recorder.pending() == 0);
			// what is given up may have been written by a write that threw afterwards
			assertThat(faulty.occurrences() + recorder.dropped()).as(faults.toString())
				.isBetween((long) recorded, (faults.from == faults.to) ? recorded : 2L * recorded);
			faults.end();
			long before = faulty.occurrences();
			recorder.normal(TestObjects.pod("other", 1), "Scaled", "Scale", "");
			await().until(() -> faulty.occurrences() == before + 1);
			await().until(() -> recorder.pending() == 0);
		}
		finally {
			removeFilter();
		}
		return faults.occurred;
	}

	@Test
	void logThatAlwaysThrows_delaysNothing() {
		Faults faults = new Faults(Thrown.ERROR, 1, Integer.MAX_VALUE);
		this.filter = faults.filter();
		this.loggers.addTurboFilter(this.filter);
		AtomicInteger requests = new AtomicInteger();
		this.server.behave((request) -> {
			if (requests.incrementAndGet() < 5) {
				throw FakeEventServer.refusal(request, 403, "Forbidden", "");
			}
		});
		try (EventRecorder recorder = new DefaultEventRecorder(this.server, "shop", "node-7", this.time)) {
			recorder.normal(TestObjects.pod("a", 1), "Scaled", "Scale", "");
			await().until(() -> recorder.pending() == 0);
			assertThat(recorder.dropped()).isZero();
			assertThat(faults.occurred).isTrue();
		}
	}

	@Test
	void threadThatCannotBeStarted_isStartedByTheNextEvent() {
		startsAfter(3, (recorder) -> {
			for (int i = 0; i < 5; i++) {
				recorder.normal(TestObjects.pod("a", 1), "Scaled", "Scale", "");
			}
		}, 5);
	}

	@Test
	void threadThatCannotBeStarted_isStartedByTheClose() {
		startsAfter(1, (recorder) -> {
			recorder.normal(TestObjects.pod("a", 1), "Scaled", "Scale", "");
			recorder.close();
		}, 1);
	}

	@Test
	void threadThatCannotBeStartedAtAll_dropsAtTheClose() {
		EventRecorder recorder = new DefaultEventRecorder(this.server, "shop", "node-7", this.time, failing(100));
		recorder.normal(TestObjects.pod("a", 1), "Scaled", "Scale", "");
		recorder.close();
		assertThat(recorder.pending()).isZero();
		assertThat(recorder.dropped()).isOne();
	}

	private void startsAfter(int failures, Consumer<EventRecorder> use, int expected) {
		try (EventRecorder recorder = new DefaultEventRecorder(this.server, "shop", "node-7", this.time,
				failing(failures))) {
			use.accept(recorder);
			await().until(() -> this.server.occurrences() == expected && recorder.pending() == 0);
		}
	}

	private static ThreadFactory failing(int count) {
		AtomicInteger threads = new AtomicInteger();
		return (task) -> {
			if (threads.incrementAndGet() <= count) {
				((threads.get() % 2 == 0) ? Thrown.ERROR : Thrown.EXCEPTION).now();
			}
			return new Thread(task);
		};
	}

	/**
	 * What is thrown.
	 */
	private enum Thrown {

		EXCEPTION {
			@Override
			void now() {
				throw new IllegalStateException("for the test");
			}
		},

		ERROR {
			@Override
			void now() {
				throw new StackOverflowError("for the test");
			}
		};

		abstract void now();

	}

	/**
	 * Faults on the thread of a recorder: from one step to another.
	 */
	private static final class Faults {

		private final Thrown thrown;

		private final int from;

		private final int to;

		private final AtomicInteger steps = new AtomicInteger();

		private volatile boolean occurred;

		private volatile boolean ended;

		Faults(Thrown thrown, int from, int to) {
			this.thrown = thrown;
			this.from = from;
			this.to = to;
		}

		void step() {
			if (this.ended || !Thread.currentThread().getName().equals(THREAD)) {
				return;
			}
			int step = this.steps.incrementAndGet();
			if (step >= this.from && step <= this.to) {
				this.occurred = true;
				this.thrown.now();
			}
		}

		void end() {
			this.ended = true;
		}

		TurboFilter filter() {
			return new TurboFilter() {

				@Override
				public FilterReply decide(Marker marker, Logger logger, Level level, String format, Object[] params,
						Throwable cause) {
					if (logger.getName().equals(EventRecorder.class.getName())) {
						step();
					}
					return FilterReply.NEUTRAL;
				}

			};
		}

		TimeSource time(TimeSource real) {
			return new TimeSource() {

				@Override
				public Instant now() {
					step();
					return real.now();
				}

				@Override
				public long nanoTime() {
					step();
					return real.nanoTime();
				}

				@Override
				public void await(Condition condition, long nanos) throws InterruptedException {
					step();
					real.await(condition, nanos);
				}

				@Override
				public boolean awaitUntil(Condition condition, BooleanSupplier predicate, long nanos)
						throws InterruptedException {
					return real.awaitUntil(condition, predicate, nanos);
				}

				@Override
				public void join(Thread thread, long nanos) throws InterruptedException {
					TimeSource.SYSTEM.join(thread, Duration.ofSeconds(30).toNanos());
				}

			};
		}

		@Override
		public String toString() {
			return this.thrown + " in steps " + this.from + " to " + this.to;
		}

	}

}
