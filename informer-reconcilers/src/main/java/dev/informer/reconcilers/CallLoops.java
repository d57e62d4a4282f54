/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Objects that are called again as soon as the minimum interval permits, for minutes:
 * each call causes the next one. Remembers the objects that were called within that
 * interval, at most {@value #MAX_OBJECTS}.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the lock of the queue.
 */
final class CallLoops {

	/** Time between two calls that may be a loop, which includes an event. */
	private static final long MIN_GAP = TimeSource.nanos(Duration.ofSeconds(1));

	/** Calls that are rarer load no server. */
	private static final long MAX_GAP = TimeSource.nanos(Duration.ofSeconds(20));

	private static final long MINUTES = TimeSource.nanos(Duration.ofMinutes(3));

	private static final int MIN_CALLS = 20;

	private static final int MAX_OBJECTS = 10_000;

	private static final long REPORT = TimeSource.nanos(Duration.ofHours(1));

	private final long gap;

	/** By key, the last called one last. */
	private final Map<String, Streak> streaks = new LinkedHashMap<>();

	private int looping;

	private @Nullable Long reported;

	CallLoops(long minIntervalNanos) {
		this.gap = Math.min(Math.max(2 * Math.min(minIntervalNanos, MAX_GAP), MIN_GAP), MAX_GAP);
	}

	/**
	 * Note that a call begins.
	 * @return the loop of calls, if it is to be reported: one per hour
	 */
	@Nullable Streak called(String key, long now) {
		prune(now);
		Streak known = this.streaks.remove(key);
		Streak streak = (known != null) ? known.called(now) : new Streak(1, now, now);
		this.streaks.put(key, streak);
		this.looping += ((known == null || !known.isLoop()) && streak.isLoop()) ? 1 : 0;
		if (!streak.isLoop() || (this.reported != null && now - this.reported < REPORT)) {
			return null;
		}
		this.reported = now;
		return streak;
	}

	/**
	 * Return the number of objects in a loop.
	 */
	int size(long now) {
		prune(now);
		return this.looping;
	}

	private void prune(long now) {
		while (!this.streaks.isEmpty()) {
			Map.Entry<String, Streak> eldest = this.streaks.entrySet().iterator().next();
			if (now - eldest.getValue().last() <= this.gap && this.streaks.size() < MAX_OBJECTS) {
				return;
			}
			this.streaks.remove(eldest.getKey());
			this.looping -= eldest.getValue().isLoop() ? 1 : 0;
		}
	}

	/**
	 * Calls in a row.
	 */
	record Streak(long calls, long first, long last) {

		private Streak called(long now) {
			return new Streak(this.calls + 1, this.first, now);
		}

		private boolean isLoop() {
			return this.calls >= MIN_CALLS && this.last - this.first >= MINUTES;
		}

		Duration duration() {
			return Duration.ofNanos(this.last - this.first);
		}

	}

}
