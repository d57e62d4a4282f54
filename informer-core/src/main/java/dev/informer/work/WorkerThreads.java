/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Follower;
import dev.informer.InvocationGate.Target;
import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Threads of one handler or reconciler, never more than its concurrency, and the lock
 * that they share. They are started when they are needed. One that could not be started,
 * or that has died, is reported and replaced, with backoff.
 * <p>
 * A stop drains the threads, then interrupts them, then abandons those that ignore the
 * interrupt. An abandoned thread counts until it ends, also after a restart, so that the
 * concurrency is never exceeded.
 * <p>
 * <b>Concurrency.</b> The lock guards the threads, and the queue and what else belongs to
 * the {@link Work}. It is never held while code of the user runs, apart from the gate;
 * the thread factory is called without it. The caller holds it unless the method says
 * otherwise.
 *
 * @param <C> the description of a call of user code
 */
public final class WorkerThreads<C> implements Follower {

	private static final long PAUSE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final int MAX_PAUSE_FACTOR = 32;

	/**
	 * Time for the way from the last step of this class into code of the user, on a busy
	 * machine. It takes the processor, so it is not one of the clock of a test.
	 */
	private static final long ENTERING_NANOS = TimeSource.nanos(Duration.ofMillis(2));

	private final Work<C> work;

	private final ReentrantLock lock = new ReentrantLock();

	/** Signalled when a thread may have something to do. */
	private final Condition available = this.lock.newCondition();

	/** Signalled when a call ends, and when less may be pending. */
	private final Condition progress = this.lock.newCondition();

	private final int limit;

	private final InvocationGate gate;

	private final BiFunction<String, Runnable, Thread> factory;

	private final TimeSource time;

	/** Those that have not left their loop, in the order of their numbers. */
	private final List<Worker> workers = new CopyOnWriteArrayList<>();

	/** Threads that have left their loop and may not have ended. */
	private final List<Thread> ending = new ArrayList<>();

	private State state = State.STOPPED;

	/** Number of the calls that wait for the end of all others. */
	private int waitingCalls;

	/** Number of failed starts in a row. */
	private int failedStarts;

	private long nextStart;

	/**
	 * Create threads, none of which is started.
	 * @param limit the maximum number
	 * @param gate the gate of the calls
	 * @param factory creates a thread from the suffix of its name and its task
	 */
	public WorkerThreads(Work<C> work, int limit, InvocationGate gate, BiFunction<String, Runnable, Thread> factory,
			TimeSource time) {
		this.work = work;
		this.limit = limit;
		this.gate = gate;
		this.factory = factory;
		this.time = time;
	}

	/**
	 * Follow the gate. To be called before there is work, without the lock.
	 */
	public void follow() {
		this.gate.follow(this);
		this.work.gateChanged();
	}

	/**
	 * Follow the gate no longer. Called without the lock.
	 */
	public void unfollow() {
		this.gate.unfollow(this);
	}

	/**
	 * Note a change of the gate, which calls this.
	 */
	@Override
	public void changed() {
		this.work.gateChanged();
		startNeeded();
	}

	/**
	 * Interrupt the calls of targets that the gate has revoked.
	 */
	@Override
	public void revoked(Predicate<Target> targets, String reason) {
		this.work.gateChanged();
		this.work.interrupted(reason, get(() -> interruptCalls((target) -> target != null && targets.test(target))));
	}

	/**
	 * Run an action with the lock. Acquires it.
	 */
	public void locked(Runnable action) {
		get(() -> {
			action.run();
			return true;
		});
	}

