/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.informer.client.FailureReason;
import dev.informer.client.FailureReason.Kind;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseParticipant.State;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import org.jspecify.annotations.Nullable;

/**
 * Run of a {@link LeaseProtocol}, from its start to its stop.
 * <p>
 * <b>Concurrency.</b> The thread of decisions alone uses the protocol and the state. It
 * never waits for the API server: a second thread sends the requests, so that the renew
 * deadline takes effect in time while a request hangs. The lock guards the request for
 * the second thread, and the waits of both.
 */
final class LeaseRun {

	private static final long END_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	/** Pause after a failure that is not one of a request. */
	private static final long FAILURE_PAUSE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private final State state;

	private final LeaseProtocol protocol;

	private final LeaseClient client;

	private final LeaseFailures failures;

	private final TimeSource time;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	/** Request that the second thread has not taken. */
	private @Nullable LeaseRequest request;

	/** Last request that was handed to the second thread. */
	private @Nullable LeaseRequest handed;

	/** Whether a task will observe the watched Leases. */
	private final AtomicBoolean observing = new AtomicBoolean();

	private volatile boolean ended;

	private volatile boolean settled;

	private volatile long succeededAt;

	private @Nullable Thread decisions;

	/**
	 * Create a run, which does nothing until it is started.
	 */
	LeaseRun(State state, LeaseClient client, LeaseFailures failures, TimeSource time) {
		this.state = state;
		this.protocol = state.protocol();
		this.client = client;
		this.failures = failures;
		this.time = time;
		this.succeededAt = time.nanoTime();
	}

	/**
	 * Start the threads. If that fails, the run has to be ended.
	 * @param name the name of the first thread
	 */
	void start(ThreadFactory threads, String name) {
		Thread first = threads.newThread(this::decide);
		Thread second = threads.newThread(this::sendRequests);
		first.setName(name);
		second.setName(name + "-requests");
		second.start();
		first.start();
		this.decisions = first;
	}

	boolean isSettled() {
		return this.settled && this.client.isWatching();
	}

	Optional<LeaseFailure> watchFailure() {
		return this.client.watchFailure();
	}

	/**
	 * Return the time of the last successful request; of the creation if there is none.
	 */
	long succeededAt() {
		return this.succeededAt;
	}

	/**
	 * Release the Lease, and return whether that has happened in time.
	 */
	boolean release(long nanos) throws InterruptedException {
		execute(() -> this.protocol.release(this.time.nanoTime()));
		return await(() -> this.ended, nanos);
	}

