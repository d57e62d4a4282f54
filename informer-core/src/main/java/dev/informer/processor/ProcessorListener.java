/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.RetryPolicy;
import dev.informer.TimeSource;
import dev.informer.client.ObjectKey;
import dev.informer.processor.HandlerQueue.Item;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Handler of an informer with its undelivered events and its threads.
 * <p>
 * <b>Concurrency.</b> Queue, threads, sync and pause reasons are guarded by {@code lock},
 * which is never held while code of the user runs. An event remains in the queue until
 * its delivery has ended, so invocations for one object never overlap. Adding events
 * never waits for the handler.
 *
 * @param <T> the type of the objects
 */
final class ProcessorListener<T extends KubernetesObject> implements HandlerRegistration {

	private final ReentrantLock lock = new ReentrantLock();

	private final String name;

	private final HandlerOptions<T> options;

	private final HandlerQueue<T> queue;

	private final EventFilter<T> filter;

	private final HandlerInvoker<T> invoker;

	private final HandlerThreads threads;

	private final SyncTracker sync;

	private final ResyncTimer resyncTimer;

	private final EnumSet<PauseReason> pauseReasons;

	private final SharedProcessor<T> processor;

	private final TimeSource time;

	ProcessorListener(String name, HandlerOptions<T> options, HandlerInvoker<T> invoker, ResyncTimer resyncTimer,
			SharedProcessor<T> processor, HandlerThreadFactory threadFactory, TimeSource time) {
		this.name = name;
		this.options = options;
		this.queue = new HandlerQueue<>(options.queue());
		this.filter = new EventFilter<>(options, invoker::filterFailed);
		this.invoker = invoker;
		this.threads = new HandlerThreads(this.lock, name, options.concurrency(), threadFactory, this::run, time);
		this.sync = new SyncTracker(this.lock, time);
		this.resyncTimer = resyncTimer;
		this.pauseReasons = EnumSet.noneOf(PauseReason.class);
		if (options.paused()) {
			this.pauseReasons.add(PauseReason.REQUESTED);
		}
		this.processor = processor;
		this.time = time;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public QueuePolicy queue() {
		return this.options.queue();
	}

	@Override
	public boolean hasSynced() {
		return this.sync.hasSynced();
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		return this.sync.await(timeout);
	}

	@Override
	public void whenSynced(Runnable action) {
		locked(() -> {
			this.sync.addAction(action);
			wake();
		});
	}

	@Override
	public int pending() {
		return locked(this.queue::size);
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		return this.threads.awaitIdle(() -> this.queue.size() == 0, timeout);
	}

	@Override
	public void pause() {
		setPaused(PauseReason.REQUESTED, true);
	}

	@Override
	public void resume() {
		setPaused(PauseReason.REQUESTED, false);
		startThreads();
	}

	@Override
	public boolean isPaused() {
		return locked(() -> this.pauseReasons.contains(PauseReason.REQUESTED));
	}

	/**
	 * Add or remove a reason for which the handler is paused. Does not start threads.
	 */
	void setPaused(PauseReason reason, boolean paused) {
		locked(() -> {
			if (paused ? this.pauseReasons.add(reason) : this.pauseReasons.remove(reason)) {
				this.threads.wake(0);
			}
		});
	}

	@Override
	public void remove() {
		this.processor.remove(this);
		locked(() -> {
			this.queue.clear();
			this.sync.remove();
			this.threads.remove();
		});
		logFailures();
	}

	@Override
	public boolean remove(Duration timeout) throws InterruptedException {
		remove();
		return this.threads.awaitInvocations(timeout);
	}

	/**
	 * Log the number of failures that were not logged separately.
	 */
	void logFailures() {
		this.invoker.logFailures();
	}

	HandlerThreads threads() {
		return this.threads;
	}

	ResyncTimer resyncTimer() {
		return this.resyncTimer;
	}

	/**
	 * Add events, in the order of the changes of the cache.
	 * @param events the events
	 * @param receivedNanos the time at which they were received
	 */
	void add(List<ResourceEvent<T>> events, long receivedNanos) {
		this.lock.lock();
		try {
			if (!this.threads.isRemoved()) {
				for (ResourceEvent<T> event : events) {
					this.queue.add(ObjectKey.of(event.object()), event, receivedNanos);
				}
				updateSynced();
				wake();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Add the additions of the cached objects, before any other event.
	 */
	void addInitialList(Map<String, T> objects) {
		long now = this.time.nanoTime();
		locked(() -> objects.forEach((key, object) -> this.queue.add(key, new Added<>(object, true), now)));
	}

	void initialListDistributed() {
		locked(() -> {
			this.sync.initialListDistributed();
			updateSynced();
		});
	}

	/**
	 * Let the handler be invoked by the threads that {@link #startThreads()} starts.
	 */
	void start() {
		locked(this.threads::start);
	}

	/**
	 * Start the threads that are needed now.
	 */
	void startThreads() {
		locked(() -> {
			this.threads.startFirst();
			wake();
		});
	}

	/**
	 * Let the threads end once all pending events have been delivered. Delayed events are
	 * retried at once.
	 */
	void drain() {
		locked(() -> {
			if (this.threads.drain()) {
				this.queue.retryNow();
			}
		});
	}

	private void run() {
		for (Item<T> item = next(); item != null; item = next()) {
			deliver(item);
		}
	}

	/**
	 * Wait for the next delivery of the current thread.
	 * @return the delivery; {@code null} when the thread has to end
	 */
	private @Nullable Item<T> next() {
		this.lock.lock();
		try {
			while (this.threads.isRunning()) {
				if (this.sync.hasDueActions()) {
					runSyncActions();
					continue;
				}
				Item<T> item = isBlocked() ? null : this.queue.take(this.time.nanoTime());
				if (item != null) {
					this.threads.beginInvocation(this.queue.threadsNeeded());
					return item;
				}
				if (this.threads.isDraining()) {
					break;
				}
				this.threads.awaitWork(isBlocked() ? Long.MAX_VALUE : this.queue.nanosToNext(this.time.nanoTime()));
			}
			this.threads.exit();
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Run the actions of {@link #whenSynced} without the lock, which the caller holds.
	 */
	private void runSyncActions() {
		List<Runnable> actions = this.sync.takeActions();
		this.lock.unlock();
		try {
			actions.forEach((action) -> this.invoker.runGuarded("action after the sync", action));
		}
		finally {
			this.lock.lock();
		}
	}

	private void deliver(Item<T> item) {
		ResourceEvent<T> event = item.delivery().event(this.filter);
		if (event == null || !this.options.on().contains(event.type())) {
			end(item, event, null);
			return;
		}
		// the entry does not change while its event is being delivered
		int attempt = item.entry().attempt(event);
		Throwable failure = this.invoker.invoke(event, attempt);
		Duration retryIn = null;
		if (failure == null) {
			this.invoker.delivered(event, item.receivedNanos());
		}
		else {
			retryIn = locked(() -> retryIn(item, attempt));
			this.invoker.failed(event, attempt, retryIn, failure);
		}
		end(item, event, retryIn);
	}

	/**
	 * Return the time until the retry of a failed invocation. One that was interrupted by
	 * a stop is retried after the next start.
	 * @return the time; {@code null} when the retries are exhausted
	 */
	private @Nullable Duration retryIn(Item<T> item, int attempt) {
		RetryPolicy retry = this.options.retry();
		if (this.threads.isRemoved() || retry.maxRetries() == 0) {
			return null;
		}
		if (this.threads.isStopped()) {
			return Duration.ZERO;
		}
		return (attempt <= retry.maxRetries())
				? retry.delay(item.entry().failures() + 1, ThreadLocalRandom.current().nextDouble()) : null;
	}

	/**
	 * End a delivery.
	 * @param event the event; {@code null} when the filter left none
	 * @param retryIn the time until the retry; {@code null} for none
	 */
	private void end(Item<T> item, @Nullable ResourceEvent<T> event, @Nullable Duration retryIn) {
		this.lock.lock();
		try {
			this.threads.endInvocation();
			if (this.threads.isRemoved()) {
				return;
			}
			if (event != null && retryIn != null) {
				this.queue.failed(item, event, this.time.nanoTime() + TimeSource.nanos(retryIn));
			}
			else {
				this.queue.delivered(item, event);
			}
			updateSynced();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void wake() {
		this.threads.wake(isBlocked() ? 0 : this.queue.threadsNeeded());
		if (this.queue.size() == 0) {
			this.threads.signalProgress();
		}
	}

	private void updateSynced() {
		if (this.sync.update(this.queue.initialSize())) {
			wake();
		}
	}

	private boolean isBlocked() {
		return !this.pauseReasons.isEmpty();
	}

	private void locked(Runnable action) {
		locked(() -> {
			action.run();
			return true;
		});
	}

	/**
	 * Run an action with the lock. Methods that run for each event do without the lambda.
	 */
	private <R extends @Nullable Object> R locked(Supplier<R> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

}