	/**
	 * Return a value that is computed with the lock. Acquires it.
	 */
	public <R extends @Nullable Object> R get(Supplier<R> value) {
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
	public void runReleased(Runnable action) {
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
	public void signalAll() {
		this.available.signalAll();
		this.progress.signalAll();
	}

	/**
	 * Wake the threads that wait for work.
	 */
	public void signalWork() {
		this.available.signalAll();
	}

	/**
	 * Wake the threads that wait for progress.
	 */
	public void signalProgress() {
		this.progress.signalAll();
	}

	/**
	 * Wait until there may be work.
	 */
	public void awaitWork(long nanos) {
		try {
			this.time.await(this.available, nanos);
		}
		catch (InterruptedException ex) {
			// Only its phase ends a thread. The interrupt may stem from code of the user,
			// and an interrupt by a stop comes with a new phase.
		}
	}

	/**
	 * Wait until a predicate holds, which is evaluated after each progress, and return
	 * whether it holds. Acquires the lock.
	 */
	public boolean awaitProgress(BooleanSupplier reached, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.progress, reached, nanos);
		}
		finally {
			this.lock.unlock();
		}
	}

	public boolean isRunning() {
		return this.state == State.RUNNING;
	}

	public boolean isRemoved() {
		return this.state == State.REMOVED;
	}

	/**
	 * Permit threads to be started. Those of an unfinished stop end after their current
	 * calls, so that the stop does not wait for later ones.
	 */
	public void start() {
		if (this.state == State.STOPPED) {
			this.state = State.RUNNING;
			endAll();
		}
	}

