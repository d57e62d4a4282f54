/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.TimeSource;
import dev.informer.client.ObjectKey;
import dev.informer.processor.HandlerInvoker.Delivered;
import dev.informer.processor.HandlerQueue.Item;
import dev.informer.processor.HandlerWorker.Phase;
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

	private static final Set<PauseReason> SUSPENDED = Set.of(PauseReason.SUSPENDED);

	private static final Duration UNEXPECTED_FAILURE = Duration.ofSeconds(1);

	private static final long NOTHING = Long.MIN_VALUE;

	private final ReentrantLock lock = new ReentrantLock();

	private final String name;

	private final HandlerOptions<T> options;

	private final HandlerQueue<T> queue;

	private final HandlerInvoker<T> invoker;

	private final HandlerThreads threads;

	private final SyncTracker sync;

	private final ResyncTimer resyncTimer;

	private final EnumSet<PauseReason> pauseReasons;

	private final SharedProcessor<T> processor;

	private final TimeSource time;

	/** Position up to which events are delivered although the handler is suspended. */
	private long suspendedAt = NOTHING;

	ProcessorListener(String name, HandlerOptions<T> options, HandlerInvoker<T> invoker, ResyncTimer resyncTimer,
			SharedProcessor<T> processor, HandlerThreadFactory threadFactory, TimeSource time) {
		this.name = name;
		this.options = options;
		this.queue = new HandlerQueue<>(options.queue());
		this.invoker = invoker;
		this.threads = new HandlerThreads(this.lock, name, options.concurrency(), threadFactory, this::run,
				() -> this.queue.threadsNeeded(deliverable()), invoker::threadFailed, time);
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
		startThreads();
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
	 * Add or remove a reason for which the handler is paused. A handler that is suspended
	 * delivers the events that are pending at this time until {@link #awaitSuspended}
	 * returns; delayed ones are retried at once. Does not start threads.
	 */
	void setPaused(PauseReason reason, boolean paused) {
		locked(() -> {
			if (!(paused ? this.pauseReasons.add(reason) : this.pauseReasons.remove(reason))) {
				return;
			}
			if (reason == PauseReason.SUSPENDED) {
				// a handler that is paused for another reason, too, has nothing to drain
				this.suspendedAt = SUSPENDED.equals(this.pauseReasons) ? this.queue.nextPosition() : NOTHING;
				this.queue.retryNow();
			}
			wake();
		});
	}

	@Override
	public void remove() {
		boolean removed = this.processor.remove(this);
		locked(() -> {
			this.queue.clear();
			this.sync.remove();
			this.threads.remove();
		});
		if (removed) {
			logFailures();
			this.processor.handlersChanged();
		}
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
	 * Start the threads that are needed now. To be called without a lock.
	 */
	void startThreads() {
		this.threads.startNeeded();
	}

	/**
	 * Wait for the events that were pending when the handler was suspended and for
	 * running invocations, and interrupt invocations that exceed a deadline. No
	 * invocation starts after that.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 * @return whether no invocation is running
	 */
	boolean awaitSuspended(long deadline) throws InterruptedException {
		try {
			return this.threads.awaitInvocationsOrInterrupt(
					() -> !this.threads.isRunning() || !this.queue.isReady(deliverable()), deadline);
		}
		finally {
			locked(() -> this.suspendedAt = NOTHING);
		}
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
		boolean more = true;
		while (more) {
			more = deliverNext();
		}
	}

	/**
	 * Deliver one event. An idle thread has no reference to it, because it has left this
	 * method.
	 * @return whether to continue
	 */
	private boolean deliverNext() {
		Item<T> item = next();
		if (item != null) {
			deliver(item);
		}
		return item != null;
	}

	/**
	 * Wait for the next delivery of the current thread.
	 * @return the delivery; {@code null} when the thread has to end
	 */
	private @Nullable Item<T> next() {
		this.lock.lock();
		try {
			while (this.threads.phase() != Phase.ENDING) {
				if (this.sync.hasDueActions()) {
					runSyncActions();
					continue;
				}
				Item<T> item = this.queue.take(this.time.nanoTime(), deliverable());
				if (item != null) {
					begin();
					return item;
				}
				if (this.threads.phase() == Phase.DRAINING) {
					break;
				}
				this.threads.awaitWork(nanosToNext());
			}
			this.threads.leave();
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long nanosToNext() {
		long deliverable = deliverable();
		return (deliverable != NOTHING) ? this.queue.nanosToNext(this.time.nanoTime(), deliverable) : Long.MAX_VALUE;
	}

	/**
	 * Begin an invocation. The lock is released while threads are started.
	 */
	private void begin() {
		if (this.threads.beginInvocation()) {
			this.lock.unlock();
			try {
				startThreads();
			}
			finally {
				this.lock.lock();
			}
		}
	}

	/**
	 * Run the actions of {@link #whenSynced} without the lock, which the caller holds.
	 */
	private void runSyncActions() {
		List<Runnable> actions = this.sync.takeActions();
		this.threads.beginInvocation();
		this.lock.unlock();
		try {
			actions.forEach((action) -> this.invoker.runGuarded("action after the sync", action));
		}
		finally {
			this.lock.lock();
			this.threads.endInvocation();
		}
	}

	private void deliver(Item<T> item) {
		Delivered<T> result = null;
		try {
			result = this.invoker.deliver(item, this.threads);
		}
		finally {
			// in any case: the object would stay in delivery, and later events would wait
			end(item, (result != null) ? result : new Delivered<>(null, UNEXPECTED_FAILURE));
		}
	}

	private void end(Item<T> item, Delivered<T> result) {
		this.lock.lock();
		try {
			this.threads.endInvocation();
			if (this.threads.isRemoved()) {
				return;
			}
			Duration retryIn = result.retryIn();
			if (retryIn != null) {
				this.queue.failed(item, result.event(), this.time.nanoTime() + TimeSource.nanos(retryIn));
			}
			else {
				this.queue.delivered(item, result.event());
			}
			updateSynced();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void wake() {
		this.threads.wake();
		this.threads.signalProgress();
	}

	private void updateSynced() {
		if (this.sync.update(this.queue.initialSize())) {
			wake();
		}
	}

	/**
	 * Return the position up to which events may be delivered now.
	 */
	private long deliverable() {
		if (this.pauseReasons.isEmpty()) {
			return Long.MAX_VALUE;
		}
		return SUSPENDED.equals(this.pauseReasons) ? this.suspendedAt : NOTHING;
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
