/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

import dev.informer.HandlerInvocation;
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
 * <b>Concurrency.</b> Queue, threads and sync are guarded by {@code lock}, which is never
 * held while code of the user runs. An event remains in the queue until its delivery has
 * ended, so invocations for one object never overlap. Adding events never waits for the
 * handler.
 *
 * @param <T> the type of the objects
 */
final class ProcessorListener<T extends KubernetesObject> implements HandlerRegistration {

	private static final Duration UNEXPECTED_FAILURE = Duration.ofSeconds(1);

	private final String name;

	private final HandlerOptions<T> options;

	private final HandlerInvoker<T> invoker;

	private final SharedProcessor<T> processor;

	private final TimeSource time;

	private final ResyncTimer resyncTimer;

	private final HandlerLock lock;

	private final HandlerQueue<T> queue;

	private final HandlerWorkers workers;

	private final HandlerThreads threads;

	private final SyncTracker sync;

	ProcessorListener(String name, HandlerOptions<T> options, HandlerInvoker<T> invoker, SharedProcessor<T> processor,
			BiFunction<String, Runnable, Thread> threadFactory, TimeSource time) {
		this.name = name;
		this.options = options;
		this.invoker = invoker;
		this.processor = processor;
		this.time = time;
		this.resyncTimer = new ResyncTimer(options.resyncPeriod(), processor.informerName(), name, time.nanoTime());
		this.lock = new HandlerLock(time);
		this.queue = new HandlerQueue<>(options.queue());
		this.queue.setPaused(PauseReason.REQUESTED, options.paused());
		this.workers = new HandlerWorkers(this.lock, name, options.concurrency(), threadFactory, this::run,
				this::threadsWanted, invoker::threadFailed, time);
		this.threads = new HandlerThreads(this.lock, this.workers);
		this.sync = new SyncTracker(this.lock, this.queue::initialSize);
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
		this.lock.run(() -> this.sync.addAction(action));
		startThreads();
	}

	@Override
	public int pending() {
		return this.lock.get(this.queue::size);
	}

	@Override
	public List<HandlerInvocation> invocations() {
		return this.invoker.invocations();
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		return this.lock.awaitProgress(() -> this.workers.invocations() == 0 && this.queue.size() == 0,
				TimeSource.nanos(timeout));
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
		return this.lock.get(() -> this.queue.isPaused(PauseReason.REQUESTED));
	}

	/**
	 * Add or remove a reason for which the handler is paused. A handler that is suspended
	 * delivers the events that are pending at this time until {@link #awaitSuspended}
	 * returns. Does not start threads.
	 */
	void setPaused(PauseReason reason, boolean paused) {
		this.lock.run(() -> {
			this.queue.setPaused(reason, paused);
			this.lock.signalAll();
		});
	}

	@Override
	public void remove() {
		boolean removed = this.processor.remove(this);
		this.lock.run(() -> {
			this.queue.clear();
			this.sync.remove();
			this.threads.remove();
		});
		if (removed) {
			this.invoker.logFailures();
			this.processor.handlersChanged();
		}
	}

	@Override
	public boolean remove(Duration timeout) throws InterruptedException {
		remove();
		return this.threads.awaitInvocations(() -> true, TimeSource.nanos(timeout));
	}

	HandlerInvoker<T> invoker() {
		return this.invoker;
	}

	HandlerThreads threads() {
		return this.threads;
	}

	HandlerWorkers workers() {
		return this.workers;
	}

	ResyncTimer resyncTimer() {
		return this.resyncTimer;
	}

	/**
	 * Add events, received at the same time, in the order of the changes of the cache.
	 */
	void add(List<ResourceEvent<T>> events, long receivedNanos) {
		this.lock.run(() -> {
			if (!this.threads.isRemoved()) {
				events.forEach((event) -> this.queue.add(ObjectKey.of(event.object()), event, receivedNanos));
				this.sync.update();
				this.lock.signalAll();
			}
		});
	}

	/**
	 * Add the additions of the cached objects, before any other event.
	 */
	void addInitialList(Map<String, T> objects) {
		long now = this.time.nanoTime();
		this.lock.run(() -> objects.forEach((key, object) -> this.queue.add(key, new Added<>(object, true), now)));
	}

	void initialListDistributed() {
		this.lock.run(this.sync::initialListDistributed);
	}

	/**
	 * Let the handler be invoked by the threads that {@link #startThreads()} starts.
	 */
	void start() {
		this.lock.run(this.threads::start);
	}

	/**
	 * Start the threads that are needed now. To be called without a lock.
	 */
	void startThreads() {
		this.workers.startNeeded();
	}

	private int threadsWanted() {
		return this.threads.isRunning() ? Math.max(1, this.workers.invocations() + this.queue.threadsNeeded()) : 0;
	}

	/**
	 * Wait for the events that were pending when the handler was suspended and for
	 * running invocations. No invocation starts after that.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 * @return whether no invocation is running
	 */
	boolean awaitSuspended(long deadline) throws InterruptedException {
		try {
			return this.threads.awaitInvocations(() -> !this.threads.isRunning() || !this.queue.isReady(),
					Math.max(0, deadline - this.time.nanoTime()));
		}
		finally {
			this.lock.run(this.queue::endDrain);
		}
	}

	/**
	 * Let the threads end once all pending events have been delivered. Delayed events are
	 * retried at once.
	 */
	void drain() {
		this.lock.run(() -> {
			if (this.threads.drain()) {
				this.queue.retryNow();
			}
		});
	}

	private void run() {
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
		Item<T> item = this.lock.get(this::next);
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
		while (this.threads.phase() != Phase.ENDING) {
			if (this.sync.hasDueActions()) {
				runSyncActions();
				continue;
			}
			Item<T> item = this.queue.take(this.time.nanoTime());
			if (item != null) {
				if (this.threads.beginInvocation()) {
					this.lock.runReleased(this::startThreads);
				}
				return item;
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
	 * Run the actions of {@link #whenSynced} without the lock, which the caller holds.
	 */
	private void runSyncActions() {
		List<Runnable> actions = this.sync.takeActions();
		this.threads.beginInvocation();
		try {
			this.lock.runReleased(
					() -> actions.forEach((action) -> this.invoker.runGuarded("action after the sync", action)));
		}
		finally {
			this.threads.endInvocation();
		}
	}

	private void deliver(Item<T> item) {
		Delivered<T> result = new Delivered<>(null, UNEXPECTED_FAILURE);
		try {
			result = this.invoker.deliver(item, this.threads);
		}
		finally {
			// in any case: the object would stay in delivery, and later events would wait
			end(item, result);
		}
	}

	private void end(Item<T> item, Delivered<T> result) {
		this.lock.run(() -> {
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
			this.sync.update();
		});
	}

}
