/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.TimeSource;
import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.processor.SharedProcessor;
import dev.informer.reflector.Reflector;
import io.kubernetes.client.common.KubernetesObject;

/**
 * One run of an informer, from a start to a stop: a thread for each reflector, and one
 * that takes what they bring from the queue into the store.
 * <p>
 * <b>Concurrency.</b> Started and stopped once, by any thread. What the threads share is
 * the queue.
 *
 * @param <T> the type of the objects
 */
final class Controller<T extends KubernetesObject> {

	/**
	 * After something that could not be applied, how long to wait at least and at most.
	 */
	private static final long FAILURE_PAUSE_NANOS = 1_000_000_000L;

	private static final int LONGEST_PAUSE = 32;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition stopping = this.lock.newCondition();

	private final List<Thread> threads = new ArrayList<>();

	private final List<Reflector<T>> reflectors;

	private final DeltaFifo<T> fifo;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final StoreUpdater<T> updater;

	private final FailureListener failures;

	private final Runnable applied;

	private final TimeSource time;

	private int pause = 1;

	private final List<Thread> earlier;

	/** Threads of this run that wait for those of earlier ones to end. */
	private final Set<Thread> waiting = new HashSet<>();

	private boolean begun;

	private volatile boolean stopped;

	/**
	 * Creates a run.
	 * @param reflectors bring what the queue takes
	 * @param fifo the queue
	 * @param processor tells the handlers, and says when a resync is due
	 * @param mutations looks now and then for objects that somebody has changed
	 * @param updater applies a batch
	 * @param failures is told when that fails
	 * @param applied is run after each batch
	 * @param time the time
	 * @param earlier the threads of earlier runs that may not have ended
	 */
	Controller(List<Reflector<T>> reflectors, DeltaFifo<T> fifo, SharedProcessor<T> processor,
			MutationDetector<T> mutations, StoreUpdater<T> updater, FailureListener failures, Runnable applied,
			TimeSource time, List<Thread> earlier) {
		this.reflectors = reflectors;
		this.fifo = fifo;
		this.processor = processor;
		this.mutations = mutations;
		this.updater = updater;
		this.failures = failures;
		this.applied = applied;
		this.time = time;
		this.earlier = earlier;
	}

	/**
	 * Starts the threads. They do nothing until those of earlier runs have ended, one
	 * that a stop has left behind because it was busy included: nothing that it still
	 * does may get in their way.
	 * @param newThread makes a thread with a role and a task
	 * @param prepare is run once, before anything else is done
	 */
	void start(BiFunction<String, Runnable, Thread> newThread, Runnable prepare) {
		this.threads.add(newThread.apply("store", () -> runInTurn(prepare, this::apply)));
		for (int i = 0; i < this.reflectors.size(); i++) {
			String role = (this.reflectors.size() == 1) ? "reflector" : "reflector-" + (i + 1);
			Reflector<T> reflector = this.reflectors.get(i);
			this.threads.add(newThread.apply(role, () -> runInTurn(prepare, reflector)));
		}
		this.threads.forEach(Thread::start);
	}

	/**
	 * The threads of this run, and those of earlier ones that it waits for.
	 */
	List<Thread> threads() {
		return Stream.concat(this.earlier.stream(), this.threads.stream()).toList();
	}

	private void runInTurn(Runnable prepare, Runnable task) {
		try {
			if (mayWait()) {
				for (Thread thread : this.earlier) {
					this.time.join(thread, Long.MAX_VALUE);
				}
			}
			if (begin(prepare)) {
				task.run();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean mayWait() {
		return locked(() -> !this.stopped && this.waiting.add(Thread.currentThread()));
	}

	private boolean begin(Runnable prepare) {
		return locked(() -> {
			this.waiting.remove(Thread.currentThread());
			if (!this.stopped && !this.begun) {
				prepare.run();
				this.begun = true;
			}
			return !this.stopped;
		});
	}

	private boolean locked(BooleanSupplier action) {
		this.lock.lock();
		try {
			return action.getAsBoolean();
		}
		finally {
			this.lock.unlock();
		}
	}

	int queueDepth() {
		return this.fifo.depth();
	}

	/**
	 * Makes the thread at the queue think anew of when a resync is due.
	 */
	void handlersChanged() {
		this.fifo.nudge();
	}

	/**
	 * Has all handlers told everything again, once there is everything.
	 */
	void resync() {
		if (this.fifo.hasSynced()) {
			this.fifo.add(new Delta.SyncAll<>(this.processor.registrations()
				.stream()
				.map(HandlerRegistration::name)
				.collect(Collectors.toSet())));
		}
	}

	/**
	 * Ends the threads, without waiting. What is queued is not applied any more: the list
	 * of the next run brings it.
	 */
	void signalStop() {
		this.lock.lock();
		try {
			this.stopped = true;
			this.stopping.signalAll();
			this.waiting.forEach(Thread::interrupt);
		}
		finally {
			this.lock.unlock();
		}
		this.reflectors.forEach(Reflector::stop);
		this.fifo.close();
	}

	/**
	 * Waits for the threads to end.
	 * @param deadline until when
	 */
	void awaitEnd(long deadline) throws InterruptedException {
		for (Thread thread : this.threads) {
			long remaining = deadline - this.time.nanoTime();
			if (thread != Thread.currentThread() && remaining > 0) {
				this.time.join(thread, remaining);
			}
		}
	}

	private void apply() {
		try {
			boolean more = true;
			while (more && !this.stopped) {
				try {
					more = applyNext();
					this.pause = 1;
				}
				catch (RuntimeException | Error ex) {
					recover(ex);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean applyNext() throws InterruptedException {
		boolean more = this.fifo.pop(this::apply,
				Math.min(this.processor.nanosToResync(), this.mutations.nanosToCheck()));
		this.applied.run();
		this.mutations.check();
		resyncIfDue();
		return more;
	}

	private void apply(Batch<T> batch) {
		if (batch.deltas().get(0) instanceof Delta.SyncAll<T> sync) {
			this.updater.syncAll(sync.handlers(), this.fifo.queuedKeys(), batch.receivedAt());
		}
		else {
			this.updater.apply(batch);
		}
	}

	/**
	 * Goes on after something unforeseen: without this thread the store would stand
	 * still.
	 */
	private void recover(Throwable failure) throws InterruptedException {
		boolean awaitingRelist = this.fifo.isAwaitingRelist();
		this.failures.failed(failure, awaitingRelist);
		pause(this.pause * FAILURE_PAUSE_NANOS);
		this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
		if (awaitingRelist) {
			this.reflectors.forEach((reflector) -> reflector.relist(RelistReason.FAILURE));
		}
	}

	private void resyncIfDue() {
		if (this.processor.nanosToResync() > 0) {
			return;
		}
		var due = this.processor.takeResyncDue();
		if (this.fifo.hasSynced() && !due.isEmpty()) {
			this.fifo.add(new Delta.SyncAll<>(due));
		}
	}

	private void pause(long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long began = this.time.nanoTime();
			long remaining = nanos;
			while (!this.stopped && remaining > 0) {
				this.time.await(this.stopping, remaining);
				remaining = nanos - (this.time.nanoTime() - began);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Is told when what was queued cannot be applied.
	 */
	@FunctionalInterface
	interface FailureListener {

		/**
		 * Something could not be applied.
		 * @param failure what was thrown
		 * @param relisting whether it was given up, and the state is listed again
		 */
		void failed(Throwable failure, boolean relisting);

	}

}
