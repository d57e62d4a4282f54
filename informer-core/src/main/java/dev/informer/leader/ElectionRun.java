/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.informer.TimeSource;
import dev.informer.client.ServerStatusException;
import dev.informer.leader.ElectionRequest.Failure;
import dev.informer.leader.ElectionRequest.Purpose;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Run of an {@link Election}, from the start of a {@link LeaderElector} to its stop.
 * <p>
 * <b>Concurrency.</b> The thread of the election alone uses the {@link Election} and
 * calls the observer. It never waits for the API server: a second thread sends the
 * requests, so that the renew deadline ends a term in time while a request hangs. The
 * lock guards the tasks for the first thread and the request for the second.
 */
final class ElectionRun {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElector.class);

	private static final long END_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	/** Pause after a failure that is not one of a request. */
	private static final long FAILURE_PAUSE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private final Election election;

	private final LeaseClient client;

	private final Observer observer;

	private final TimeSource time;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	/** Request that the second thread has not taken. */
	private @Nullable ElectionRequest request;

	/** Last request that was handed to the second thread. */
	private @Nullable ElectionRequest handed;

	private boolean ended;

	private @Nullable Thread decisions;

	ElectionRun(Election election, LeaseClient client, Observer observer, TimeSource time) {
		this.election = election;
		this.client = client;
		this.observer = observer;
		this.time = time;
	}

	/**
	 * Start the threads.
	 */
	void start(ThreadFactory threads, String name) {
		Thread first = threads.newThread(this::decide);
		Thread second = threads.newThread(this::sendRequests);
		first.setName("informer-leader-" + name);
		second.setName("informer-leader-" + name + "-requests");
		second.start();
		first.start();
		this.decisions = first;
	}

	/**
	 * Give up the leadership and release the Lease.
	 * @return whether that has happened in time
	 */
	boolean release(long nanos) throws InterruptedException {
		execute(() -> this.election.release(this.time.nanoTime()));
		return await(() -> this.ended, nanos);
	}

	/**
	 * Wait until a predicate holds, which is evaluated after each change.
	 */
	boolean await(BooleanSupplier reached, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.changed, () -> this.ended || reached.getAsBoolean(), nanos)
					&& reached.getAsBoolean();
		}
		finally {
			this.lock.unlock();
		}
	}

	void signal() {
		locked(this.changed::signalAll);
	}

	/**
	 * End both threads and close the client. A request that is running fails. Waits for
	 * the thread of the election, so that it does not change the state of a later run.
	 */
	void end() throws InterruptedException {
		locked(() -> {
			this.ended = true;
			this.changed.signalAll();
		});
		this.client.close();
		Thread thread = this.decisions;
		if (thread != null && thread != Thread.currentThread()) {
			this.time.join(thread, END_NANOS);
		}
	}

	private void execute(Runnable task) {
		locked(() -> {
			this.tasks.add(task);
			this.changed.signalAll();
		});
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
		while (!isEnded()) {
			try {
				runTasks();
				decideNext();
			}
			catch (Throwable ex) {
				// user code of a listener is guarded elsewhere
				logger.error("The thread of an election failed; continuing", ex);
				locked(() -> awaitChange(this.ended ? 0 : FAILURE_PAUSE_NANOS));
			}
		}
		this.observer.update(null, this.election.observed(), false, "the election was stopped");
	}

	private boolean isEnded() {
		this.lock.lock();
		try {
			return this.ended;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void runTasks() {
		Runnable task;
		while ((task = nextTask()) != null) {
			task.run();
		}
	}

	private @Nullable Runnable nextTask() {
		this.lock.lock();
		try {
			return this.tasks.poll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void decideNext() {
		long now = this.time.nanoTime();
		ElectionRequest next = this.election.next(now, this.time.now());
		this.observer.update(this.election.term(), this.election.observed(), this.election.isSettled(now),
				this.election.lostBecause());
		locked(() -> {
			this.ended |= this.election.isDone();
			// also one that a failure has kept from being handed over before
			if (next != null && next != this.handed) {
				this.request = next;
				this.handed = next;
			}
			this.changed.signalAll();
			if (!this.ended && this.tasks.isEmpty()) {
				awaitChange(Math.min(this.election.nanosToNext(now), this.observer.nanosToNext(now)));
			}
		});
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
		try {
			this.client.watch((record) -> execute(() -> this.election.observe(record, this.time.nanoTime())),
					this::signal);
		}
		catch (RuntimeException ex) {
			logger.warn("Cannot watch the Lease of an election; its expiry is still noticed", ex);
		}
		ElectionRequest next;
		while ((next = takeRequest()) != null) {
			send(next);
		}
	}

	private @Nullable ElectionRequest takeRequest() {
		this.lock.lock();
		try {
			while (!this.ended && this.request == null) {
				awaitChange(Long.MAX_VALUE);
			}
			ElectionRequest taken = this.ended ? null : this.request;
			this.request = null;
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void send(ElectionRequest sent) {
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
		execute(result(sent.purpose(), answer, failure, cause, duration));
	}

	private Runnable result(Purpose purpose, @Nullable Lease answer, @Nullable Failure failure,
			@Nullable Throwable cause, Duration duration) {
		return () -> {
			if (failure != null) {
				this.election.failed(failure, this.time.nanoTime());
			}
			else {
				this.election.succeeded(answer, this.time.nanoTime());
			}
			this.observer.requested(purpose, duration, failure, cause);
		};
	}

	private @Nullable Lease exchange(ElectionRequest sent) throws IOException {
		LeaseRecord record = sent.record();
		if (record == null) {
			return this.client.read();
		}
		return (sent.lease() != null) ? this.client.update(sent.lease(), record) : this.client.create(record);
	}

	private static Failure failure(Throwable cause) {
		int code = (cause instanceof ServerStatusException answered) ? answered.status().code() : 0;
		return switch (code) {
			case CONFLICT -> Failure.CONFLICT;
			case NOT_FOUND -> Failure.NOT_FOUND;
			default -> Failure.OTHER;
		};
	}

	/**
	 * Observer of a run, on the thread of the election.
	 */
	interface Observer {

		/**
		 * Called whenever the state may have changed.
		 * @param term the term of this process; {@code null} if it is not leader
		 * @param observed the content of the Lease
		 * @param settled whether there is nothing to do until the Lease changes
		 * @param lostBecause the reason for the end of the last term
		 */
		void update(@Nullable Term term, @Nullable LeaseRecord observed, boolean settled, @Nullable String lostBecause);

		/**
		 * Called after a request.
		 */
		void requested(Purpose purpose, Duration duration, @Nullable Failure failure, @Nullable Throwable cause);

		/**
		 * Return the time until {@link #update} is to be called again.
		 */
		long nanosToNext(long now);

	}

}
