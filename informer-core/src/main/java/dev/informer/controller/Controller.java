package dev.informer.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import dev.informer.InformerListener.RelistReason;
import dev.informer.TimeSource;
import dev.informer.processor.SharedProcessor;
import dev.informer.queue.Batch;
import dev.informer.queue.DeltaFifo;
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

	/** After a batch that could not be applied, how long to wait before the new list. */
	private static final long FAILURE_PAUSE_NANOS = 1_000_000_000L;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition stopping = this.lock.newCondition();

	private final List<Thread> threads = new ArrayList<>();

	private final List<Reflector<T>> reflectors;

	private final DeltaFifo<T> fifo;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final Consumer<Batch<T>> batches;

	private final Consumer<RuntimeException> failures;

	private final Runnable applied;

	private final TimeSource time;

	private volatile boolean stopped;

	/**
	 * Creates a run.
	 * @param reflectors bring what the queue takes
	 * @param fifo the queue
	 * @param processor tells the handlers, and says when a resync is due
	 * @param mutations looks now and then for objects that somebody has changed
	 * @param batches applies a batch
	 * @param failures is told when that fails
	 * @param applied is run after each batch
	 * @param time the time
	 */
	Controller(List<Reflector<T>> reflectors, DeltaFifo<T> fifo, SharedProcessor<T> processor,
			MutationDetector<T> mutations, Consumer<Batch<T>> batches, Consumer<RuntimeException> failures,
			Runnable applied, TimeSource time) {
		this.reflectors = reflectors;
		this.fifo = fifo;
		this.processor = processor;
		this.mutations = mutations;
		this.batches = batches;
		this.failures = failures;
		this.applied = applied;
		this.time = time;
	}

	/**
	 * Starts the threads.
	 * @param newThread makes a thread with a role and a task
	 */
	void start(BiFunction<String, Runnable, Thread> newThread) {
		this.threads.add(newThread.apply("store", this::apply));
		for (int i = 0; i < this.reflectors.size(); i++) {
			String role = (this.reflectors.size() == 1) ? "reflector" : "reflector-" + (i + 1);
			this.threads.add(newThread.apply(role, this.reflectors.get(i)));
		}
		this.threads.forEach(Thread::start);
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
	 * Ends the threads, without waiting. What is queued is not applied any more: the list
	 * of the next run brings it.
	 */
	void signalStop() {
		this.lock.lock();
		try {
			this.stopped = true;
			this.stopping.signalAll();
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
				thread.join(remaining / 1_000_000 + 1);
			}
		}
	}

	private void apply() {
		try {
			boolean more = true;
			while (more && !this.stopped) {
				try {
					more = this.fifo.pop(this.batches,
							Math.min(this.processor.nanosToResync(), this.mutations.nanosToCheck()));
				}
				catch (RuntimeException ex) {
					this.failures.accept(ex);
					pause();
					this.reflectors.forEach((reflector) -> reflector.relist(RelistReason.FAILURE));
				}
				this.applied.run();
				this.mutations.check();
				resyncIfDue();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void resyncIfDue() {
		if (this.processor.nanosToResync() > 0) {
			return;
		}
		var due = this.processor.takeResyncDue();
		if (this.fifo.hasSynced() && !due.isEmpty()) {
			this.fifo.resync(due);
		}
	}

	private void pause() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long began = this.time.nanoTime();
			long remaining = FAILURE_PAUSE_NANOS;
			while (!this.stopped && remaining > 0) {
				this.time.await(this.stopping, remaining);
				remaining = FAILURE_PAUSE_NANOS - (this.time.nanoTime() - began);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}