	/**
	 * Wait until a predicate holds, which is evaluated after each change, and return
	 * whether it holds.
	 */
	boolean await(BooleanSupplier reached, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			// once is enough: work that begins to be refused is counted until it has been
			AtomicBoolean holds = new AtomicBoolean();
			this.time.awaitUntil(this.changed, () -> {
				holds.compareAndSet(false, reached.getAsBoolean());
				return this.ended || holds.get();
			}, nanos);
			return holds.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Let the protocol decide what to do, and evaluate the predicates of waiting threads.
	 */
	void signal() {
		execute(() -> {
		});
	}

	/**
	 * End both threads and close the client. A request that is running fails. Waits a
	 * second for the thread of decisions, which a listener may delay. An interrupt does
	 * not keep the run from ending.
	 */
	void end() {
		locked(() -> {
			this.ended = true;
			this.changed.signalAll();
		});
		boolean interrupted = Thread.interrupted();
		try {
			this.client.close();
			Thread thread = this.decisions;
			if (thread != null && thread != Thread.currentThread()) {
				this.time.join(thread, END_NANOS);
			}
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void execute(Runnable task) {
		this.tasks.add(task);
		locked(this.changed::signalAll);
	}

	private void locked(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void decide() {
		while (!this.ended) {
			try {
				Runnable task;
				while ((task = this.tasks.poll()) != null) {
					task.run();
				}
				decideNext();
			}
			catch (Throwable ex) {
				// user code of a listener is guarded elsewhere
				this.failures.threadFailed(ex);
				locked(() -> awaitChange(this.ended ? 0 : FAILURE_PAUSE_NANOS));
			}
		}
		this.settled = false;
		try {
			this.protocol.release(this.time.nanoTime());
			this.state.update();
		}
		catch (Throwable ex) {
			this.failures.threadFailed(ex);
		}
	}

	private void decideNext() {
		long now = this.time.nanoTime();
		LeaseRequest next = this.protocol.next(now, this.time.now());
		update();
		this.failures.problem(this.protocol.problem());
		locked(() -> {
			this.ended |= this.protocol.isDone();
			// also one that a failure has kept from being handed over before
			if (next != null && next != this.handed) {
				this.request = next;
				this.handed = next;
			}
			this.changed.signalAll();
			if (!this.ended && this.tasks.isEmpty()) {
				awaitChange(Math.min(this.protocol.nanosToNext(now), this.state.nanosToNext(now)));
			}
		});
	}

	private void update() {
		this.state.update();
		this.settled = this.protocol.isSettled(this.time.nanoTime());
		this.state.reportOverdue();
	}

	private void awaitChange(long nanos) {
		try {
			if (nanos > 0) {
				this.time.await(this.changed, nanos);
			}
		}
		catch (InterruptedException ex) {
			// ignored: only end() ends the thread, and an interrupt is not ours
		}
	}

	private void sendRequests() {
		boolean watching = watch();
		LeaseRequest next;
		while ((next = takeRequest()) != null) {
			send(next);
			watching = watching || watch();
		}
	}

	private boolean watch() {
		try {
			this.client.watch(this::watchChanged, this::signal);
			this.failures.watchStarted();
			return true;
		}
		// the supplier of the client and the thread factory are code of the user
		catch (Throwable ex) {
			if (!this.ended) {
				this.failures.watchFailed(ex);
				signal();
			}
			return false;
		}
	}

	private void watchChanged() {
		if (this.observing.compareAndSet(false, true)) {
			execute(this::observe);
		}
	}

	private void observe() {
		// before the Leases are read: a later change needs another task
		this.observing.set(false);
		Map<String, LeaseRecord> leases = this.client.leases();
		if (this.protocol.observe(leases, this.time.nanoTime())) {
			this.failures.answered();
		}
	}

	private @Nullable LeaseRequest takeRequest() {
		this.lock.lock();
		try {
			while (!this.ended && this.request == null) {
				awaitChange(Long.MAX_VALUE);
			}
			LeaseRequest taken = this.ended ? null : this.request;
			this.request = null;
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void send(LeaseRequest sent) {
		long start = this.time.nanoTime();
		Lease answer = null;
		Failure failure = null;
		Throwable cause = null;
		try {
			answer = exchange(sent);
		}
		catch (Throwable ex) {
			// an Error, too: the thread has to report a result
			cause = ex;
			failure = failure(ex);
		}
		Duration duration = Duration.ofNanos(this.time.nanoTime() - start);
		execute(result(sent, answer, failure, cause, duration));
	}

	private Runnable result(LeaseRequest sent, @Nullable Lease answer, @Nullable Failure failure,
			@Nullable Throwable cause, Duration duration) {
		return () -> {
			if (failure != null) {
				this.protocol.failed(failure, this.time.nanoTime());
			}
			else {
				this.succeededAt = this.time.nanoTime();
				this.protocol.succeeded(answer, this.time.nanoTime());
			}
			// another process collects the Lease if this one could not
			if (sent.purpose() != Purpose.COLLECT) {
				this.failures.requested(sent.purpose(), failure, cause);
			}
			// before the listeners are notified, so that they see the effect of the
			// request
			update();
			this.state.requested(sent.purpose(), duration, failure == null);
		};
	}

	private @Nullable Lease exchange(LeaseRequest sent) throws IOException {
		Lease current = sent.lease();
		LeaseRecord record = sent.record();
		if (record == null) {
			return this.client.read();
		}
		if (sent.purpose() == Purpose.COLLECT) {
			this.client.collect(sent.name(), record);
			return null;
		}
		return (current != null) ? this.client.update(current, record) : this.client.create(record);
	}

	private static Failure failure(Throwable cause) {
		int code = (cause instanceof ServerStatusException answered) ? answered.status().code() : 0;
		return switch (code) {
			case CONFLICT -> Failure.CONFLICT;
			case NOT_FOUND -> Failure.NOT_FOUND;
			default -> (cause instanceof AlteredLeaseException) ? Failure.ALTERED
					: isOutage(FailureReason.of(cause)) ? Failure.UNAVAILABLE : Failure.OTHER;
		};
	}

	/**
	 * Return whether any server that answers proves that the failure is over. One with a
	 * remedy, such as that of a certificate, affects new connections only.
	 */
	private static boolean isOutage(FailureReason reason) {
		return reason.remedy().isEmpty() && (reason.kind() == Kind.UNREACHABLE || reason.kind() == Kind.OVERLOADED);
	}

}
