/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;

import dev.informer.client.TimeSource;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseDurations;
import dev.informer.lease.LeaseProtocol;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.lease.OwnLease;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of one process in an election. A Lease that is held by another process is
 * respected until this process has seen no change of it for the lease duration, by the
 * monotonic clock of this process. It sees changes in the watch, and reads the Lease in
 * each retry period in which the watch shows none: the watch may be silent. Every write
 * replaces the Lease that was read, and fails if it has changed, so an observation that
 * is out of date costs a request and never leads to a second leader.
 * <p>
 * Why there is one leader at a time: a leader gives up when the renew deadline has passed
 * since it <em>sent</em> its last successful renewal. Another process can have observed
 * that renewal only later than that, and waits for the longer lease duration.
 * <p>
 * <b>Concurrency.</b> Confined to one thread, see {@link LeaseProtocol}.
 *
 * @see <a href=
 * "https://github.com/kubernetes/client-go/blob/master/tools/leaderelection/leaderelection.go">leaderelection.go</a>
 */
final class Election implements LeaseProtocol {

	private final LeaderElectionOptions options;

	private final LeaseDurations durations;

	private final long renewDeadline;

	private final long retryPeriod;

	private final DoubleSupplier random;

	private final OwnLease lease;

	private @Nullable LeaseRequest running;

	/** Largest number of transitions seen, also if the Lease was deleted since then. */
	private int transitions = -1;

	private boolean answered;

	private @Nullable Term term;

	private @Nullable String lostBecause;

	private int conflicts;

	private long nextAttempt;

	/** Time of the next read while another process holds the Lease. */
	private long nextRead;

	private boolean releasing;

	private boolean done;

	/** Whether another process holds the Lease, and whether it has the same identity. */
	private boolean held;

	private boolean twin;

	/**
	 * Create an election without a leader. {@code now} is in nanoseconds; {@code random}
	 * returns numbers between 0 and 1.
	 */
	Election(LeaderElectionOptions options, long now, DoubleSupplier random) {
		this.options = options;
		this.durations = options.durations();
		this.renewDeadline = TimeSource.nanos(options.renewDeadline());
		this.retryPeriod = TimeSource.nanos(options.retryPeriod());
		this.random = random;
		this.lease = new OwnLease(options.leaseName(), options.identity(), this.durations);
		this.nextAttempt = now;
	}

	@Nullable Term term() {
		return this.term;
	}

	@Nullable String lostBecause() {
		return this.lostBecause;
	}

	@Nullable LeaseRecord observed() {
		return this.lease.observed();
	}

	boolean isRunning() {
		return this.running != null;
	}

	/**
	 * Return whether the state of the Lease is known, and there is nothing to do until it
	 * changes or expires.
	 */
	boolean isSettled(long now) {
		return this.term != null || (this.answered && this.lease.nanosHeldByOther(now) > 0);
	}

	@Override
	public boolean isDone() {
		return this.done;
	}

	@Override
	public @Nullable String problem() {
		LeaseRecord record = this.lease.observed();
		if (record == null || this.term != null) {
			return null;
		}
		if (this.twin) {
			return "does not lead, because a Lease with its identity '" + this.options.identity()
					+ "', which another process or an earlier run has written, has not expired. If another process is "
					+ "running with this identity, give each its own.";
		}
		if (!hasNextTransitions(record)) {
			return "does not lead, because no fencing token is larger than leaseTransitions " + record.transitions()
					+ " of the Lease " + this.lease.name()
					+ ". Set it to the largest token that was used, or stop all replicas and delete the Lease.";
		}
		return (this.held && this.durations.isTooLong(record)) ? this.durations.tooLong(this.lease.name(), record)
				: null;
	}

