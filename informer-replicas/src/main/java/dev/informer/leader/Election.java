/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Instant;
import java.util.Map;
import java.util.function.DoubleSupplier;

import dev.informer.client.TimeSource;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseProtocol;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.lease.OwnLease;
import dev.informer.lease.Term;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of one process in an election. A Lease that is held by another process is
 * respected until this process has seen no change of it for the lease duration, by the
 * monotonic clock of this process. It sees changes in the watch, and reads the Lease in
 * each retry period in which the watch shows none: the watch may be silent. Every write
 * replaces the Lease that was read, and fails if it has changed, so an observation that
 * is out of date costs a request and never leads to a second leader. A leader gives up
 * before others stop to respect its Lease, see {@link LeaseProtocol}.
 * <p>
 * <b>Concurrency.</b> Confined to one thread.
 *
 * @see <a href=
 * "https://github.com/kubernetes/client-go/blob/master/tools/leaderelection/leaderelection.go">leaderelection.go</a>
 */
final class Election extends LeaseProtocol {

	private final LeaderElectionOptions options;

	private final long retryPeriod;

	/** Largest number of transitions seen, also if the Lease was deleted since then. */
	private int transitions = -1;

	private boolean answered;

	/** Whether the last request failed for a reason that a renewal does not disprove. */
	private boolean refused;

	private int conflicts;

	private long nextAttempt;

	/** Time of the next read while another process holds the Lease. */
	private long nextRead;

	/** Whether another process holds the Lease, and whether it has the same identity. */
	private boolean held;

	private boolean twin;

	/**
	 * Create an election without a leader. {@code now} is in nanoseconds; {@code random}
	 * returns numbers between 0 and 1.
	 */
	Election(LeaderElectionOptions options, long now, DoubleSupplier random) {
		super(new OwnLease(options.leaseName(), options.identity(), options.durations(), ""), options.durations(),
				random);
		this.options = options;
		this.retryPeriod = TimeSource.nanos(options.retryPeriod());
		this.nextAttempt = now;
	}

	@Nullable LeaseRecord observed() {
		return this.lease.observed();
	}

	/**
	 * Return whether the state of the Lease is known, and there is nothing to do until it
	 * changes or expires.
	 */
	@Override
	public boolean isSettled(long now) {
		return term() != null || (this.answered && this.lease.nanosHeldByOther(now) > 0);
	}

	@Override
	public @Nullable String problem() {
		LeaseRecord record = this.lease.observed();
		if (record == null || term() != null) {
			return null;
		}
		if (this.twin) {
			return twinProblem("does not lead", this.options.identity());
		}
		if (!hasNextTransitions(record)) {
			return "does not lead, because no fencing token is larger than leaseTransitions " + record.transitions()
					+ " of the Lease " + this.lease.name()
					+ ". Set it to the largest token that was used, or stop all replicas and delete the Lease.";
		}
		return this.held ? this.options.durations().tooLong(this.lease.name(), record) : null;
	}

	/**
	 * Observe the Lease in the watch. A leader confirms a change by its next renewal,
	 * which fails if another process has taken over. For other processes a renewal by the
	 * leader is what a read would answer, and proves that the server is reachable. It
	 * proves neither rights nor credentials of this process: a watch keeps those that it
	 * began with. After a failure for such a reason the Lease is read until that works.
	 */
	@Override
	public boolean observe(Map<String, LeaseRecord> leases, long now) {
		LeaseRecord record = leases.get(this.lease.name());
		if (term() != null) {
			if (record == null || !this.lease.isOwn(record)) {
				this.nextAttempt = now;
			}
			return false;
		}
		boolean changed = note(record, now, now);
		if (changed && !this.refused) {
			// the next renewal is due after the retry period of the holder
			this.nextRead = now + this.retryPeriod * 3 / 2;
		}
		if (record != null && record.holder().isEmpty()) {
			this.nextAttempt = now;
		}
		return changed && !this.refused && this.lease.nanosHeldByOther(now) > 0;
	}

