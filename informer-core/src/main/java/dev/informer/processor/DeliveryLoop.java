/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.time.Instant;

import dev.informer.DeliveryDiagnosis.Delivery;
import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.ResourceEvent;
import dev.informer.client.TimeSource;
import dev.informer.processor.HandlerInvoker.Delivered;
import dev.informer.processor.HandlerWorker.Phase;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Loop of the threads of a handler: each takes the next event from the queue and lets the
 * {@link HandlerInvoker} deliver it, until it has to end.
 * <p>
 * <b>Concurrency.</b> {@link #run()} is executed by the threads of the handler. Queue,
 * threads, sync and records are guarded by the {@link HandlerLock}, which is not held
 * while code of the user runs.
 *
 * @param <T> the type of the objects
 */
final class DeliveryLoop<T extends KubernetesObject> {

	private static final Duration UNEXPECTED_FAILURE = Duration.ofSeconds(1);

	private final HandlerLock lock;

	private final HandlerQueue<T> queue;

	private final HandlerInvoker<T> invoker;

	private final HandlerThreads threads;

	private final SyncTracker sync;

	private final DeliveryRecords<T> records;

	private final Runnable startThreads;

	private final TimeSource time;

	/**
	 * Create the loop of a handler.
	 * @param lock the lock of the handler
	 * @param queue the undelivered events
	 * @param invoker delivers them
	 * @param threads the threads of the handler
	 * @param sync the progress of the handler
	 * @param records the records of its deliveries
	 * @param startThreads starts the threads that are needed; called without the lock
	 * @param time the time source
	 */
	DeliveryLoop(HandlerLock lock, HandlerQueue<T> queue, HandlerInvoker<T> invoker, HandlerThreads threads,
			SyncTracker sync, DeliveryRecords<T> records, Runnable startThreads, TimeSource time) {
		this.lock = lock;
		this.queue = queue;
		this.invoker = invoker;
		this.threads = threads;
		this.sync = sync;
		this.records = records;
		this.startThreads = startThreads;
		this.time = time;
	}

	/**
	 * Deliver events until the current thread has to end.
	 */
	void run() {
		while (deliverNext()) {
			// until the thread has to end
		}
	}

	/**
	 * Deliver one event. An idle thread has no reference to it, because it has left this
	 * method.
	 * @return whether to continue
	 */
	private boolean deliverNext() {
		QueueItem<T> item = this.lock.get(this::next);
		if (item != null) {
			deliver(item);
		}
		return item != null;
	}

	/**
	 * Wait for the next delivery of the current thread.
	 * @return the delivery; {@code null} when the thread has to end
	 */
	private @Nullable QueueItem<T> next() {
		while (this.threads.phase() != Phase.ENDING) {
			if (this.sync.hasDueActions()) {
				runSyncAction();
				continue;
			}
			QueueItem<T> item = this.queue.take(this.time.nanoTime());
			if (item != null) {
				if (this.threads.beginInvocation(item.entry().target())) {
					startThreads(item);
				}
				return item;
			}
			if (this.sync.update()) {
				continue;
			}
			if (this.threads.phase() == Phase.DRAINING) {
				break;
			}
			this.lock.awaitWork(this.queue.nanosToNext(this.time.nanoTime()));
		}
		this.threads.leave();
		return null;
	}

	/**
	 * Start threads without the lock, which the caller holds.
	 */
	private void startThreads(QueueItem<T> item) {
		try {
			this.lock.runReleased(this.startThreads);
		}
		catch (Throwable ex) {
			putBack(item);
			throw ex;
		}
	}

	/**
	 * Run the next action after the sync without the lock, which the caller holds.
	 */
	private void runSyncAction() {
		Runnable action = this.sync.takeAction();
		this.threads.beginInvocation(null);
		try {
			this.lock.runReleased(() -> this.invoker.runGuarded("action after the sync", action));
		}
		finally {
			this.threads.endInvocation();
		}
	}

	private void deliver(QueueItem<T> item) {
		@Nullable Delivered<T> result = new Delivered<>(null, UNEXPECTED_FAILURE, Outcome.RETRIES_EXHAUSTED, null);
		try {
			result = this.invoker.deliver(item, this.threads, () -> mayBegin(item));
		}
		finally {
			// in any case: the object would stay in delivery, and later events would wait
			if (result != null) {
				end(item, result);
			}
			else {
				putBack(item);
			}
		}
	}

	/**
	 * Decide whether an invocation may begin, immediately before it: the handler may have
	 * been paused, stopped or removed since the event was taken.
	 */
	private boolean mayBegin(QueueItem<T> item) {
		return this.lock.get(() -> this.threads.phase() != Phase.ENDING && this.queue.isPermitted(item));
	}

	private void putBack(QueueItem<T> item) {
		this.lock.run(() -> {
			this.threads.endInvocation();
			if (!this.threads.isRemoved()) {
				this.queue.putBack(item);
				this.queue.updatePause();
				this.sync.update();
			}
		});
	}

	private void end(QueueItem<T> item, Delivered<T> result) {
		Instant now = this.time.now();
		// without the lock: metadata of the object may be code of the user
		Delivery delivery = toDelivery(result, now);
		this.lock.run(() -> {
			this.threads.endInvocation();
			if (this.threads.isRemoved()) {
				return;
			}
			Duration retryIn = result.retryIn();
			if (retryIn != null) {
				long due = this.time.nanoTime() + TimeSource.nanos(retryIn);
				if (result.outcome() == Outcome.HANDLED) {
					this.queue.postponed(item, due);
				}
				else {
					this.queue.failed(item, result.event(), due);
				}
			}
			else {
				this.queue.delivered(item, result.event());
				this.records.ended(item, delivery, result.failure(), now);
			}
			this.sync.update();
		});
	}

	/**
	 * Return the record of a delivery.
	 * @return the record; {@code null} if no event was delivered
	 */
	private static @Nullable Delivery toDelivery(Delivered<?> result, Instant now) {
		ResourceEvent<?> event = result.event();
		if (event == null || result.retryIn() != null) {
			return null;
		}
		return new Delivery(event.type(), HandlerDiagnostics.version(event.object()), now, result.outcome(),
				result.failure());
	}

}
