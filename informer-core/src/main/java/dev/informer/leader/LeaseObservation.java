/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import dev.informer.lease.LeaseRecord;
import org.jspecify.annotations.Nullable;

/**
 * Observation of a Lease by a process. A Lease is held until the process has seen no
 * change of it for the duration that its holder has written. The process measures that by
 * its monotonic clock, from when it has seen the content first; the times in the Lease
 * are those of another clock. Not thread-safe.
 */
final class LeaseObservation {

	private static final long NANOS_PER_SECOND = 1_000_000_000L;

	private final String identity;

	private final int defaultSeconds;

	private @Nullable LeaseRecord record;

	private long since;

	/** Largest number of transitions seen, also if the Lease was deleted since then. */
	private int transitions = -1;

	/**
	 * Create an observation of a Lease that was not seen yet.
	 * @param identity the identity of this process
	 * @param defaultSeconds the duration of a Lease that does not contain one
	 */
	LeaseObservation(String identity, int defaultSeconds) {
		this.identity = identity;
		this.defaultSeconds = defaultSeconds;
	}

	/**
	 * Note the content of the Lease, unless a change of it was noted after it was read:
	 * an answer can arrive after the watch has shown a later content. A deleted Lease
	 * counts as held until it would have expired: its holder may not have noticed the
	 * deletion.
	 * @param seen the content; {@code null} if the Lease does not exist
	 * @param readAfter the time after which it was read, in nanoseconds
	 * @param now the current time, in nanoseconds
	 * @return whether the content has changed
	 */
	boolean note(@Nullable LeaseRecord seen, long readAfter, long now) {
		if (seen == null) {
			return false;
		}
		this.transitions = Math.max(this.transitions, seen.transitions());
		boolean late = this.record != null && readAfter - this.since < 0;
		if (late || seen.equals(this.record)) {
			return false;
		}
		this.record = seen;
		this.since = now;
		return true;
	}

	/**
	 * Return the last content.
	 */
	@Nullable LeaseRecord record() {
		return this.record;
	}

	/**
	 * Return a number of transitions that is larger than all that were seen.
	 */
	int nextTransitions() {
		return (this.transitions < Integer.MAX_VALUE) ? this.transitions + 1 : this.transitions;
	}

	boolean isHeldByOther(long now) {
		return nanosHeldByOther(now) > 0;
	}

	/**
	 * Return the time until the Lease is not held by another process, unless it changes.
	 * @param now the current time, in nanoseconds
	 */
	long nanosHeldByOther(long now) {
		LeaseRecord held = this.record;
		if (held == null || held.holder().isEmpty() || held.isHeldBy(this.identity)) {
			return 0;
		}
		int seconds = (held.durationSeconds() > 0) ? held.durationSeconds() : this.defaultSeconds;
		return Math.max(0, this.since + seconds * NANOS_PER_SECOND - now);
	}

}