	private boolean note(@Nullable LeaseRecord seen, long readAfter, long now) {
		if (seen != null && hasNextTransitions(seen)) {
			this.transitions = Math.max(this.transitions, seen.transitions());
		}
		return this.lease.note(seen, readAfter, now);
	}

	/**
	 * Return whether a Lease allows a larger number of transitions.
	 */
	private static boolean hasNextTransitions(LeaseRecord record) {
		return record.transitions() < Integer.MAX_VALUE;
	}

	@Override
	protected void lose(String reason, long now) {
		super.lose(reason, now);
		if (!isReleasing()) {
			this.lease.changed();
		}
		this.nextAttempt = now;
	}

	@Override
	public void release(long now) {
		super.release(now);
		this.nextAttempt = now;
	}

	@Override
	protected long nanosToRequest(long now) {
		long attempt = this.nextAttempt - now;
		if (term() == null && this.answered && !isReleasing()) {
			long held = this.lease.nanosHeldByOther(now);
			attempt = Math.max(attempt, Math.min(held, this.nextRead - now));
		}
		return attempt;
	}

	@Override
	protected void update(long now) {
		expire(now);
		LeaseRecord observed = this.lease.observed();
		this.held = this.lease.nanosHeldByOther(now) > 0;
		this.twin = this.held && observed != null && observed.isHeldBy(this.options.identity());
	}

	@Override
	protected @Nullable LeaseRequest write(long now, Instant clock) {
		Term term = term();
		if (term != null) {
			return this.lease.write(term, term.token(), "", now, clock);
		}
		LeaseRecord latest = this.lease.latest();
		if (latest != null && !hasNextTransitions(latest)) {
			// until someone edits the Lease
			this.lease.changed();
			this.nextAttempt = now + this.retryPeriod;
			return null;
		}
		return this.lease.write(null, this.transitions + 1, "", now, clock);
	}

	@Override
	protected void found(@Nullable Lease answer, long sentAt, long now) {
		this.answered = true;
		this.refused = false;
		LeaseRecord record = (answer != null) ? answer.record() : null;
		Term running = term();
		this.nextAttempt = now;
		this.nextRead = now + this.retryPeriod;
		if (running != null && record != null
				&& !(this.lease.isOwn(record) && record.transitions() == running.token())) {
			lose(lostTo(record), now);
		}
		this.lease.answered(answer);
		note(record, sentAt, now);
		// the watch has shown another content since, which may be earlier: the answer may
		// be the Lease of a leader that is alive, although the watch shows its release
		boolean unconfirmed = record != null && !record.equals(this.lease.observed());
		if (term() == null && !isReleasing() && (unconfirmed || this.lease.nanosHeldByOther(now) > 0)) {
			this.conflicts = 0;
			// it is read again before it is acquired
			this.lease.changed();
		}
	}

	private String lostTo(LeaseRecord record) {
		if (record.isHeldBy(this.options.identity())) {
			return "the Lease was changed, or its identity is used, by another process";
		}
		return record.holder().isEmpty() ? "the Lease was released by another process"
				: "the Lease is held by " + record.printedHolder();
	}

	@Override
	protected void written(Purpose purpose, LeaseRecord record, long sentAt, long now) {
		this.answered = true;
		this.refused = false;
		this.conflicts = 0;
		note(record, now, now);
		this.nextAttempt = (term() != null) ? sentAt + this.retryPeriod : now;
	}

	@Override
	protected void failed(LeaseRequest request, Failure failure, long now) {
		this.refused = failure != Failure.CONFLICT && failure != Failure.UNAVAILABLE;
		switch (failure) {
			case CONFLICT -> {
				this.lease.changed();
				this.conflicts++;
				this.nextAttempt = (this.conflicts == 1) ? now : now + retryDelay();
			}
			case NOT_FOUND -> {
				if (term() == null && !isReleasing()) {
					this.lease.changed();
				}
				this.nextAttempt = (request.lease() != null) ? now : now + retryDelay();
			}
			case ALTERED, UNAVAILABLE, OTHER -> {
				// a write may have been applied, which the next one finds out
				if (term() == null) {
					this.lease.changed();
				}
				this.nextAttempt = now + retryDelay();
			}
		}
	}

}
