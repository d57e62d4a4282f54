/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

import dev.informer.client.TimeSource;

/**
 * Clock that advances only when a thread waits ({@link #autoAdvancing()}, and for short
 * waits {@link #autoAdvancingUpTo()}) or when the test advances it ({@link #manual()}).
 */
public final class FakeTime implements TimeSource {

	private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

	private final AtomicLong nanos = new AtomicLong();

	private final List<Duration> waits = new CopyOnWriteArrayList<>();

	private final long longestLeap;

	/** Difference of the wall clock from the monotonic time. */
	private volatile Duration shift = Duration.ZERO;

	private FakeTime(long longestLeap) {
		this.longestLeap = longestLeap;
	}

	public static FakeTime autoAdvancing() {
		return new FakeTime(Long.MAX_VALUE);
	}

	/**
	 * Return a clock that skips waits of up to five minutes, such as backoffs. Longer
	 * waits end only by their condition.
	 */
	public static FakeTime autoAdvancingUpTo() {
		return new FakeTime(Duration.ofMinutes(5).toNanos());
	}

	public static FakeTime manual() {
		return new FakeTime(0);
	}

	public void advance(Duration duration) {
		this.nanos.addAndGet(duration.toNanos());
	}

	/**
	 * Set the wall clock, which does not change the monotonic time.
	 */
	public void setClock(Duration difference) {
		this.shift = difference;
	}

	/**
	 * Return the durations of the waits so far.
	 */
	public List<Duration> waits() {
		return List.copyOf(this.waits);
	}

	@Override
	public Instant now() {
		return START.plusNanos(this.nanos.get()).plus(this.shift);
	}

	@Override
	public long nanoTime() {
		return this.nanos.get();
	}

	@Override
	public void await(Condition condition, long duration) throws InterruptedException {
		if (duration == Long.MAX_VALUE) {
			condition.await();
		}
		else if (duration <= this.longestLeap) {
			this.waits.add(Duration.ofNanos(duration));
			this.nanos.addAndGet(duration);
		}
		else {
			// returning early is allowed: the caller checks the clock again
			condition.await(1, TimeUnit.MILLISECONDS);
		}
	}

}
