/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.replicas.Coordination;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaListener;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Participant in a coordination by Leases: starts and stops of its runs, with the
 * failures and the listeners of all of them. Can be started again after a stop.
 * <p>
 * <b>Concurrency.</b> Thread-safe. Starts and stops exclude each other by this object's
 * monitor, which the threads of a run do not take. The thread of decisions of a run
 * writes the volatile state, and a start before that thread begins; other threads read it
 * without a lock.
 */
public abstract class LeaseParticipant implements Coordination {

	/** Minimum time to release the Lease. */
	private static final Duration MIN_RELEASE = Duration.ofSeconds(1);

	private static final TimeSource TIME = TimeSource.SYSTEM;

	private final Logger logger = LoggerFactory.getLogger(getClass());

	private final String subject;

	private final String work;

	private final LeaseLocation location;

	private final Supplier<ApiClient> apiClient;

	private final ThreadFactory threads;

	private final long leaseDuration;

	private final long renewDeadline;

	private final LeaseFailures failures;

	private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();

	private volatile @Nullable LeaseRun run;

	private volatile boolean started;

	/**
	 * Create a participant that is not started.
	 * @param subject what the Lease is for, as the subject of a sentence
	 * @param work the work that the Lease permits, in the plural
	 * @param fields the fields of the log entries of failures
	 * @param location the Lease
	 * @param apiClient the supplier of the client of the API server
	 * @param threads the factory of the threads, whose names are set
	 */
	protected LeaseParticipant(String subject, String work, Map<String, String> fields, LeaseLocation location,
			Supplier<ApiClient> apiClient, ThreadFactory threads) {
		this.subject = subject;
		this.work = work;
		this.location = location;
		this.apiClient = apiClient;
		this.threads = threads;
		this.leaseDuration = TimeSource.nanos(location.durations().leaseDuration());
		this.renewDeadline = TimeSource.nanos(location.durations().renewDeadline());
		this.failures = new LeaseFailures(this.logger, subject, fields, location, TIME);
	}

	/**
	 * Create the state of a run. Called before work may begin.
	 */
	protected abstract State newState();

	/**
	 * Return the number of pieces of work that have begun and not ended.
	 */
	protected abstract int running();

	/**
	 * Take part. Returns immediately. Does nothing if it was started. If it throws,
	 * nothing is started, and {@link #failure()} has the reason until the next start.
	 */
	public final synchronized void start() {
		if (this.run != null) {
			return;
		}
		try {
			State state = newState();
			LeaseClient client = new LeaseClient(this.apiClient, this.location, this.threads);
			LeaseRun next = new LeaseRun(state, client, this.failures, TIME);
			this.failures.reset();
			this.run = next;
			// before the first listener is notified
			this.started = true;
			next.start(this.threads, "informer-" + this.location.purpose());
		}
		catch (RuntimeException | Error ex) {
			this.started = false;
			try {
				endRun();
			}
			finally {
				this.failures.startFailed(ex);
			}
			throw ex;
		}
	}

	private void endRun() {
		LeaseRun ending = this.run;
		try {
			if (ending != null) {
				ending.end();
			}
		}
		finally {
			this.run = null;
		}
	}

	/**
	 * Stop. No work begins from now on. If all work ends in time, the Lease is released,
	 * so that others take over at once; otherwise it expires. Requests for the release
	 * are repeated until the timeout, or until the Lease has expired, if that is sooner,
	 * but for a second in any case.
	 * @param timeout the maximum time to wait for work to end
	 * @throws InterruptedException if the waiting thread is interrupted; the Lease is not
	 * released then
	 */
	public final synchronized void stop(Duration timeout) throws InterruptedException {
		LeaseRun stopped = this.run;
		if (stopped == null) {
			return;
		}
		this.started = false;
		long deadline = TIME.nanoTime() + TimeSource.nanos(timeout);
		try {
			if (!stopped.await(() -> running() == 0, TimeSource.nanos(timeout))) {
				this.logger.warn("{} stopped while {} {} are running; the Lease expires after {} ms", this.subject,
						running(), this.work, leaseMillis());
				return;
			}
			long now = TIME.nanoTime();
			// afterwards the Lease has expired, and no process waits for its release
			long valid = stopped.succeededAt() + this.leaseDuration - now;
			long patience = Math.max(Math.min(deadline - now, valid), TimeSource.nanos(MIN_RELEASE));
			if (!stopped.release(patience) && valid > 0) {
				this.logger.warn("{} stopped but could not release the Lease, which expires after {} ms", this.subject,
						leaseMillis());
			}
		}
		finally {
			endRun();
		}
	}

