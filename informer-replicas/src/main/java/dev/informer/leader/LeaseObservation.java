/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

import dev.informer.lease.LeaseDurations;
import dev.informer.lease.LeaseRecord;
import org.jspecify.annotations.Nullable;

/**
 * Observation of a Lease by a process. A Lease is held until the process has seen no
 * change of it for the duration that its holder has written. The process measures that by
 * its monotonic clock, from when it has seen the content first; the times in the Lease
 * are those of another clock. Not thread-safe.
 */
final class LeaseObservation {

	/** Writes of this process that are remembered. */
	private static final int REMEMBERED_WRITES = 100;

	private final String identity;

	private final LeaseDurations durations;

	/** Renew times of the writes of this process, the latest ones. */
	private final Set<Instant> writes = new LinkedHashSet<>();

	private @Nullable LeaseRecord record;

	/** Whether the Lease did not exist when it was observed last. */
	private boolean missing;

	private long since;

	/** Largest number of transitions seen, also if the Lease was deleted since then. */
	private int transitions = -1;

	/**
	 * Create an observation of a Lease that was not seen yet.
	 */
	LeaseObservation(String identity, LeaseDurations durations) {
		this.identity = identity;
		this.durations = durations;
	}

	/**
	 * Note that this process sends a write.
	 */
	void writing(Instant renewTime) {
		this.writes.add(renewTime);
		if (this.writes.size() > REMEMBERED_WRITES) {
			this.writes.remove(this.writes.iterator().next());
		}
	}

	/**
	 * Return whether this process has written that it holds the Lease. Another process
	 * with the same identity has not.
	 */
	boolean isOwn(LeaseRecord written) {
		return written.isHeldBy(this.identity) && written.renewTime() != null
				&& this.writes.contains(written.renewTime());
	}

	/**
	 * Return whether another process with the same identity holds the Lease.
	 */
	boolean isHeldByTwin(long now) {
		return this.record != null && this.record.isHeldBy(this.identity) && isHeldByOther(now);
	}

	/**
	 * Note the content of the Lease, unless a change of it was noted after it was read:
	 * an answer can arrive after the watch has shown a later content. A deleted Lease
	 * counts as held until it would have expired, counted from when it was observed to be
	 * missing: its holder may have renewed it unseen, and not have noticed the deletion.
	 * @param seen the content; {@code null} if the Lease does not exist
	 * @param readAfter the time after which it was read, in nanoseconds
	 * @return whether the content has changed
	 */
	boolean note(@Nullable LeaseRecord seen, long readAfter, long now) {
		boolean late = this.record != null && readAfter - this.since < 0;
		if (seen == null) {
			if (!this.missing && !late) {
				this.missing = true;
				this.since = now;
			}
			return false;
		}
		if (hasNextTransitions(seen)) {
			this.transitions = Math.max(this.transitions, seen.transitions());
		}
		if (late) {
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
	 * Return the last content.
	 */
	@Nullable LeaseRecord record() {
		return this.record;
	}

	/**
	 * Return a number of transitions that is larger than all that were seen.
	 */
	int nextTransitions() {
		return this.transitions + 1;
	}

	/**
	 * Return whether a Lease allows a larger number of transitions.
	 */
	static boolean hasNextTransitions(LeaseRecord record) {
		return record.transitions() < Integer.MAX_VALUE;
	}

	boolean isHeldByOther(long now) {
		return nanosHeldByOther(now) > 0;
	}

	/**
	 * Return the time until the Lease is not held by another process, unless it changes.
	 */
	long nanosHeldByOther(long now) {
		LeaseRecord held = this.record;
		if (held == null || held.holder().isEmpty() || isOwn(held)) {
			return 0;
		}
		return Math.max(0, this.since + this.durations.heldNanos(held) - now);
	}

}
