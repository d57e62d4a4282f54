/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.DoubleSupplier;

import dev.informer.client.TimeSource;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseDurations;
import dev.informer.lease.LeaseProtocol;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
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

	/** Duration in a released Lease, as client-go writes it. */
	private static final int RELEASED_SECONDS = 1;

	private final LeaderElectionOptions options;

	private final LeaseDurations durations;

	private final String identity;

	private final long renewDeadline;

	private final long retryPeriod;

	private final DoubleSupplier random;

	private final LeaseObservation observation;

	private @Nullable LeaseRequest running;

	/** Lease of the last answer, which the next write replaces. */
	private @Nullable Lease lease;

	/** Whether {@link #lease} is the latest one, as far as this process knows. */
	private boolean current;

	private boolean answered;

	private @Nullable Term term;

	private @Nullable String lostBecause;

	private int conflicts;

	private long nextAttempt;

	/** Time of the next read while another process holds the Lease. */
	private long nextRead;

	/** Whether a write was sent, so that the Lease may name this process. */
	private boolean written;

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
		this.identity = options.identity();
		this.renewDeadline = TimeSource.nanos(options.renewDeadline());
		this.retryPeriod = TimeSource.nanos(options.retryPeriod());
		this.random = random;
		this.observation = new LeaseObservation(options.identity(), this.durations);
		this.nextAttempt = now;
	}

	@Nullable Term term() {
		return this.term;
	}

	@Nullable String lostBecause() {
		return this.lostBecause;
	}

	@Nullable LeaseRecord observed() {
		return this.observation.record();
	}

	boolean isRunning() {
		return this.running != null;
	}

	/**
	 * Return whether the state of the Lease is known, and there is nothing to do until it
	 * changes or expires.
	 */
	boolean isSettled(long now) {
		return this.term != null || (this.answered && this.observation.isHeldByOther(now));
	}

	@Override
	public boolean isDone() {
		return this.done;
	}

	@Override
	public @Nullable String problem() {
		LeaseRecord record = this.observation.record();
		if (record == null || this.term != null) {
			return null;
		}
		if (this.twin) {
			return "does not lead, because a Lease with its identity '" + this.identity
					+ "', which another process or an earlier run has written, has not expired. If another process is "
					+ "running with this identity, give each its own.";
		}
		if (!LeaseObservation.hasNextTransitions(record)) {
			return "does not lead, because no fencing token is larger than leaseTransitions " + record.transitions()
					+ " of the Lease " + this.options.leaseName()
					+ ". Set it to the largest token that was used, or stop all replicas and delete the Lease.";
		}
		return (this.held && this.durations.isTooLong(record))
				? this.durations.tooLong(this.options.leaseName(), record) : null;
	}

	/**
	 * Observe the Lease in the watch. A leader confirms a change by its next renewal,
	 * which fails if another process has taken over.
	 */
	@Override
	public void observe(Map<String, LeaseRecord> leases, long now) {
		LeaseRecord record = leases.get(this.options.leaseName());
		if (this.term != null) {
			if (record == null || !this.observation.isOwn(record)) {
				this.nextAttempt = now;
			}
			return;
		}
		if (this.observation.note(record, now, now)) {
			// the next renewal is due after the retry period of the holder
			this.nextRead = now + this.retryPeriod * 3 / 2;
		}
		if (record != null && record.holder().isEmpty()) {
			this.nextAttempt = now;
		}
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
		this.current = false;
		this.nextAttempt = now;
	}

	@Override
	public void release(long now) {
		this.releasing = true;
		if (this.term != null) {
			boolean known = this.current;
			lose("it was released", now);
			this.current = known;
		}
		this.nextAttempt = now;
		this.done = !this.written;
	}

	@Override
	public long nanosToNext(long now) {
		long deadline = (this.term != null) ? this.term.renewedAt() + this.renewDeadline - now : Long.MAX_VALUE;
		if (this.running != null || this.done) {
			return Math.max(0, deadline);
		}
		long attempt = this.nextAttempt - now;
		if (this.term == null && this.answered && !this.releasing) {
			long held = this.observation.nanosHeldByOther(now);
			attempt = Math.max(attempt, Math.min(held, this.nextRead - now));
		}
		return Math.max(0, Math.min(deadline, attempt));
	}

	@Override
	public @Nullable LeaseRequest next(long now, Instant clock) {
		expire(now);
		this.held = this.observation.isHeldByOther(now);
		this.twin = this.observation.isHeldByTwin(now);
		if (this.running == null && !this.done && nanosToNext(now) == 0) {
			this.running = request(now, clock.truncatedTo(ChronoUnit.MICROS));
		}
		return this.running;
	}

	private @Nullable LeaseRequest request(long now, Instant clock) {
		Lease latest = this.lease;
		if (!this.current) {
			return request(Purpose.READ, latest, null, now);
		}
		if (this.releasing) {
			if (latest == null || !this.observation.isOwn(latest.record())) {
				this.done = true;
				return null;
			}
			return request(Purpose.RELEASE, latest,
					new LeaseRecord("", RELEASED_SECONDS, clock, clock, latest.record().transitions()), now);
		}
		Term renewed = this.term;
		if (renewed == null && latest != null && !LeaseObservation.hasNextTransitions(latest.record())) {
			// until someone edits the Lease
			this.current = false;
			this.nextAttempt = now + this.retryPeriod;
			return null;
		}
		this.written = true;
		if (renewed != null) {
			Instant next = later((latest != null) ? latest.record() : renewed.record(), clock);
			return request(Purpose.RENEW, latest, record(renewed.record().acquireTime(), next, renewed.token()), now);
		}
		return request(Purpose.ACQUIRE, latest, record(clock, clock, this.observation.nextTransitions()), now);
	}

	private LeaseRequest request(Purpose purpose, @Nullable Lease latest, @Nullable LeaseRecord record, long now) {
		if (record != null && record.renewTime() != null) {
			this.observation.writing(record.renewTime());
		}
		return new LeaseRequest(purpose, this.options.leaseName(), latest, record, now);
	}

	/**
	 * Return a renew time that is later than the last one, even if the clock was set
	 * back: others take a Lease for expired that does not change.
	 */
	private static Instant later(LeaseRecord last, Instant clock) {
		Instant time = last.renewTime();
		return (time != null && !clock.isAfter(time)) ? TimeSource.plus(time, ChronoUnit.MICROS.getDuration()) : clock;
	}

	private LeaseRecord record(@Nullable Instant acquireTime, Instant renewTime, int token) {
		return new LeaseRecord(this.identity, this.durations.leaseSeconds(), acquireTime, renewTime, token);
	}

	@Override
	public void succeeded(@Nullable Lease answer, long now) {
		LeaseRequest request = end(now);
		this.lease = answer;
		this.current = true;
		this.answered = true;
		LeaseRecord written = request.record();
		if (written == null) {
			read((answer != null) ? answer.record() : null, request.sentAt(), now);
			return;
		}
		this.conflicts = 0;
		this.observation.note(written, now, now);
		switch (request.purpose()) {
			case RENEW -> renewed(written, request.sentAt(), now);
			case ACQUIRE -> acquired(written, request.sentAt(), now);
			default -> this.done = true;
		}
	}

	private void read(@Nullable LeaseRecord record, long sentAt, long now) {
		Term running = this.term;
		this.nextAttempt = now;
		this.nextRead = now + this.retryPeriod;
		if (running != null && record != null && !(running.isTermOf(record) && this.observation.isOwn(record))) {
			lose(lostTo(record), now);
		}
		this.observation.note(record, sentAt, now);
		// the watch has shown another content since, which may be earlier: the answer may
		// be the Lease of a leader that is alive, although the watch shows its release
		boolean unconfirmed = record != null && !record.equals(this.observation.record());
		if (this.term == null && !this.releasing && (unconfirmed || this.observation.isHeldByOther(now))) {
			this.conflicts = 0;
			// it is read again before it is acquired
			this.current = false;
		}
		else {
			this.current = true;
		}
	}

	private String lostTo(LeaseRecord record) {
		if (record.isHeldBy(this.identity)) {
			return "the Lease was changed, or its identity is used, by another process";
		}
		return record.holder().isEmpty() ? "the Lease was released by another process"
				: "the Lease is held by " + record.printedHolder();
	}

	private void renewed(LeaseRecord record, long sentAt, long now) {
		if (this.term != null) {
			this.term = new Term(record, sentAt);
			this.nextAttempt = sentAt + this.retryPeriod;
		}
		else {
			// too late; the Lease belongs to this process, which may begin another term
			this.nextAttempt = now;
		}
	}

	private void acquired(LeaseRecord record, long sentAt, long now) {
		if (!this.releasing && now - sentAt < this.renewDeadline) {
			this.term = new Term(record, sentAt);
			this.nextAttempt = sentAt + this.retryPeriod;
		}
		else {
			this.nextAttempt = now;
		}
	}

	@Override
	public void failed(Failure failure, long now) {
		LeaseRequest request = end(now);
		switch (failure) {
			case CONFLICT -> {
				this.current = false;
				this.conflicts++;
				this.nextAttempt = (this.conflicts == 1) ? now : now + retryDelay();
			}
			case NOT_FOUND -> {
				this.lease = null;
				this.current = this.term != null || this.releasing;
				this.nextAttempt = (request.lease() != null) ? now : now + retryDelay();
			}
			case ALTERED, OTHER -> {
				// a write may have been applied, which the next one finds out
				this.current &= this.term != null;
				this.nextAttempt = now + retryDelay();
			}
		}
	}

	private long retryDelay() {
		return this.durations.retryNanos(this.random.getAsDouble());
	}

	private LeaseRequest end(long now) {
		LeaseRequest request = this.running;
		if (request == null) {
			throw new IllegalStateException("No request is running");
		}
		this.running = null;
		// before the result: one that arrives too late must not extend the term
		expire(now);
		return request;
	}

}
