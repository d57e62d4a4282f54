/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import org.jspecify.annotations.Nullable;

/**
 * Lease as this process has observed it. It is held until the process has seen no change
 * of it for the duration that its holder has written. The process measures that by its
 * monotonic clock, from when it has seen the content first; the times in the Lease are
 * those of another clock.
 * <p>
 * A deleted Lease counts as held until it would have expired, counted from when it was
 * observed to be missing: its holder may have renewed it unseen, and not have noticed the
 * deletion.
 * <p>
 * <b>Concurrency.</b> Not thread-safe.
 */
public final class HeldLease {

	private final LeaseDurations durations;

	private @Nullable LeaseRecord record;

	private boolean missing;

	private long since;

	/**
	 * Create an observation of a Lease that was not seen yet.
	 */
	public HeldLease(LeaseDurations durations) {
		this.durations = durations;
	}

	/**
	 * Note the content of the Lease, {@code null} if it does not exist, unless a change
	 * was noted after it was read: an answer can arrive after the watch has shown a later
	 * content. Return whether the content has changed.
	 */
	public boolean note(@Nullable LeaseRecord seen, long readAfter, long now) {
		if (this.record != null && readAfter - this.since < 0) {
			return false;
		}
		if (seen == null) {
			this.since = this.missing ? this.since : now;
			this.missing = true;
			return false;
		}
		this.missing = false;
		if (seen.equals(this.record)) {
			return false;
		}
		this.record = seen;
		this.since = now;
		return true;
	}

	/**
	 * Return the last content; {@code null} before the first one.
	 */
	public @Nullable LeaseRecord record() {
		return this.record;
	}

	/**
	 * Return whether the Lease did not exist when it was observed last.
	 */
	public boolean isMissing() {
		return this.missing;
	}

	/**
	 * Return the time until the Lease is not held, unless it changes.
	 */
	public long nanosHeld(long now) {
		LeaseRecord held = this.record;
		if (held == null || held.holder().isEmpty()) {
			return 0;
		}
		return Math.max(0, this.since + this.durations.heldNanos(held) - now);
	}

	/**
	 * Return whether the Lease was unchanged for a multiple of its duration.
	 */
	public boolean isUnchanged(int factor, long now) {
		return this.record != null && now - this.since >= factor * this.durations.heldNanos(this.record);
	}

}