	private long leaseMillis() {
		return TimeSource.millis(this.location.durations().leaseDuration());
	}

	/**
	 * Wait until this process knows the other ones, or cannot know them.
	 * @param timeout the maximum time to wait
	 * @return whether this is the case
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public final boolean awaitAnswer(Duration timeout) throws InterruptedException {
		LeaseRun current = this.run;
		return current != null
				&& current.await(() -> current.isSettled() || failure().isPresent(), TimeSource.nanos(timeout));
	}

	/**
	 * Return the failure of the requests and of the watch since they were last
	 * successful, or what is wrong although they succeed.
	 * @return the failure; empty if there is none
	 */
	public final Optional<LeaseFailure> failure() {
		LeaseRun current = this.run;
		return this.failures.latest()
			.or(() -> (current != null) ? current.watchFailure() : Optional.empty())
			.or(this.failures::problem);
	}

	/**
	 * Return whether work may begin, as far as the last renewal permits it.
	 * @param renewedAt the time at which the last successful renewal was sent
	 */
	protected final boolean permitsWork(long renewedAt) {
		return this.started && TIME.nanoTime() - renewedAt < this.renewDeadline;
	}

	/**
	 * Note that work has ended, for which a stop waits.
	 * @param awaited whether the protocol waits for it, too
	 */
	protected final void workEnded(boolean awaited) {
		LeaseRun current = this.run;
		if (current != null && (awaited || !this.started)) {
			current.signal();
		}
	}

	@Override
	public final void addListener(ReplicaListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public final void removeListener(ReplicaListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Notify the listeners. What one of them throws is logged and does not affect others.
	 */
	protected final void notify(ReplicaEvent event) {
		for (ReplicaListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			// code of the user
			catch (Throwable ex) {
				this.failures.listenerFailed(ex);
			}
		}
	}

	/**
	 * State of a run that others see, which logs and reports its changes. Each run has
	 * its own, so that a former one whose listener is slow changes nothing. Its methods
	 * are called on the thread of decisions.
	 */
	protected abstract class State {

		private volatile @Nullable Term term;

		/** Counts work on what was lost; {@code null} if none was running. */
		private @Nullable IntSupplier lostWork;

		/** Time at which another process may do the same work. */
		private long overdueAt;

		/**
		 * Return the protocol of the run.
		 */
		protected abstract LeaseProtocol protocol();

		/**
		 * Publish the state of the protocol, which may have changed. The log last: it may
		 * throw.
		 * @param lost the term that has ended; {@code null} for none
		 * @param acquired the term that has begun; {@code null} for none
		 * @param lostBecause the reason in words
		 */
		protected abstract void publish(@Nullable Term lost, @Nullable Term acquired, String lostBecause);

		/**
		 * Log that work ignores its interrupt, while another process may do the same.
		 */
		protected abstract void logOverdue(int count);

		/**
		 * Return the term; {@code null} for none. It may have expired.
		 */
		public final @Nullable Term term() {
			return this.term;
		}

		final void update() {
			Term previous = this.term;
			Term current = protocol().term();
			this.term = current;
			// a term begins with the answer to a request that is sent after the last one
			// ended
			publish((current != null) ? null : previous, (previous != null) ? null : current,
					Objects.requireNonNullElse(protocol().lostBecause(), "it has ended"));
		}

		/**
		 * Note that what the Lease stands for was lost.
		 * @param renewedAt the time at which the last successful renewal was sent
		 * @param running counts the work on it
		 */
		protected final void lost(long renewedAt, IntSupplier running) {
			this.overdueAt = renewedAt + LeaseParticipant.this.leaseDuration;
			this.lostWork = (running.getAsInt() > 0) ? running : null;
		}

		/**
		 * Note that it is held again, before another process could.
		 */
		protected final void regained() {
			this.lostWork = null;
		}

		final void reportOverdue() {
			IntSupplier running = this.lostWork;
			if (running != null && TIME.nanoTime() - this.overdueAt >= 0) {
				this.lostWork = null;
				int count = running.getAsInt();
				if (count > 0) {
					logOverdue(count);
				}
			}
		}

		/**
		 * Return the nanoseconds until {@link #reportOverdue} has something to do.
		 */
		final long nanosToNext(long now) {
			return (this.lostWork != null) ? Math.max(0, this.overdueAt - now) : Long.MAX_VALUE;
		}

		final void requested(Purpose purpose, Duration duration, boolean success) {
			if (purpose != Purpose.READ && purpose != Purpose.COLLECT) {
				LeaseParticipant.this.notify(new ReplicaEvent.Requested(LeaseParticipant.this, duration, success));
			}
		}

	}

}
