/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.informer.Leadership;
import dev.informer.LeadershipListener;
import dev.informer.TimeSource;
import dev.informer.lease.ApiLeaseClient;
import dev.informer.lease.LeaseClient;
import dev.informer.lease.LeaseFailure;
import dev.informer.lease.LeaseFailures;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRun;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Participation of this process in a leader election. Can be started again after a stop.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The thread of the {@link LeaseRun} writes the volatile
 * state; {@link #begin()} reads it without a lock. Starts and stops exclude each other by
 * this object's monitor, which that thread does not take.
 */
public final class LeaderElector implements Leadership {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	/** Minimum time to release the Lease when a stop has no time left. */
	private static final Duration MIN_RELEASE = Duration.ofSeconds(1);

	private final LeaderElectionOptions options;

	private final Supplier<LeaseClient> clients;

	private final ThreadFactory threads;

	private final TimeSource time;

	private final long renewDeadline;

	private final LeaseFailures failures;

	private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();

	/** Number of pieces of work that have begun and not ended. */
	private final AtomicInteger running = new AtomicInteger();

	private volatile @Nullable LeaseRun run;

	private volatile @Nullable LeaseClient client;

	private volatile boolean stopping = true;

	private volatile @Nullable Term term;

	private volatile @Nullable LeaseRecord observed;

	private volatile boolean settled;

	/**
	 * Create a participation, which does nothing until it is started.
	 * @param options the options of the election
	 * @param apiClient the supplier of the client of the API server
	 * @param threads the factory of the threads, whose names are set
	 */
	public LeaderElector(LeaderElectionOptions options, Supplier<ApiClient> apiClient, ThreadFactory threads) {
		this(options, () -> new ApiLeaseClient(apiClient, options.location(), threads), threads, TimeSource.SYSTEM);
	}

	LeaderElector(LeaderElectionOptions options, Supplier<LeaseClient> clients, ThreadFactory threads,
			TimeSource time) {
		this.options = options;
		this.clients = clients;
		this.threads = threads;
		this.time = time;
		this.renewDeadline = TimeSource.nanos(options.renewDeadline());
		this.failures = new LeaseFailures(logger, subject(), Map.of("election", options.name()), options.location(),
				time);
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
		Term current = this.term;
		return (current != null && !this.stopping && this.time.nanoTime() - current.renewedAt() < this.renewDeadline)
				? current : null;
	}

	@Override
	public OptionalInt fencingToken() {
		Term current = currentTerm();
		return (current != null) ? OptionalInt.of(current.token()) : OptionalInt.empty();
	}

	@Override
	public Optional<String> leader() {
		LeaseRecord record = this.observed;
		return (record != null && !record.holder().isEmpty()) ? Optional.of(record.holder()) : Optional.empty();
	}

	/**
	 * Return the number of transitions of the Lease, as far as this process has observed.
	 * @return the number; empty if this process has not seen the Lease
	 */
	public OptionalInt transitions() {
		LeaseRecord record = this.observed;
		return (record != null) ? OptionalInt.of(record.transitions()) : OptionalInt.empty();
	}

	/**
	 * Return the failure of the requests and of the watch for the Lease since they were
	 * last successful.
	 * @return the failure; empty if there is none
	 */
	public Optional<LeaseFailure> failure() {
		LeaseClient watching = this.client;
		return this.failures.latest().or(() -> (watching != null) ? watching.watchFailure() : Optional.empty());
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
		LeaseRun current = this.run;
		if (this.running.decrementAndGet() == 0 && this.stopping && current != null) {
			current.signal();
		}
	}

	@Override
	public void addListener(LeadershipListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void removeListener(LeadershipListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Take part in the election. Returns immediately. Does nothing if it was started.
	 */
	public synchronized void start() {
		if (this.run != null) {
			return;
		}
		LeaseClient connected = this.clients.get();
		Election election = new Election(this.options, this.time.nanoTime(),
				() -> ThreadLocalRandom.current().nextDouble());
		LeaseRun started = new LeaseRun(subject(), logger, election, connected,
				new ElectionObserver(this, election, this.time), this.time);
		this.settled = false;
		this.failures.reset();
		this.client = connected;
		this.run = started;
		this.stopping = false;
		logger.info("Election '{}' started as '{}', by Lease {}/{}", election(), identity(),
				this.options.leaseNamespace(), this.options.leaseName());
		started.start(this.threads, "informer-leader-" + election());
	}

	/**
	 * Wait until this process is leader, or knows that another one is, or cannot know it.
	 * @param timeout the maximum time to wait
	 * @return whether this is the case
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public boolean awaitAnswer(Duration timeout) throws InterruptedException {
		LeaseRun current = this.run;
		LeaseClient watching = this.client;
		return current != null && watching != null && current
			.await(() -> (this.settled && watching.isWatching()) || failure().isPresent(), TimeSource.nanos(timeout));
	}

	/**
	 * Stop. No work begins from now on. If all work ends in time, the leadership is
	 * released, so that another process takes over at once; otherwise it expires.
	 * @param timeout the maximum time to wait for work to end
	 * @throws InterruptedException if the waiting thread is interrupted; the leadership
	 * is not released then
	 */
	public synchronized void stop(Duration timeout) throws InterruptedException {
		LeaseRun stopped = this.run;
		if (stopped == null) {
			return;
		}
		this.stopping = true;
		long deadline = this.time.nanoTime() + TimeSource.nanos(timeout);
		try {
			if (!stopped.await(() -> this.running.get() == 0, TimeSource.nanos(timeout))) {
				logger.warn(
						"Election '{}' stopped while {} invocations that began as leader are running; the Lease "
								+ "expires after {} ms",
						election(), this.running, TimeSource.millis(this.options.leaseDuration()));
			}
			else if (!stopped.release(Math.max(deadline - this.time.nanoTime(), TimeSource.nanos(MIN_RELEASE)))) {
				logger.warn("Election '{}' stopped but could not release the Lease, which expires after {} ms",
						election(), TimeSource.millis(this.options.leaseDuration()));
			}
		}
		finally {
			stopped.end();
			this.run = null;
			this.client = null;
		}
	}

	private String subject() {
		return "Election '" + election() + "'";
	}

	void notify(Consumer<LeadershipListener> event) {
		for (LeadershipListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			// code of the user
			catch (Throwable ex) {
				this.failures.listenerFailed(ex);
			}
		}
	}

	/**
	 * Publish the state of the run.
	 * @param current the term of this process; {@code null} if it is not leader
	 * @param record the observed content of the Lease
	 * @param known whether the leader is known
	 */
	void publish(@Nullable Term current, @Nullable LeaseRecord record, boolean known) {
		this.term = current;
		this.observed = record;
		this.settled = known;
	}

	int running() {
		return this.running.get();
	}

	LeaseFailures failures() {
		return this.failures;
	}

}
