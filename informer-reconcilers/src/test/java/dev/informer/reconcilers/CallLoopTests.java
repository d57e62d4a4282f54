/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.informer.InvocationGate.Access;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.KeyQueue.Hold;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallLoop} in the {@link KeyQueue}.
 */
class CallLoopTests {

	private final List<String> reports = new ArrayList<>();

	private KeyQueue queue = queue(Duration.ofMillis(100));

	private long now = Long.MAX_VALUE - TimeSource.nanos(Duration.ofMinutes(1));

	/** Time at which the caches have the last write. */
	private long reached = this.now;

	@Test
	void writeInEachCall_isReportedOncePerHour_andCountedUntilItEnds() {
		call(900, written(), 200);
		assertThat(this.reports).isEmpty();
		call(1, written(), 200);
		assertThat(this.reports).containsExactly("901 times in 180 s");
		assertThat(this.queue.looping()).isOne();
		call(60 * 60 * 5, written(), 200);
		assertThat(this.reports).hasSize(2);
		pass(899);
		assertThat(this.queue.looping()).isOne();
		pass(1);
		assertThat(this.queue.looping()).isZero();
		assertThat(this.queue.find("a")).isNull();
	}

	@Test
	void lateWatch_andLongCalls_hideNoLoop() {
		for (int i = 0; i < 21; i++) {
			changed();
			Entry entry = taken();
			pass(10_000);
			this.reached = this.now + TimeSource.nanos(Duration.ofSeconds(15));
			this.queue.end(entry, written(), this.now);
			pass(15_000);
			pass(500);
		}
		assertThat(this.reports).containsExactly("20 times in 484 s");
	}

	@Test
	void delayThatIsShorterThanTheInterval_isALoop() {
		this.queue = queue(Duration.ofSeconds(5));
		call(38, CallResult.succeeded(Duration.ofSeconds(4), List.of()), 5_000);
		assertThat(this.reports).hasSize(1);
		call(1, CallResult.succeeded(null, List.of()), 5_000);
		assertThat(this.queue.looping()).isZero();
	}

	@Test
	void delayOfTheInterval_isNoLoop() {
		this.queue = queue(Duration.ofSeconds(5));
		call(1000, CallResult.succeeded(Duration.ofSeconds(5), List.of()), 5_000);
		assertThat(this.reports).isEmpty();
	}

	@Test
	void retryAtOnce_isALoop_andARetryLaterIsNot() {
		IllegalStateException reason = new IllegalStateException("for the test");
		call(1000, CallResult.later(Duration.ofSeconds(1), reason, List.of()), 1_000);
		assertThat(this.reports).isEmpty();
		call(1000, CallResult.later(Duration.ZERO, reason, List.of()), 200);
		assertThat(this.reports).hasSize(1);
	}

	@Test
	void changesThatNeedNoWrite_areNoLoop() {
		call(10_000, CallResult.succeeded(null, List.of()), 100);
		assertThat(this.reports).isEmpty();
	}

	@Test
	void failures_areNoLoop() {
		call(1000, CallResult.failed(Duration.ofMillis(100), null, List.of(hold())), 200);
		assertThat(this.reports).isEmpty();
	}

	@Test
	void writesNowAndThen_areNoLoop() {
		call(1000, written(), 1_100);
		assertThat(this.reports).isEmpty();
	}

	@Test
	void callsThatAreRarerThanTwiceAMinute_areNoLoop() {
		this.queue = queue(Duration.ofSeconds(31));
		for (int i = 0; i < 1000; i++) {
			call(1, written(), 1);
			changed();
			pass(30_999);
		}
		assertThat(this.reports).isEmpty();
	}

	private static KeyQueue queue(Duration minInterval) {
		return new KeyQueue(TimeSource.nanos(minInterval), (key) -> Access.OPEN);
	}

	private CallResult written() {
		return CallResult.succeeded(null, List.of(hold()));
	}

	private Hold hold() {
		return new Hold() {

			@Override
			public Progress progress() {
				return (CallLoopTests.this.now - CallLoopTests.this.reached >= 0) ? Progress.REACHED : Progress.WAITING;
			}

			@Override
			public boolean isLookUpDue(long now) {
				return false;
			}

		};
	}

	private void call(int times, CallResult result, long millis) {
		for (int i = 0; i < times; i++) {
			changed();
			this.queue.end(taken(), result, this.now);
			pass(millis);
		}
	}

	private void changed() {
		this.queue.trigger("a", Trigger.PRIMARY, this.now);
	}

	private Entry taken() {
		Entry entry = Objects.requireNonNull(this.queue.take(this.now));
		String report = this.queue.reportLoop(entry, this.now);
		if (report != null) {
			this.reports.add(report);
		}
		return entry;
	}

	/** Let time pass, and what is due in it. */
	private void pass(long millis) {
		long end = this.now + TimeSource.nanos(Duration.ofMillis(millis));
		for (long next = nanosToTimer(); this.now + next - end < 0; next = nanosToTimer()) {
			this.now += next;
			this.queue.takeLookUps(this.now);
		}
		this.now = end;
		this.queue.takeLookUps(this.now);
	}

	private long nanosToTimer() {
		long nanos = this.queue.nanosToNext(this.now);
		return (nanos == 0 || nanos == Long.MAX_VALUE) ? TimeSource.nanos(Duration.ofDays(1)) : nanos;
	}

}
