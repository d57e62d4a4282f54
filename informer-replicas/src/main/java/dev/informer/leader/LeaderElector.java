/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseFailure;
import dev.informer.lease.LeaseLifecycle;
import dev.informer.lease.LeaseRecord;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaListener;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Participation of this process in a leader election. Can be started again after a stop.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The thread that calls the observer of a run writes the
 * volatile state, and a start before that thread begins; {@link #begin()} reads it
 * without a lock. The {@link LeaseLifecycle} lets starts and stops exclude each other.
 */
public final class LeaderElector implements Leadership {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private final LeaderElectionOptions options;

	private final LeaseLifecycle lifecycle;

	/** Number of pieces of work that have begun and not ended. */
	private final AtomicInteger running = new AtomicInteger();

	private volatile Standing standing = new Standing(null);

	/**
	 * Create a participation, which does nothing until it is started.
	 * @param options the options of the election
	 * @param apiClient the supplier of the client of the API server
	 * @param threads the factory of the threads, whose names are set
	 */
	public LeaderElector(LeaderElectionOptions options, Supplier<ApiClient> apiClient, ThreadFactory threads) {
		this.options = options;
		this.lifecycle = new LeaseLifecycle(logger, "Election '" + options.name() + "'",
				Map.of("election", options.name()), options.location(), options.durations(), apiClient, threads);
	}

	/**
	 * Return the options.
	 * @return the options
	 */
	public LeaderElectionOptions options() {
		return this.options;
	}

	@Override
	public String election() {
		return this.options.name();
	}

	@Override
	public String identity() {
		return this.options.identity();
	}

	@Override
	public boolean isLeader() {
		return currentTerm() != null;
	}

	private @Nullable Term currentTerm() {
		Term current = this.standing.term;
		return (current != null && this.lifecycle.permitsWork(current.renewedAt())) ? current : null;
	}

	@Override
	public OptionalInt fencingToken() {
		Term current = currentTerm();
		return (current != null) ? OptionalInt.of(current.token()) : OptionalInt.empty();
	}

	@Override
	public Optional<String> leader() {
		LeaseRecord record = this.standing.observed;
		if (record == null || record.holder().isEmpty()) {
			return Optional.empty();
		}
		return Optional.of(record.isHeldBy(identity()) ? identity() : record.printedHolder());
	}

	/**
	 * Return the number of transitions of the Lease, as far as this process has observed.
	 * @return the number; empty if this process has not seen the Lease
	 */
	public OptionalInt transitions() {
		LeaseRecord record = this.standing.observed;
		return (record != null) ? OptionalInt.of(record.transitions()) : OptionalInt.empty();
	}

	/**
	 * Return the failure of the requests and of the watch for the Lease since they were
	 * last successful.
	 * @return the failure; empty if there is none
	 */
	public Optional<LeaseFailure> failure() {
		return this.lifecycle.failure();
	}

	@Override
	public boolean begin() {
		// first, so that a stop either sees the work or prevents it
		this.running.incrementAndGet();
		boolean permitted = isLeader();
		if (!permitted) {
			end();
		}
		return permitted;
	}

	@Override
	public void end() {
		if (this.running.decrementAndGet() == 0) {
			this.lifecycle.workEnded(false);
		}
	}

	@Override
	public void addListener(ReplicaListener listener) {
		this.lifecycle.addListener(listener);
	}

	@Override
	public void removeListener(ReplicaListener listener) {
		this.lifecycle.removeListener(listener);
	}

	/**
	 * Take part in the election. Returns immediately. Does nothing if it was started.
	 */
	public void start() {
		this.lifecycle.start(() -> {
			this.standing = new Standing(this.standing.observed);
			logger.info("Election '{}' started as '{}', by Lease {}/{}", election(), identity(),
					this.options.leaseNamespace(), this.options.leaseName());
			return new Election(this.options, TimeSource.SYSTEM.nanoTime(),
					() -> ThreadLocalRandom.current().nextDouble());
		}, (election) -> new ElectionObserver(this, this.standing, election, TimeSource.SYSTEM));
	}

	/**
	 * Wait until this process is leader, or knows that another one is, or cannot know it.
	 * @param timeout the maximum time to wait
	 * @return whether this is the case
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public boolean awaitAnswer(Duration timeout) throws InterruptedException {
		return this.lifecycle.awaitAnswer(() -> this.standing.settled, timeout);
	}

	/**
	 * Stop. No work begins from now on. If all work ends in time, the leadership is
	 * released, so that another process takes over at once; otherwise it expires.
	 * @param timeout the maximum time to wait for work to end
	 * @throws InterruptedException if the waiting thread is interrupted; the leadership
	 * is not released then
	 */
	public void stop(Duration timeout) throws InterruptedException {
		this.lifecycle.stop(timeout, () -> this.running.get() == 0,
				() -> logger.warn(
						"Election '{}' stopped while {} invocations that began as leader are running; the Lease "
								+ "expires after {} ms",
						election(), this.running, TimeSource.millis(this.options.leaseDuration())));
	}

	void notify(ReplicaEvent event) {
		this.lifecycle.notify(event);
	}

	int running() {
		return this.running.get();
	}

	/**
	 * State of a run. Each run has its own, so that a former one whose listener is slow
	 * changes nothing.
	 */
	static final class Standing {

		private volatile @Nullable Term term;

		private volatile @Nullable LeaseRecord observed;

		private volatile boolean settled;

		private Standing(@Nullable LeaseRecord observed) {
			this.observed = observed;
		}

		/**
		 * Publish the state.
		 * @param current the term of this process; {@code null} if it is not leader
		 * @param record the observed content of the Lease
		 * @param known whether the leader is known
		 */
		void publish(@Nullable Term current, @Nullable LeaseRecord record, boolean known) {
			this.term = current;
			this.observed = record;
			this.settled = known;
		}

	}

}
