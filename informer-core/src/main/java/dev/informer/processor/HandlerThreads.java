/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.InvocationGate.Target;
import dev.informer.ResourceEvent;
import dev.informer.client.TimeSource;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * Threads of one handler, never more than its concurrency, and the lock that they share.
 * They are started when they are needed. One that could not be started, or that has died,
 * is reported and replaced, with backoff.
 * <p>
 * A stop drains the threads, then interrupts them, then abandons those that ignore the
 * interrupt. An abandoned thread counts until it ends, also after a restart, so that the
 * concurrency is never exceeded.
 * <p>
 * <b>Concurrency.</b> The lock guards the queue, the threads, the sync and the pause
 * reasons of a {@link ProcessorListener}. It is never held while code of the user runs,
 * apart from the gate; the thread factory is called without it. The caller holds it
 * unless the method says otherwise.
 */
final class HandlerThreads {

	private static final long PAUSE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final int MAX_PAUSE_FACTOR = 32;

	private final ProcessorListener<?> listener;

	private final ReentrantLock lock = new ReentrantLock();

	/** Signalled when a thread of the handler may have something to do. */
	private final Condition work = this.lock.newCondition();

	/** Signalled when an invocation ends, and when less may be pending. */
	private final Condition progress = this.lock.newCondition();

	private final int limit;

	private final BiFunction<String, Runnable, Thread> factory;

	private final TimeSource time;

	/** Those that have not left their loop, in the order of their numbers. */
	private final List<Worker> workers = new ArrayList<>();

	/** Threads that have left their loop and may not have ended. */
	private final List<Thread> ending = new ArrayList<>();

	private State state = State.STOPPED;

	/** Number of the invocations that wait for the end of all others. */
	private int waitingInvocations;

	/** Number of failed starts in a row. */
	private int failedStarts;

	private long nextStart;

	/**
	 * Create the threads of a handler, at most {@code limit}, none of which is started.
	 */
	HandlerThreads(ProcessorListener<?> listener, int limit, SharedProcessor<?> processor) {
		this.listener = listener;
		this.limit = limit;
		this.factory = processor.threadFactory;
		this.time = processor.time;
	}

	/**
	 * Run an action with the lock. Acquires it.
	 */
	void locked(Runnable action) {
		get(() -> {
			action.run();
			return true;
		});
	}

