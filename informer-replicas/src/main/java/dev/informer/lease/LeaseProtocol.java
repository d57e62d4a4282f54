/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of one process about its Lease. It neither waits nor sends requests:
 * {@link LeaseRun} sends the request of {@link #next} and reports its result. All times
 * are those of the monotonic clock, in nanoseconds.
 * <p>
 * A term ends when the renew deadline has passed since its last successful renewal was
 * <em>sent</em>. Another process can have observed that renewal only later than that, and
 * respects it for the longer lease duration.
 * <p>
 * <b>Concurrency.</b> Confined to one thread.
 */
public abstract class LeaseProtocol {

	protected final OwnLease lease;

	private final LeaseDurations durations;

	private final long renewDeadline;

	private final DoubleSupplier random;

	private @Nullable LeaseRequest running;

	private @Nullable Term term;

	private @Nullable String lostBecause;

	private boolean releasing;

	private boolean done;

	/**
	 * Create a protocol without a term. {@code random} returns numbers between 0 and 1.
	 */
	protected LeaseProtocol(OwnLease lease, LeaseDurations durations, DoubleSupplier random) {
		this.lease = lease;
		this.durations = durations;
		this.renewDeadline = TimeSource.nanos(durations.renewDeadline());
		this.random = random;
	}

	/**
	 * Return the term; {@code null} if this process does not hold what the Lease stands
	 * for.
	 */
	public final @Nullable Term term() {
		return this.term;
	}

	/**
	 * Return why the last term has ended.
	 */
	public final @Nullable String lostBecause() {
		return this.lostBecause;
	}

	public final boolean isRunning() {
		return this.running != null;
	}

	protected final boolean isReleasing() {
		return this.releasing;
	}

	/**
	 * Return whether the Lease was released, or never written.
	 */
	public final boolean isDone() {
		return this.done;
	}

	/**
	 * Return whether this process knows the other ones.
	 */
	public abstract boolean isSettled(long now);

	/**
	 * Return what is wrong although requests succeed, as the end of a sentence that
	 * begins with what the Lease is for; {@code null} for nothing. It contains no text
	 * that changes with time.
	 */
	public abstract @Nullable String problem();

	/**
	 * Return the problem of a Lease with the identity of this process that it has not
	 * written.
	 */
	protected final String twinProblem(String effect, String identity) {
		return effect + ", because a Lease with its identity '" + identity
				+ "', which another process or an earlier run has written, has not expired. If another process is "
				+ "running with this identity, give each its own.";
	}

	/**
	 * Observe the Leases in the watch by name. It may be behind the requests, and
	 * {@code now} is after the content was read.
	 * @return whether it answers what the last request has asked, so that a failure of
	 * that request is over without another one
	 */
	public abstract boolean observe(Map<String, LeaseRecord> leases, long now);

	/**
	 * End the term if the renew deadline has passed.
	 */
	public void expire(long now) {
		if (this.term != null && now - this.term.renewedAt() >= this.renewDeadline) {
			lose("its Lease could not be renewed within " + TimeSource.millis(this.durations.renewDeadline()) + " ms",
					now);
		}
	}

	/**
	 * End the term.
	 */
	protected void lose(String reason, long now) {
		this.term = null;
		this.lostBecause = reason;
	}

	/**
	 * Give up what the Lease stands for, and release the Lease.
	 */
	public void release(long now) {
		this.releasing = true;
		if (this.term != null) {
			lose("it was stopped", now);
		}
		this.done = !this.lease.isWritten();
	}

	/**
	 * Return the nanoseconds until {@link #next} has something to do,
	 * {@link Long#MAX_VALUE} for none.
	 */
	public final long nanosToNext(long now) {
		long deadline = nanosToDeadline(now);
		boolean waiting = this.running == null && !this.done;
		return Math.max(0, waiting ? Math.min(deadline, nanosToRequest(now)) : deadline);
	}

	/**
	 * Return the nanoseconds until the term ends.
	 */
	protected long nanosToDeadline(long now) {
		return (this.term != null) ? this.term.renewedAt() + this.renewDeadline - now : Long.MAX_VALUE;
	}

	/**
	 * Return the nanoseconds until the next request is due.
	 */
	protected abstract long nanosToRequest(long now);

	/**
	 * Return the next request, which is running until {@link #succeeded} or
	 * {@link #failed}; {@code null} for none. {@code now} is before the request is sent;
	 * {@code clock} is the time to write into the Lease.
	 */
	public final @Nullable LeaseRequest next(long now, Instant clock) {
		update(now);
		if (this.running == null && !this.done && nanosToRequest(now) <= 0) {
			this.running = request(now, clock);
		}
		return this.running;
	}

	/**
	 * Let time pass: {@link #expire}, and what follows from it and from observations.
	 */
	protected abstract void update(long now);

	private @Nullable LeaseRequest request(long now, Instant clock) {
		if (!this.lease.isCurrent()) {
			return this.lease.read(now);
		}
		if (this.releasing) {
			this.done = !this.lease.isHeld();
			return this.done ? null : this.lease.release(now, clock);
		}
		return write(now, clock);
	}

	/**
	 * Return the request that acquires or renews the Lease, or another one; {@code null}
	 * for none.
	 */
	protected abstract @Nullable LeaseRequest write(long now, Instant clock);

	/**
	 * Report the answer to the running request; {@code null} if a read has found none, or
	 * after a deletion.
	 */
	public final void succeeded(@Nullable Lease answer, long now) {
		LeaseRequest request = end(now);
		switch (request.purpose()) {
			case READ -> found(answer, request.sentAt(), now);
			case ACQUIRE, RENEW, RELEASE -> {
				this.lease.answered(answer);
				LeaseRecord record = Objects.requireNonNull(request.record());
				this.term = isTerm(request, now) ? new Term(record, request.sentAt()) : null;
				this.done |= this.releasing && request.purpose() == Purpose.RELEASE;
				written(request.purpose(), record, request.sentAt(), now);
			}
			case COLLECT -> {
			}
		}
	}

	/**
	 * Return whether a write has begun or continued a term. A renewal that is too late
	 * does not continue it: the Lease belongs to this process, which may begin another
	 * one.
	 */
	private boolean isTerm(LeaseRequest request, long now) {
		return switch (request.purpose()) {
			case ACQUIRE -> !this.releasing && now - request.sentAt() < this.renewDeadline;
			case RENEW -> this.term != null;
			default -> false;
		};
	}

	/**
	 * Note the Lease that was read, {@code null} if there is none.
	 */
	protected abstract void found(@Nullable Lease answer, long sentAt, long now);

	/**
	 * Note a successful write, after which {@link #term} is the current one.
	 */
	protected abstract void written(Purpose purpose, LeaseRecord record, long sentAt, long now);

	/**
	 * Report a failure of the running request.
	 */
	public final void failed(Failure failure, long now) {
		LeaseRequest request = end(now);
		if (request.purpose() == Purpose.COLLECT) {
			// another process has collected it, or one will
			return;
		}
		if (failure == Failure.NOT_FOUND) {
			this.lease.answered(null);
			this.done |= this.releasing;
		}
		failed(request, failure, now);
	}

	/**
	 * Note a failure of a request for the Lease of this process.
	 */
	protected abstract void failed(LeaseRequest request, Failure failure, long now);

	private LeaseRequest end(long now) {
		LeaseRequest request = Objects.requireNonNull(this.running, "No request is running");
		this.running = null;
		// before the result: one that arrives too late must not extend the term
		expire(now);
		return request;
	}

	/**
	 * Return the time until a failed request is repeated.
	 */
	protected final long retryDelay() {
		return this.durations.retryNanos(this.random.getAsDouble());
	}

}
