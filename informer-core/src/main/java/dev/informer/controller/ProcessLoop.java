/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.TimeSource;
import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.processor.SharedProcessor;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Loop of the store's thread during one run: takes batches from the queue and has them
 * applied to the store and distributed to the handlers. Between batches it queues the
 * resyncs that are due and looks for mutated objects.
 * <p>
 * <b>Concurrency.</b> Run by one thread; the other methods may be called by any thread.
 * {@code lock} only serves to wake the loop from the pause after a failure.
 *
 * @param <T> the type of the objects
 */
final class ProcessLoop<T extends KubernetesObject> implements Runnable {

	private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;

	private static final long MAX_PAUSE_NANOS = 32 * FIRST_PAUSE_NANOS;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition stopping = this.lock.newCondition();

	private final DeltaFifo<T> fifo;

	private final StoreUpdater<T> updater;

	private final SharedProcessor<T> processor;

	private final MutationDetector<T> mutations;

	private final TimeSource time;

	private final Listener listener;

	private long pauseNanos = FIRST_PAUSE_NANOS;

	private volatile boolean stopped;

	ProcessLoop(DeltaFifo<T> fifo, StoreUpdater<T> updater, SharedProcessor<T> processor, MutationDetector<T> mutations,
			TimeSource time, Listener listener) {
		this.fifo = fifo;
		this.updater = updater;
		this.processor = processor;
		this.mutations = mutations;
		this.time = time;
		this.listener = listener;
	}

	@Override
	public void run() {
		try {
			boolean more = true;
			while (more && !this.stopped) {
				try {
					more = processNext();
					this.pauseNanos = FIRST_PAUSE_NANOS;
				}
				// Errors included: without this thread the cache would stay at its state
				catch (RuntimeException | Error ex) {
					recover(ex);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Stop the loop after the current batch. The queued batches are not applied: the list
	 * of the next run contains their changes.
	 */
	void stop() {
		this.lock.lock();
		try {
			this.stopped = true;
			this.stopping.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		this.fifo.close();
	}

	private boolean processNext() throws InterruptedException {
		boolean more = this.fifo.pop(this::process,
				Math.min(this.processor.nanosToResync(), this.mutations.nanosToCheck()));
		this.listener.batchProcessed();
		this.mutations.check();
		if (this.processor.nanosToResync() <= 0) {
			// taken in any case: a resync before the sync would deliver half of the state
			var due = this.processor.takeResyncDue();
			if (this.fifo.hasSynced() && !due.isEmpty()) {
				this.fifo.add(new Delta.SyncAll<>(due));
			}
		}
		return more;
	}

	private void process(Batch<T> batch) {
		if (batch.deltas().get(0) instanceof Delta.SyncAll<T> sync) {
			this.updater.syncAll(sync.handlers(), this.fifo.queuedKeys(), batch.receivedAt());
		}
		else {
			this.updater.apply(batch);
		}
	}

	private void recover(Throwable failure) throws InterruptedException {
		boolean awaitingRelist = this.fifo.isAwaitingRelist();
		this.listener.batchFailed(failure, awaitingRelist);
		pause();
		if (awaitingRelist) {
			this.listener.relistRequired(RelistReason.FAILURE);
		}
	}

	private void pause() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			this.time.awaitUntil(this.stopping, () -> this.stopped, this.pauseNanos);
		}
		finally {
			this.lock.unlock();
		}
		this.pauseNanos = Math.min(2 * this.pauseNanos, MAX_PAUSE_NANOS);
	}

	/**
	 * Listener of the loop, called on its thread.
	 */
	interface Listener {

		/**
		 * A batch was processed, or the loop woke up without one.
		 */
		void batchProcessed();

		/**
		 * A batch could not be applied.
		 * @param failure the cause
		 * @param awaitingRelist whether the batch was given up, so that a relist follows;
		 * otherwise it is retried
		 */
		void batchFailed(Throwable failure, boolean awaitingRelist);

		/**
		 * Every namespace has to be relisted.
		 * @param reason the reason
		 */
		void relistRequired(RelistReason reason);

	}

}