	/**
	 * Let the threads end once no work is ready any more, and return whether they were
	 * running.
	 */
	public boolean drain() {
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
	 * Let the threads end after their current calls, and what is pending wait for the
	 * next start.
	 */
	public void stop() {
		if (this.state == State.RUNNING) {
			this.state = State.STOPPED;
			endAll();
		}
	}

	/**
	 * Let the threads end after their current calls, without a restart.
	 */
	public void remove() {
		this.state = State.REMOVED;
		endAll();
	}

	private void endAll() {
		this.workers.forEach((worker) -> worker.phase = Phase.ENDING);
		signalAll();
	}

	/**
	 * Let the threads end after their current calls, which are interrupted and returned.
	 * Acquires the lock.
	 */
	public List<Running<C>> interrupt() {
		return get(() -> {
			if (this.state != State.REMOVED) {
				this.state = State.STOPPED;
			}
			endAll();
			List<Running<C>> interrupted = interruptCalls((target) -> true);
			this.workers.forEach(Worker::interrupt);
			return interrupted;
		});
	}

	/**
	 * Interrupt the calls for some targets, without that of the current thread, and
	 * return them.
	 */
	public List<Running<C>> interruptCalls(Predicate<@Nullable Target> targets) {
		List<Worker> interrupted = this.workers.stream()
			.filter((worker) -> worker.isOther() && worker.busy && targets.test(worker.target))
			.toList();
		List<Running<C>> calls = calls(interrupted);
		interrupted.forEach(Worker::interrupt);
		return calls;
	}

	/**
	 * Return the running calls.
	 */
	public List<Running<C>> calls() {
		return calls(this.workers);
	}

	private List<Running<C>> calls(List<Worker> workers) {
		List<Running<C>> calls = new ArrayList<>();
		for (Worker worker : workers) {
			C call = worker.call;
			if (call != null) {
				calls.add(new Running<>(call, Duration.ofNanos(this.time.nanoTime() - worker.startNanos)));
			}
		}
		return calls;
	}

	/**
	 * Return whether a thread has not left its loop after {@link #interrupt()}. Acquires
	 * the lock.
	 */
	public boolean isStuck() {
		return get(() -> this.state != State.RUNNING
				&& this.workers.stream().anyMatch((worker) -> worker.isAlive() && worker.isOther()));
	}

	/**
	 * Wait for the end of the running calls and for a predicate, which is evaluated after
	 * each progress. A call that waits here neither waits for itself nor for others that
	 * wait here too: they would wait for each other. Acquires the lock.
	 */
	public boolean awaitCalls(BooleanSupplier reached, long nanos) throws InterruptedException {
		int self = get(() -> {
			Worker worker = find();
			int waiting = (worker != null && worker.busy) ? 1 : 0;
			this.waitingCalls += waiting;
			signalProgress();
			return waiting;
		});
		try {
			return awaitProgress(() -> busy() <= ((self > 0) ? this.waitingCalls : 0) && reached.getAsBoolean(), nanos);
		}
		finally {
			locked(() -> this.waitingCalls -= self);
		}
	}

	/**
	 * Wait for the end of the threads, without the current one. Acquires the lock.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 */
	public void awaitEnd(long deadline) throws InterruptedException {
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
	 * Return the number of threads that are not idle.
	 */
	public int busy() {
		int busy = 0;
		for (Worker worker : this.workers) {
			busy += worker.busy ? 1 : 0;
		}
		return busy;
	}

	private boolean isNeeded() {
		if (this.state != State.RUNNING || this.workers.size() >= this.limit) {
			return false;
		}
		int busy = busy();
		int wanted = busy + this.work.threadsNeeded(this.workers.size() > busy);
		return this.workers.size() < Math.max(1, wanted);
	}

	/**
	 * Return whether a thread that is needed could not be started.
	 */
	public boolean isThreadMissing() {
		return this.failedStarts > 0 && isNeeded();
	}

	/**
	 * Return the nanoseconds until {@link #startNeeded()} is to be called again,
	 * {@link Long#MAX_VALUE} when no thread is missing. Acquires the lock.
	 */
	public long nanosToStart() {
		return get(() -> isThreadMissing() ? Math.max(0, this.nextStart - this.time.nanoTime()) : Long.MAX_VALUE);
	}

	/**
	 * Start the first thread, if one is needed and there is none. A failure is thrown, so
	 * that the start of the informer or the addition of the handler fails. Called without
	 * the lock.
	 */
	public void startFirst() {
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
	public void startNeeded() {
		Worker worker;
		while ((worker = get(this::next)) != null) {
			if (worker.thread == null) {
				startOrReport(worker);
			}
			else {
				this.work.threadFailed("A thread of " + this.work.subject() + " has died; starting another one",
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
			this.work.threadFailed(capitalized(this.work.subject()) + " could not start a thread; retrying in "
					+ TimeUnit.NANOSECONDS.toMillis(pause) + " ms", ex);
		}
	}

	private static String capitalized(String text) {
		return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
	}

	private void start(Worker worker) {
		Thread thread = this.factory.apply((this.limit == 1) ? "" : "-" + worker.number, worker);
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
		worker.busy = false;
		worker.call = null;
		worker.entering = false;
		signalProgress();
	}

	/**
	 * Work on the current thread until its worker has left. Only its phase ends it,
	 * nothing that is thrown.
	 */
	private void run(Worker worker) {
		boolean active = true;
		while (active) {
			try {
				active = this.work.runNext();
			}
			catch (Throwable ex) {
				this.work.threadFailed("A thread of " + this.work.subject() + " failed; continuing", ex);
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
			throw new IllegalStateException("The current thread does not belong to the work");
		}
		return worker;
	}

	/**
	 * Return the phase of the current thread.
	 */
	public Phase phase() {
		return current().phase;
	}

	/**
	 * Let the current thread leave its loop.
	 */
	public void leave() {
		remove(current());
		this.ending.removeIf((thread) -> !thread.isAlive());
		this.ending.add(Thread.currentThread());
	}

	/**
	 * Make the current thread busy: it is about to call code of the user.
	 * @param target what the gate may revoke; {@code null} if that is not known yet, or
	 * the call needs no gate
	 */
	public void begin(@Nullable Target target) {
		Worker worker = current();
		worker.busy = true;
		worker.target = target;
		// an interrupt until now was meant for an earlier call
		worker.interrupted = false;
		Thread.interrupted();
		this.failedStarts = 0;
	}

	/**
	 * Set what the gate may revoke of the busy current thread. Acquires the lock.
	 */
	public void target(Target target) {
		locked(() -> current().target = target);
	}

	/**
	 * Decide whether a call may begin on the current thread, immediately before it: there
	 * may have been a pause, stop or removal since it became busy. Who does that later
	 * finds the call. Acquires the lock.
	 */
	public boolean beginCall(C call, BooleanSupplier permitted) {
		return get(() -> {
			Worker worker = current();
			boolean begins = worker.phase != Phase.ENDING && permitted.getAsBoolean();
			if (begins) {
				worker.call = call;
				worker.startNanos = this.time.nanoTime();
				worker.entering = true;
			}
			return begins;
		});
	}

	/**
	 * Note that the call of the current thread is about to enter code of the user. Must
	 * be the last step before it. Needs no lock, whose release could take long.
	 */
	public void enterCall() {
		Worker worker = current();
		worker.enteredNanos = TimeSource.SYSTEM.nanoTime();
		worker.entering = false;
	}

	/**
	 * Wait until the calls that were permitted to begin have entered code of the user, so
	 * that none does after a pause, a stop or a removal has returned. Never waits for
	 * code of the user. Needs no lock.
	 */
	public void awaitEntered() {
		while (this.workers.stream().anyMatch((worker) -> worker.isOther() && worker.isEntering())) {
			LockSupport.parkNanos(ENTERING_NANOS / 10);
		}
	}

	/**
	 * End the call on the current thread, and return its duration. Acquires the lock.
	 */
	public Duration endCall() {
		return get(() -> {
			Worker worker = current();
			worker.call = null;
			return Duration.ofNanos(this.time.nanoTime() - worker.startNanos);
		});
	}

	/**
	 * Make the current thread idle.
	 */
	public void end() {
		Worker worker = current();
		worker.busy = false;
		worker.call = null;
		worker.entering = false;
		signalProgress();
	}

	/**
	 * Return the state of the call of the current thread. Acquires the lock.
	 */
	public CallState callState() {
		return get(() -> {
			if (isRemoved()) {
				return CallState.REMOVED;
			}
			return current().interrupted ? CallState.INTERRUPTED : CallState.RUNNING;
		});
	}

	/**
	 * Clear an interrupt that stems from code of the user, so that other code of the user
	 * does not suffer from it. Acquires the lock.
	 */
	public void clearInterrupt() {
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
	public enum Phase {

		/** Works. */
		RUNNING,

		/** Ends once no work is ready. */
		DRAINING,

		/** Ends after its current call. */
		ENDING

	}

	/**
	 * States of a call.
	 */
	public enum CallState {

		/** The call was not interrupted, except by code of the user. */
		RUNNING,

		/** The call was interrupted by a stop, a suspension or the gate. */
		INTERRUPTED,

		/** The threads were removed. */
		REMOVED

	}

	/**
	 * Running call.
	 *
	 * @param duration the time since it began
	 */
	public record Running<C>(C call, Duration duration) {

	}

	/**
	 * Task of one thread.
	 */
	private final class Worker implements Runnable {

		private final int number;

		/** {@code null} before it is started. */
		private @Nullable Thread thread;

		private Phase phase = Phase.RUNNING;

		private boolean busy;

		private @Nullable Target target;

		private @Nullable C call;

		private long startNanos;

		/** Whether a call may begin, and has not entered code of the user. */
		private volatile boolean entering;

		private volatile long enteredNanos = TimeSource.SYSTEM.nanoTime() - ENTERING_NANOS;

		/** By {@link #interrupt()}; any other interrupt stems from code of the user. */
		private boolean interrupted;

		Worker(int number) {
			this.number = number;
		}

		@Override
		public void run() {
			WorkerThreads.this.run(this);
		}

		boolean isAlive() {
			return this.thread != null && this.thread.isAlive();
		}

		boolean isEntering() {
			return this.entering || TimeSource.SYSTEM.nanoTime() - this.enteredNanos < ENTERING_NANOS;
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
