/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.TreeMap;

import dev.informer.client.TimeSource;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Purpose;
import org.jspecify.annotations.Nullable;

/**
 * Lease of this process, as far as requests have shown it. Every write replaces the Lease
 * that was read or written last, and fails if it has changed, so writes are applied in
 * the order in which they were sent, or not at all.
 * <p>
 * <b>Concurrency.</b> Not thread-safe.
 */
final class MemberLease {

	/** Writes that may be observed later. */
	private static final int REMEMBERED_WRITES = 100;

	private final ShardingOptions options;

	private final String name;

	private final int leaseSeconds;

	/** Writes by their renew times. */
	private final TreeMap<Instant, Write> writes = new TreeMap<>();

	private @Nullable Lease latest;

	/** Whether {@link #latest} is the current one, as far as this process knows. */
	private boolean current;

	/** Content that another process has written. */
	private @Nullable LeaseRecord foreign;

	private long foreignSince;

	MemberLease(ShardingOptions options) {
		this.options = options;
		this.name = options.location().name();
		this.leaseSeconds = options.durations().leaseSeconds();
	}

	String name() {
		return this.name;
	}

	boolean isWritten() {
		return !this.writes.isEmpty();
	}

	boolean isCurrent() {
		return this.current;
	}

	/**
	 * Return the holder of the Lease if another process has written it and it has not
	 * expired: one with the same identity, which may be running.
	 */
	boolean isForeign() {
		return this.foreign != null;
	}

	/**
	 * Return the time at which this process has sent a write, in nanoseconds;
	 * {@code null} if it has not written exactly this content, so that others do not know
	 * its slots.
	 */
	@Nullable Long sentAt(@Nullable LeaseRecord record) {
		Write write = find(record);
		return (write != null && write.record().equals(record)) ? write.sentAt() : null;
	}

	/**
	 * Return whether this process holds the Lease, also if someone has changed its slots.
	 */
	private boolean isHeld(LeaseRecord record) {
		return record.isHeldBy(this.options.identity()) && find(record) != null;
	}

	private @Nullable Write find(@Nullable LeaseRecord record) {
		Instant renewTime = (record != null) ? record.renewTime() : null;
		return (renewTime != null) ? this.writes.get(renewTime) : null;
	}

	LeaseRequest read(long now) {
		return new LeaseRequest(Purpose.READ, this.name, this.latest, null, now);
	}

	/**
	 * Write that this process is a member.
	 * @param joined the renew time of the first write of the term; {@code null} if this
	 * is the first one
	 */
	LeaseRequest write(SlotClaim claim, @Nullable Instant joined, long now, Instant clock) {
		Instant renewTime = later(clock);
		return write(
				(joined != null) ? Purpose.RENEW : Purpose.ACQUIRE, new LeaseRecord(this.options.identity(),
						this.leaseSeconds, (joined != null) ? joined : renewTime, renewTime, 0, claim.text()),
				renewTime, now);
	}

	private LeaseRequest write(Purpose purpose, LeaseRecord record, Instant renewTime, long now) {
		this.writes.put(renewTime, new Write(record, now));
		if (this.writes.size() > REMEMBERED_WRITES) {
			this.writes.pollFirstEntry();
		}
		return new LeaseRequest(purpose, this.name, this.latest, record, now);
	}

	/**
	 * Return whether this process holds the Lease, as far as it knows.
	 */
	boolean isHeld() {
		return this.latest != null && isHeld(this.latest.record());
	}

	/**
	 * Release the Lease, also if it is released. It is not deleted: others would not know
	 * whether its member has left or does not know of the deletion.
	 */
	LeaseRequest release(long now, Instant clock) {
		Instant renewTime = later(clock);
		SlotClaim none = new SlotClaim(this.options.slots(), new BitSet());
		return write(Purpose.RELEASE, new LeaseRecord("", 1, renewTime, renewTime, 0, none.text()), renewTime, now);
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

	void written(@Nullable Lease answer) {
		this.latest = answer;
		this.current = true;
	}

	/**
	 * Note the result of a read.
	 * @return the time until the Lease may be written, unless it changes: another process
	 * that has written it may be alive. 0 if it may be written now
	 */
	long found(@Nullable Lease answer, long now) {
		this.latest = answer;
		LeaseRecord record = (answer != null) ? answer.record() : null;
		if (record == null || record.holder().isEmpty() || isHeld(record)) {
			this.foreign = null;
			this.current = true;
			return 0;
		}
		if (!record.equals(this.foreign)) {
			this.foreign = record;
			this.foreignSince = now;
		}
		long left = Math.max(0, this.foreignSince + this.options.durations().heldNanos(record) - now);
		this.current = left == 0;
		if (this.current) {
			this.foreign = null;
		}
		return left;
	}

	/**
	 * Note that the Lease has to be read before it is written.
	 */
	void changed() {
		this.current = false;
	}

	void missing() {
		this.latest = null;
		this.current = true;
	}

	/**
	 * Write of the Lease.
	 */
	private record Write(LeaseRecord record, long sentAt) {

	}

}