	/**
	 * Observe the Lease in the watch. A leader confirms a change by its next renewal,
	 * which fails if another process has taken over.
	 */
	@Override
	public void observe(Map<String, LeaseRecord> leases, long now) {
		LeaseRecord record = leases.get(this.lease.name());
		if (this.term != null) {
			if (record == null || !this.lease.isOwn(record)) {
				this.nextAttempt = now;
			}
			return;
		}
		if (note(record, now, now)) {
			// the next renewal is due after the retry period of the holder
			this.nextRead = now + this.retryPeriod * 3 / 2;
		}
		if (record != null && record.holder().isEmpty()) {
			this.nextAttempt = now;
		}
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

	/**
	 * End the term if the renew deadline has passed.
	 */
	void expire(long now) {
		Term ending = this.term;
		if (ending != null && now - ending.renewedAt() >= this.renewDeadline) {
			lose("it could not be renewed within " + TimeSource.millis(this.options.renewDeadline()) + " ms", now);
		}
	}

	private void lose(String reason, long now) {
		this.term = null;
		this.lostBecause = reason;
		this.lease.changed();
		this.nextAttempt = now;
	}

	@Override
	public void release(long now) {
		this.releasing = true;
		if (this.term != null) {
			this.term = null;
			this.lostBecause = "it was released";
		}
		this.nextAttempt = now;
		this.done = !this.lease.isWritten();
	}

	@Override
	public long nanosToNext(long now) {
		long deadline = (this.term != null) ? this.term.renewedAt() + this.renewDeadline - now : Long.MAX_VALUE;
		if (this.running != null || this.done) {
			return Math.max(0, deadline);
		}
		long attempt = this.nextAttempt - now;
		if (this.term == null && this.answered && !this.releasing) {
			long held = this.lease.nanosHeldByOther(now);
			attempt = Math.max(attempt, Math.min(held, this.nextRead - now));
		}
		return Math.max(0, Math.min(deadline, attempt));
	}

	@Override
	public @Nullable LeaseRequest next(long now, Instant clock) {
		expire(now);
		LeaseRecord observed = this.lease.observed();
		this.held = this.lease.nanosHeldByOther(now) > 0;
		this.twin = this.held && observed != null && observed.isHeldBy(this.options.identity());
		if (this.running == null && !this.done && nanosToNext(now) == 0) {
			this.running = request(now, clock);
		}
		return this.running;
	}

	private @Nullable LeaseRequest request(long now, Instant clock) {
		if (!this.lease.isCurrent()) {
			return this.lease.read(now);
		}
		if (this.releasing) {
			this.done = !this.lease.isHeld();
			return this.done ? null : this.lease.release("", now, clock);
		}
		if (this.term != null) {
			return this.lease.write(this.term.record().acquireTime(), this.term.token(), "", now, clock);
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
	public void succeeded(@Nullable Lease answer, long now) {
		LeaseRequest request = end(now);
		this.answered = true;
		LeaseRecord written = request.record();
		if (written == null) {
			read(answer, request.sentAt(), now);
			return;
		}
		this.lease.answered(answer);
		this.conflicts = 0;
		note(written, now, now);
		if (request.purpose() == Purpose.RELEASE) {
			this.done = true;
		}
		else {
			written(request, written, now);
		}
	}

	private void read(@Nullable Lease answer, long sentAt, long now) {
		LeaseRecord record = (answer != null) ? answer.record() : null;
		Term running = this.term;
		this.nextAttempt = now;
		this.nextRead = now + this.retryPeriod;
		if (running != null && record != null && !(running.isTermOf(record) && this.lease.isOwn(record))) {
			lose(lostTo(record), now);
		}
		this.lease.answered(answer);
		note(record, sentAt, now);
		// the watch has shown another content since, which may be earlier: the answer may
		// be the Lease of a leader that is alive, although the watch shows its release
		boolean unconfirmed = record != null && !record.equals(this.lease.observed());
		if (this.term == null && !this.releasing && (unconfirmed || this.lease.nanosHeldByOther(now) > 0)) {
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

	private void written(LeaseRequest request, LeaseRecord record, long now) {
		// a renewal that is too late does not continue the term: the Lease belongs to
		// this process, which may begin another one
		boolean leader = (request.purpose() == Purpose.RENEW) ? this.term != null
				: !this.releasing && now - request.sentAt() < this.renewDeadline;
		this.term = leader ? new Term(record, request.sentAt()) : null;
		this.nextAttempt = leader ? request.sentAt() + this.retryPeriod : now;
	}

	@Override
	public void failed(Failure failure, long now) {
		LeaseRequest request = end(now);
		switch (failure) {
			case CONFLICT -> {
				this.lease.changed();
				this.conflicts++;
				this.nextAttempt = (this.conflicts == 1) ? now : now + retryDelay();
			}
			case NOT_FOUND -> {
				this.lease.answered(null);
				if (this.term == null && !this.releasing) {
					this.lease.changed();
				}
				this.nextAttempt = (request.lease() != null) ? now : now + retryDelay();
			}
			case ALTERED, OTHER -> {
				// a write may have been applied, which the next one finds out
				if (this.term == null) {
					this.lease.changed();
				}
				this.nextAttempt = now + retryDelay();
			}
		}
	}

	private long retryDelay() {
		return this.durations.retryNanos(this.random.getAsDouble());
	}

	private LeaseRequest end(long now) {
		LeaseRequest request = Objects.requireNonNull(this.running, "No request is running");
		this.running = null;
		// before the result: one that arrives too late must not extend the term
		expire(now);
		return request;
	}

}
