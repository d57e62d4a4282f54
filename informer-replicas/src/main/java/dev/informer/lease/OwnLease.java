/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.TreeMap;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseRequest.Purpose;
import org.jspecify.annotations.Nullable;

/**
 * Lease that this process writes. Every write replaces the Lease that was read or written
 * last, and fails if it has changed, so writes are applied in the order in which they
 * were sent, or not at all. A content that this process has not written is that of
 * another one, which may have the same identity.
 * <p>
 * <b>Concurrency.</b> Not thread-safe.
 */
public final class OwnLease {

	/** Writes that may be observed later. */
	private static final int REMEMBERED_WRITES = 100;

	/** Duration in a released Lease, as client-go writes it. */
	private static final int RELEASED_SECONDS = 1;

	private final String name;

	private final String identity;

	private final LeaseDurations durations;

	private final String noSlots;

	private final HeldLease observed;

	/** Writes by their renew times. */
	private final TreeMap<Instant, Write> writes = new TreeMap<>();

	/** Lease of the last answer, which the next write replaces. */
	private @Nullable Lease latest;

	/** Whether {@link #latest} is the current one, as far as this process knows. */
	private boolean current;

	/**
	 * Create a Lease that was neither read nor written. {@code noSlots} is the text of a
	 * claim without slots.
	 */
	public OwnLease(String name, String identity, LeaseDurations durations, String noSlots) {
		this.name = name;
		this.identity = identity;
		this.durations = durations;
		this.noSlots = noSlots;
		this.observed = new HeldLease(durations);
	}

	public String name() {
		return this.name;
	}

	/**
	 * Return whether a write was sent, so that the Lease may name this process.
	 */
	public boolean isWritten() {
		return !this.writes.isEmpty();
	}

	public boolean isCurrent() {
		return this.current;
	}

	/**
	 * Return the content of the last answer; {@code null} if there is no Lease.
	 */
	public @Nullable LeaseRecord latest() {
		return (this.latest != null) ? this.latest.record() : null;
	}

	/**
	 * Return whether this process holds the Lease, as far as it knows.
	 */
	public boolean isHeld() {
		return this.latest != null && isOwn(this.latest.record());
	}

	/**
	 * Return whether this process has written that it holds the Lease, also if someone
	 * has changed its slots. Another process with the same identity has not.
	 */
	public boolean isOwn(LeaseRecord record) {
		return record.isHeldBy(this.identity) && find(record) != null;
	}

	/**
	 * Return the time at which this process has sent a write, in nanoseconds;
	 * {@code null} if it has not written exactly this content, so that others do not know
	 * its slots.
	 */
	public @Nullable Long sentAt(@Nullable LeaseRecord record) {
		Write write = (record != null) ? find(record) : null;
		return (write != null && write.record().equals(record)) ? write.sentAt() : null;
	}

	private @Nullable Write find(LeaseRecord record) {
		return (record.renewTime() != null) ? this.writes.get(record.renewTime()) : null;
	}

	/**
	 * Observe the content, see {@link HeldLease#note}.
	 */
	public boolean note(@Nullable LeaseRecord seen, long readAfter, long now) {
		return this.observed.note(seen, readAfter, now);
	}

	/**
	 * Return the content that was observed last; {@code null} before the first one.
	 */
	public @Nullable LeaseRecord observed() {
		return this.observed.record();
	}

	/**
	 * Return the time until the Lease is not held by another process, unless it changes.
	 */
	public long nanosHeldByOther(long now) {
		LeaseRecord held = this.observed.record();
		return (held != null && isOwn(held)) ? 0 : this.observed.nanosHeld(now);
	}

	public LeaseRequest read(long now) {
		return new LeaseRequest(Purpose.READ, this.name, this.latest, null, now);
	}

	/**
	 * Write that this process holds the Lease since the beginning of a term, {@code null}
	 * if it has not begun.
	 */
	public LeaseRequest write(@Nullable Term term, int transitions, String slots, long now, Instant clock) {
		Instant renewTime = later(clock);
		LeaseRecord record = new LeaseRecord(this.identity, this.durations.leaseSeconds(),
				(term != null) ? term.record().acquireTime() : renewTime, renewTime, transitions, slots);
		return write((term != null) ? Purpose.RENEW : Purpose.ACQUIRE, record, renewTime, now);
	}

	/**
	 * Write that no process holds the Lease, also if it is released. It is not deleted:
	 * others would not know whether its holder has left or does not know of the deletion.
	 */
	public LeaseRequest release(long now, Instant clock) {
		Instant renewTime = later(clock);
		int transitions = (this.latest != null) ? this.latest.record().transitions() : 0;
		return write(Purpose.RELEASE,
				new LeaseRecord("", RELEASED_SECONDS, renewTime, renewTime, transitions, this.noSlots), renewTime, now);
	}

	/**
	 * Return a renew time that is later than all before of this process, even if the
	 * clock was set back: others take a Lease for expired that does not change.
	 */
	private Instant later(Instant clock) {
		Instant time = clock.truncatedTo(ChronoUnit.MICROS);
		if (this.writes.isEmpty() || time.isAfter(this.writes.lastKey())) {
			return time;
		}
		return TimeSource.plus(this.writes.lastKey(), ChronoUnit.MICROS.getDuration());
	}

	private LeaseRequest write(Purpose purpose, LeaseRecord record, Instant renewTime, long now) {
		this.writes.put(renewTime, new Write(record, now));
		if (this.writes.size() > REMEMBERED_WRITES) {
			this.writes.pollFirstEntry();
		}
		return new LeaseRequest(purpose, this.name, this.latest, record, now);
	}

	/**
	 * Note the Lease of an answer, {@code null} if there is none.
	 */
	public void answered(@Nullable Lease answer) {
		this.latest = answer;
		this.current = true;
	}

	/**
	 * Note that the Lease has to be read before it is written.
	 */
	public void changed() {
		this.current = false;
	}

	/**
	 * Write of the Lease.
	 */
	private record Write(LeaseRecord record, long sentAt) {

	}

}
