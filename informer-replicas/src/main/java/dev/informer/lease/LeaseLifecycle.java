/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.informer.client.TimeSource;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaListener;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Lifecycle of a {@link LeaseProtocol}: starts and stops of its runs, with the failures
 * and the listeners of all of them.
 * <p>
 * <b>Concurrency.</b> Thread-safe. Starts and stops exclude each other by this object's
 * monitor, which the threads of a run do not take. They write the volatile state, which
 * other threads read without a lock.
 */
public final class LeaseLifecycle {

	/** Minimum time to release the Lease. */
	private static final Duration MIN_RELEASE = Duration.ofSeconds(1);

	private final Logger logger;

	private final String subject;

	private final LeaseLocation location;

	private final LeaseDurations durations;

	private final Supplier<ApiClient> apiClient;

	private final ThreadFactory threads;

	private final TimeSource time = TimeSource.SYSTEM;

	private final long renewDeadline;

	private final LeaseFailures failures;

	private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();

	private volatile @Nullable LeaseRun run;

	private volatile boolean started;

	/**
	 * Create a lifecycle that is not started.
	 * @param logger the logger
	 * @param subject what the Lease is for, as the subject of a sentence
	 * @param fields the fields of the log entries of failures
	 * @param location the Lease
	 * @param durations the durations of its holder
	 * @param apiClient the supplier of the client of the API server
	 * @param threads the factory of the threads, whose names are set
	 */
	public LeaseLifecycle(Logger logger, String subject, Map<String, String> fields, LeaseLocation location,
			LeaseDurations durations, Supplier<ApiClient> apiClient, ThreadFactory threads) {
		this.logger = logger;
		this.subject = subject;
		this.location = location;
		this.durations = durations;
		this.apiClient = apiClient;
		this.threads = threads;
		this.renewDeadline = TimeSource.nanos(durations.renewDeadline());
		this.failures = new LeaseFailures(logger, subject, fields, location, this.time);
	}

	/**
	 * Start a run. Returns immediately. Does nothing if one was started and not stopped.
	 * If it throws, nothing is started, and {@link #failure()} has the reason until the
	 * next start.
	 * @param <P> the type of the protocol
	 * @param protocols the supplier of a new protocol, called before work may begin
	 * @param observers the function that creates the observer of the protocol
	 */
	public synchronized <P extends LeaseProtocol> void start(Supplier<P> protocols,
			Function<P, LeaseObserver> observers) {
		if (this.run != null) {
			return;
		}
		try {
			P protocol = protocols.get();
			LeaseObserver observer = observers.apply(protocol);
			LeaseClient client = new ApiLeaseClient(this.apiClient, this.location, this.threads);
			LeaseRun next = new LeaseRun(protocol, client, observer, this.failures, this.time);
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
	 * Stop the run. No work begins from now on. The Lease is released if all work ends in
	 * time; otherwise it expires. Requests for the release are repeated until the
	 * timeout, or until the Lease has expired, if that is sooner, but for a second in any
	 * case.
	 * @param timeout the maximum time to wait for work to end
	 * @param idle returns whether all work has ended, evaluated after {@link #workEnded}
	 * @param stillRunning called if work is still running after the timeout
	 * @throws InterruptedException if the waiting thread is interrupted; the Lease is not
	 * released then
	 */
	public synchronized void stop(Duration timeout, BooleanSupplier idle, Runnable stillRunning)
			throws InterruptedException {
		LeaseRun stopped = this.run;
		if (stopped == null) {
			return;
		}
		this.started = false;
		long deadline = this.time.nanoTime() + TimeSource.nanos(timeout);
		try {
			if (!stopped.await(idle, TimeSource.nanos(timeout))) {
				stillRunning.run();
				return;
			}
			long now = this.time.nanoTime();
			// afterwards the Lease has expired, and no process waits for its release
			long valid = stopped.succeededAt() + TimeSource.nanos(this.durations.leaseDuration()) - now;
			long patience = Math.max(Math.min(deadline - now, valid), TimeSource.nanos(MIN_RELEASE));
			if (!stopped.release(patience) && valid > 0) {
				this.logger.warn("{} stopped but could not release the Lease, which expires after {} ms", this.subject,
						TimeSource.millis(this.durations.leaseDuration()));
			}
		}
		finally {
			endRun();
		}
	}

	/**
	 * Return whether work may begin, as far as the last renewal permits it.
	 * @param renewedAt the time at which the last successful renewal was sent
	 * @return whether the run is started and the renew deadline has not passed
	 */
	public boolean permitsWork(long renewedAt) {
		return this.started && this.time.nanoTime() - renewedAt < this.renewDeadline;
	}

	/**
	 * Report that work has ended, for which a stop waits.
	 * @param awaited whether the protocol waits for it, too
	 */
	public void workEnded(boolean awaited) {
		LeaseRun current = this.run;
		if (current != null && (awaited || !this.started)) {
			current.signal();
		}
	}

	/**
	 * Wait until the state is known, or a failure.
	 * @param settled returns whether the protocol knows the state
	 * @param timeout the maximum time to wait
	 * @return whether this is the case
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public boolean awaitAnswer(BooleanSupplier settled, Duration timeout) throws InterruptedException {
		LeaseRun current = this.run;
		return current != null && current.await(
				() -> (settled.getAsBoolean() && current.client().isWatching()) || failure().isPresent(),
				TimeSource.nanos(timeout));
	}

	/**
	 * Return the failure of the requests and of the watch since they were last
	 * successful, or what is wrong although they succeed.
	 * @return the failure; empty if there is none
	 */
	public Optional<LeaseFailure> failure() {
		LeaseRun current = this.run;
		return this.failures.latest()
			.or(() -> (current != null) ? current.client().watchFailure() : Optional.empty())
			.or(this.failures::problem);
	}

	/**
	 * Add a listener.
	 * @param listener the listener
	 */
	public void addListener(ReplicaListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Remove a listener.
	 * @param listener the listener
	 */
	public void removeListener(ReplicaListener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Notify the listeners. What one of them throws is logged and does not affect others.
	 * @param event the event
	 */
	public void notify(ReplicaEvent event) {
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

}