	/**
	 * Return a value that is computed with the lock. Acquires it.
	 */
	<R extends @Nullable Object> R get(Supplier<R> value) {
		this.lock.lock();
		try {
			return value.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Run code of the user without the lock, which the caller holds once.
	 */
	void runReleased(Runnable action) {
		this.lock.unlock();
		try {
			action.run();
		}
		finally {
			this.lock.lock();
		}
	}

	/**
	 * Wake all waiting threads.
	 */
	void signalAll() {
		this.work.signalAll();
		this.progress.signalAll();
	}

	/**
	 * Wake the threads that wait for progress.
	 */
	void signalProgress() {
		this.progress.signalAll();
	}

	/**
	 * Wait until there may be work.
	 */
	void awaitWork(long nanos) {
		try {
			this.time.await(this.work, nanos);
		}
		catch (InterruptedException ex) {
			// Only its phase ends a thread of a handler. The interrupt may stem from code
			// of the user, and an interrupt by a stop comes with a new phase.
		}
	}

	/**
	 * Wait until a predicate holds, which is evaluated after each progress, and return
	 * whether it holds. Acquires the lock.
	 */
	boolean awaitProgress(BooleanSupplier reached, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.progress, reached, nanos);
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isRunning() {
		return this.state == State.RUNNING;
	}

	boolean isRemoved() {
		return this.state == State.REMOVED;
	}

	/**
	 * Permit threads to be started. Those of an unfinished stop end after their current
	 * invocations, so that the stop does not wait for later ones.
	 */
	void start() {
		if (this.state == State.STOPPED) {
			this.state = State.RUNNING;
			endAll();
		}
	}

	/**
	 * Let the threads end once no event is ready any more, and return whether they were
	 * running.
	 */
	boolean drain() {
		if (this.state != State.RUNNING) {
			return false;
		}
		this.state = State.STOPPED;
		this.workers.stream()
			.filter((worker) -> worker.phase == Phase.RUNNING)
			.forEach((worker) -> worker.phase = Phase.DRAINING);
		signalAll();
		return true;
	}

	/**
	 * Let the threads end after their current invocations, without a restart.
	 */
	void remove() {
		this.state = State.REMOVED;
		endAll();
	}

	private void endAll() {
		this.workers.forEach((worker) -> worker.phase = Phase.ENDING);
		signalAll();
	}

	/**
	 * Let the threads end after their current invocations, which are interrupted and
	 * returned. Acquires the lock.
	 */
	List<HandlerRegistration.Invocation> interrupt() {
		return get(() -> {
			if (this.state != State.REMOVED) {
				this.state = State.STOPPED;
			}
			endAll();
			List<HandlerRegistration.Invocation> interrupted = interruptInvocations((target) -> true);
			this.workers.forEach(Worker::interrupt);
			return interrupted;
		});
	}

	/**
	 * Interrupt some running invocations, without that of the current thread, and return
	 * them.
	 */
	List<HandlerRegistration.Invocation> interruptInvocations(Predicate<@Nullable Target> targets) {
		List<Worker> interrupted = this.workers.stream()
			.filter((worker) -> worker.isOther() && worker.invoking && targets.test(worker.target))
			.toList();
		List<HandlerRegistration.Invocation> invocations = invocations(interrupted);
		interrupted.forEach(Worker::interrupt);
		return invocations;
	}

	List<HandlerRegistration.Invocation> invocations() {
		return invocations(this.workers);
	}

	private List<HandlerRegistration.Invocation> invocations(List<Worker> workers) {
		List<HandlerRegistration.Invocation> invocations = new ArrayList<>();
		for (Worker worker : workers) {
			Invocation invocation = worker.invocation;
			if (invocation != null) {
				invocations.add(new HandlerRegistration.Invocation(UntrustedText.of(invocation.key()),
						invocation.type(), Duration.ofNanos(this.time.nanoTime() - invocation.startNanos())));
			}
		}
		return invocations;
	}

	/**
	 * Return whether a thread has not left its loop after {@link #interrupt()}. Acquires
	 * the lock.
	 */
	boolean isStuck() {
		return get(() -> this.state != State.RUNNING
				&& this.workers.stream().anyMatch((worker) -> worker.isAlive() && worker.isOther()));
	}

	/**
	 * Wait for the end of the running invocations and for a predicate, which is evaluated
	 * after each progress. An invocation that waits here neither waits for itself nor for
	 * others that wait here too: they would wait for each other. Acquires the lock.
	 */
	boolean awaitInvocations(BooleanSupplier reached, long nanos) throws InterruptedException {
		int self = get(() -> {
			Worker worker = find();
			int waiting = (worker != null && worker.invoking) ? 1 : 0;
			this.waitingInvocations += waiting;
			signalProgress();
			return waiting;
		});
		try {
			return awaitProgress(() -> busy() <= ((self > 0) ? this.waitingInvocations : 0) && reached.getAsBoolean(),
					nanos);
		}
		finally {
			locked(() -> this.waitingInvocations -= self);
		}
	}

	/**
	 * Wait for the end of the threads, without the current one. Acquires the lock.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 */
	void awaitEnd(long deadline) throws InterruptedException {
		for (Thread thread : get(this::otherThreads)) {
			long remaining = deadline - this.time.nanoTime();
			if (remaining > 0) {
				this.time.join(thread, remaining);
			}
		}
	}

	private List<Thread> otherThreads() {
		this.ending.removeIf((thread) -> !thread.isAlive());
		return Stream
			.concat(this.ending.stream(), this.workers.stream().filter(Worker::isAlive).map((worker) -> worker.thread))
			.filter((thread) -> thread != Thread.currentThread())
			.toList();
	}

	/**
	 * Return the number of threads that deliver an event or run an action.
	 */
	int busy() {
		int busy = 0;
		for (Worker worker : this.workers) {
			busy += worker.invoking ? 1 : 0;
		}
		return busy;
	}

	private boolean isNeeded() {
		if (this.state != State.RUNNING || this.workers.size() >= this.limit) {
			return false;
		}
		int busy = busy();
		int wanted = busy + this.listener.pendingEvents().threadsNeeded(this.workers.size() > busy);
		return this.workers.size() < Math.max(1, wanted);
	}

	/**
	 * Return whether a thread that is needed could not be started.
	 */
	boolean isThreadMissing() {
		return this.failedStarts > 0 && isNeeded();
	}

	/**
	 * Return the nanoseconds until {@link #startNeeded()} is to be called again,
	 * {@link Long#MAX_VALUE} when no thread is missing. Acquires the lock.
	 */
	long nanosToStart() {
		return get(() -> isThreadMissing() ? Math.max(0, this.nextStart - this.time.nanoTime()) : Long.MAX_VALUE);
	}

	/**
	 * Start the first thread, if one is needed and there is none. A failure is thrown, so
	 * that the start of the informer or the addition of the handler fails. Called without
	 * the lock.
	 */
	void startFirst() {
		Worker first = get(() -> (this.workers.isEmpty() && isNeeded()) ? add() : null);
		if (first == null) {
			return;
		}
		try {
			start(first);
		}
		catch (RuntimeException | Error ex) {
			locked(() -> remove(first));
			throw ex;
		}
	}

	/**
	 * Start the threads that are needed, and replace those that have died. Called without
	 * the lock.
	 */
	void startNeeded() {
		Worker worker;
		while ((worker = get(this::next)) != null) {
			if (worker.thread == null) {
				startOrReport(worker);
			}
			else {
				this.listener.threadFailed(
						"A thread of handler '" + this.listener.name() + "' has died; starting another one",
						new IllegalStateException("Thread " + worker.number + " ended before its task"));
			}
		}
	}

	/**
	 * Remove a worker whose thread has died, or add one without a thread.
	 */
	private @Nullable Worker next() {
		for (Worker worker : this.workers) {
			if (worker.thread != null && worker.thread.getState() == Thread.State.TERMINATED) {
				fail(worker);
				return worker;
			}
		}
		boolean due = this.failedStarts == 0 || this.nextStart - this.time.nanoTime() <= 0;
		return (due && isNeeded()) ? add() : null;
	}

	private Worker add() {
		int index = 0;
		while (index < this.workers.size() && this.workers.get(index).number == index + 1) {
			index++;
		}
		Worker worker = new Worker(index + 1);
		this.workers.add(index, worker);
		return worker;
	}

	private void startOrReport(Worker worker) {
		try {
			start(worker);
		}
		// an Error, too: the JVM cannot create more threads
		catch (Throwable ex) {
			long pause = get(() -> fail(worker));
			this.listener.threadFailed("Handler '" + this.listener.name() + "' could not start a thread; retrying in "
					+ TimeUnit.NANOSECONDS.toMillis(pause) + " ms", ex);
		}
	}

	private void start(Worker worker) {
		String name = this.listener.name() + ((this.limit == 1) ? "" : "-" + worker.number);
		Thread thread = this.factory.apply(name, worker);
		if (get(() -> accept(worker, thread))) {
			thread.start();
		}
	}

	/**
	 * Accept a thread from the factory, and return whether to start it.
	 */
	private boolean accept(Worker worker, Thread thread) {
		worker.thread = thread;
		boolean needed = worker.phase != Phase.ENDING;
		if (!needed) {
			remove(worker);
		}
		return needed;
	}

	/**
	 * Remove the worker of a thread that was not started or has died, and return the
	 * nanoseconds until the next start.
	 */
	private long fail(Worker worker) {
		remove(worker);
		long pause = PAUSE_NANOS * Math.min(1L << Math.min(this.failedStarts, 30), MAX_PAUSE_FACTOR);
		this.failedStarts++;
		this.nextStart = this.time.nanoTime() + pause;
		return pause;
	}

	private void remove(Worker worker) {
		this.workers.remove(worker);
		worker.invoking = false;
		worker.invocation = null;
		signalProgress();
	}

	/**
	 * Deliver events on the current thread until its worker has left. Only its phase ends
	 * it, nothing that a delivery throws.
	 */
	private void run(Worker worker) {
		boolean active = true;
		while (active) {
			try {
				active = this.listener.deliverNext();
			}
			catch (Throwable ex) {
				this.listener.threadFailed("A thread of handler '" + this.listener.name() + "' failed; continuing", ex);
				active = get(() -> {
					if (worker.phase != Phase.ENDING) {
						awaitWork(PAUSE_NANOS);
					}
					return this.workers.contains(worker);
				});
			}
		}
		// a restart may have waited for the end of this thread
		startNeeded();
	}

	private @Nullable Worker find() {
		for (Worker worker : this.workers) {
			if (worker.thread == Thread.currentThread()) {
				return worker;
			}
		}
		return null;
	}

	private Worker current() {
		Worker worker = find();
		if (worker == null) {
			throw new IllegalStateException("The current thread does not belong to the handler");
		}
		return worker;
	}

	/**
	 * Return the phase of the current thread.
	 */
	Phase phase() {
		return current().phase;
	}

	/**
	 * Let the current thread leave its loop.
	 */
	void leave() {
		remove(current());
		this.ending.removeIf((thread) -> !thread.isAlive());
		this.ending.add(Thread.currentThread());
	}

	/**
	 * Make the current thread busy: it is about to invoke code of the user.
	 * @param target the invocation; {@code null} if it needs no gate
	 */
	void begin(@Nullable Target target) {
		Worker worker = current();
		worker.invoking = true;
		worker.target = target;
		// an interrupt until now was meant for an earlier invocation
		worker.interrupted = false;
		Thread.interrupted();
		this.failedStarts = 0;
	}

	/**
	 * Record what the current thread is about to invoke the handler for.
	 */
	void beginInvocation(String key, ResourceEvent.Type type) {
		current().invocation = new Invocation(key, type, this.time.nanoTime());
	}

	/**
	 * End the invocation of the handler on the current thread. Acquires the lock.
	 */
	void endInvocation() {
		locked(() -> current().invocation = null);
	}

	/**
	 * Make the current thread idle.
	 */
	void end() {
		Worker worker = current();
		worker.invoking = false;
		worker.invocation = null;
		signalProgress();
	}

	/**
	 * Return the state of the running invocation of the current thread. Acquires the
	 * lock.
	 */
	InvocationState invocationState() {
		return get(() -> {
			if (isRemoved()) {
				return InvocationState.REMOVED;
			}
			return current().interrupted ? InvocationState.INTERRUPTED : InvocationState.RUNNING;
		});
	}

	/**
	 * Clear an interrupt that stems from code of the user, so that other code of the user
	 * does not suffer from it. Acquires the lock.
	 */
	void clearInterrupt() {
		locked(() -> {
			if (!current().interrupted) {
				Thread.interrupted();
			}
		});
	}

	private enum State {

		STOPPED, RUNNING, REMOVED

	}

	/**
	 * Phases of a thread.
	 */
	enum Phase {

		/** Delivers events. */
		RUNNING,

		/** Ends once no event is ready. */
		DRAINING,

		/** Ends after its current invocation. */
		ENDING

	}

	/**
	 * States of an invocation.
	 */
	enum InvocationState {

		/** The invocation was not interrupted, except by code of the user. */
		RUNNING,

		/** The invocation was interrupted by a stop, a suspension or the gate. */
		INTERRUPTED,

		/** The handler was removed. */
		REMOVED

	}

	/**
	 * Invocation of the handler.
	 *
	 * @param startNanos the start, as {@link TimeSource#nanoTime()}
	 */
	record Invocation(String key, ResourceEvent.Type type, long startNanos) {

	}

	/**
	 * Task of one thread.
	 */
	private final class Worker implements Runnable {

		private final int number;

		/** {@code null} before it is started. */
		private @Nullable Thread thread;

		private Phase phase = Phase.RUNNING;

		private boolean invoking;

		private @Nullable Target target;

		private @Nullable Invocation invocation;

		/** By {@link #interrupt()}; any other interrupt stems from code of the user. */
		private boolean interrupted;

		Worker(int number) {
			this.number = number;
		}

		@Override
		public void run() {
			HandlerThreads.this.run(this);
		}

		boolean isAlive() {
			return this.thread != null && this.thread.isAlive();
		}

		boolean isOther() {
			return this.thread != Thread.currentThread();
		}

		void interrupt() {
			if (this.thread != null && isOther()) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}

	}

}
