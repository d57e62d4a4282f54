/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.RetryPolicy;
import dev.informer.TimeSource;
import dev.informer.client.ObjectKey;
import dev.informer.processor.HandlerQueue.Call;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handler, what it has yet to be told, and the threads that tell it.
 * <p>
 * <b>Concurrency.</b> The queue, the threads and the flags are guarded by {@code lock},
 * which is never held while anything of the user's is called. A call that was begun keeps
 * its object in the queue until it is known how the call ended, so calls for one object
 * never overlap; and there are never more threads than the handler wants, one that is
 * stuck since before a restart included. Whoever offers never waits for the handler.
 *
 * @param <T> the type of the objects
 */
final class ProcessorListener<T extends KubernetesObject> implements HandlerRegistration {

	private static final Logger logger = LoggerFactory.getLogger(ProcessorListener.class);

	private final ReentrantLock lock = new ReentrantLock();

	/** There may be something to do for a thread of the handler. */
	private final Condition work = this.lock.newCondition();

	/** Something has ended that somebody may wait for. */
	private final Condition progress = this.lock.newCondition();

	private final String name;

	private final ResyncTimer resync;

	private final RetryPolicy retry;

	private final Set<ResourceEvent.Type> on;

	private final HandlerQueue<T> queue;

	private final EventFilter<T> filter;

	private final WorkerThreads threads;

	private final HandlerCaller<T> caller;

	private final SharedProcessor<T> processor;

	private final TimeSource time;

	private State state = State.STOPPED;

	private final EnumSet<PauseReason> pauseReasons;

	private int calls;

	/** How many of the calls wait for the other ones to end. */
	private int waitingCalls;

	private boolean informerSynced;

	private boolean synced;

	/** What to run once synced. */
	private final List<Runnable> syncActions = new ArrayList<>();

	ProcessorListener(String name, HandlerOptions<T> options, ResyncTimer resync, ResourceEventHandler<T> handler,
			Set<PauseReason> pauseReasons, SharedProcessor<T> processor, HandlerThreads threads, TimeSource time,
			HandlerListener listener) {
		this.name = name;
		this.resync = resync;
		this.retry = options.retry();
		this.on = options.on();
		this.queue = new HandlerQueue<>(options.queue());
		this.filter = new EventFilter<>(name, options, listener);
		this.threads = new WorkerThreads(name, threads, options.concurrency());
		this.caller = new HandlerCaller<>(name, handler, options.errorHandler(), listener, time);
		this.processor = processor;
		this.time = time;
		this.pauseReasons = EnumSet.noneOf(PauseReason.class);
		this.pauseReasons.addAll(pauseReasons);
		if (options.paused()) {
			this.pauseReasons.add(PauseReason.REQUESTED);
		}
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public QueuePolicy queue() {
		return this.queue.policy();
	}

	@Override
	public boolean hasSynced() {
		return locked(() -> this.synced);
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		return awaitLocked(timeout, () -> this.synced || this.state == State.REMOVED) && hasSynced();
	}

	private boolean awaitLocked(Duration timeout, BooleanSupplier condition) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return await(timeout, condition);
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean await(Duration timeout, BooleanSupplier condition) throws InterruptedException {
		long began = this.time.nanoTime();
		long remaining = timeout.toNanos();
		while (!condition.getAsBoolean() && remaining > 0) {
			this.time.await(this.progress, remaining);
			remaining = timeout.toNanos() - (this.time.nanoTime() - began);
		}
		return condition.getAsBoolean();
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		return awaitLocked(timeout, this::isIdle);
	}

	private boolean isIdle() {
		return this.calls == 0 && this.queue.size() == 0;
	}

	@Override
	public void whenSynced(Runnable action) {
		locked(() -> {
			if (this.state != State.REMOVED) {
				this.syncActions.add(action);
				this.work.signalAll();
			}
		});
	}

	@Override
	public int pending() {
		return locked(this.queue::size);
	}

	@Override
	public void remove() {
		this.processor.remove(this);
		locked(() -> {
			this.state = State.REMOVED;
			this.queue.clear();
			this.syncActions.clear();
			this.work.signalAll();
			this.progress.signalAll();
		});
	}

	@Override
	public boolean remove(Duration timeout) throws InterruptedException {
		remove();
		return awaitCalls(timeout);
	}

	private boolean awaitCalls(Duration timeout) throws InterruptedException {
		this.lock.lockInterruptibly();
		int self = this.threads.isCurrent() ? 1 : 0;
		this.waitingCalls += self;
		try {
			this.progress.signalAll();
			return await(timeout, () -> this.calls <= self * this.waitingCalls);
		}
		finally {
			this.waitingCalls -= self;
			this.lock.unlock();
		}
	}

	@Override
	public void pause() {
		pause(PauseReason.REQUESTED);
	}

	@Override
	public void resume() {
		resume(PauseReason.REQUESTED);
	}

	@Override
	public boolean isPaused() {
		return locked(() -> this.pauseReasons.contains(PauseReason.REQUESTED));
	}

	void pause(PauseReason reason) {
		locked(() -> {
			this.pauseReasons.add(reason);
			wake();
		});
	}

	void resume(PauseReason reason) {
		locked(() -> {
			this.pauseReasons.remove(reason);
			wake();
		});
	}

	/**
	 * Waits for the calls that are running, not for one of the calling thread, and
	 * interrupts those that go on beyond a deadline.
	 * @return whether no call is running any more
	 */
	boolean awaitCalls(long deadline) throws InterruptedException {
		boolean idle = awaitCalls(Duration.ofNanos(Math.max(0, deadline - this.time.nanoTime())));
		if (!idle) {
			locked(() -> this.threads.others().forEach(Thread::interrupt));
		}
		return idle;
	}

	/**
	 * Queues events, in the order of the changes of the store.
	 * @param events the events
	 * @param received when they came from the server, in nanoseconds
	 */
	void offer(List<ResourceEvent<T>> events, long received) {
		locked(() -> {
			if (this.state != State.REMOVED) {
				events.forEach((event) -> this.queue.offer(ObjectKey.of(event.object()), event, received));
				updateSynced();
				wake();
			}
		});
	}

	/**
	 * Notes that all of the initial list has been offered.
	 */
	void initialListDistributed() {
		locked(() -> {
			this.informerSynced = true;
			updateSynced();
		});
	}

	ResyncTimer resync() {
		return this.resync;
	}

	void start() {
		locked(() -> {
			if (this.state != State.REMOVED && this.state != State.RUNNING) {
				this.state = State.RUNNING;
				if (this.threads.size() == 0) {
					this.threads.add(this::run);
				}
				wake();
			}
		});
	}

	/**
	 * Lets the threads end once everything was told. What waits for another attempt gets
	 * it at once.
	 */
	void drain() {
		locked(() -> {
			if (this.state == State.RUNNING) {
				this.state = State.DRAINING;
				this.queue.hurry();
				wake();
			}
		});
	}

	/**
	 * Waits for the threads to end, not for the calling thread itself.
	 */
	void awaitEnd(long deadline) throws InterruptedException {
		for (Thread thread : locked(this.threads::others)) {
			long remaining = deadline - this.time.nanoTime();
			if (remaining > 0) {
				this.time.join(thread, remaining);
			}
		}
	}

	/**
	 * Ends the threads whatever is queued, and interrupts the calls that are running.
	 */
	void halt() {
		locked(() -> {
			if (this.state != State.REMOVED) {
				this.state = State.STOPPED;
			}
			this.threads.others().forEach(Thread::interrupt);
			this.work.signalAll();
		});
	}

	/**
	 * Whether no thread is left, of a handler that was removed.
	 */
	boolean isGone() {
		return locked(() -> this.calls == 0 && this.threads.others().isEmpty());
	}

	/**
	 * Whether a call goes on though the worker was halted.
	 */
	boolean isStuck() {
		return locked(
				() -> (this.state == State.STOPPED || this.state == State.REMOVED) && !this.threads.others().isEmpty());
	}

	private void run() {
		Runnable task = next();
		while (task != null) {
			task.run();
			task = next();
		}
	}

	/**
	 * Waits for something to do. What ends that is the state alone: an interrupt that a
	 * handler has left behind must not.
	 */
	private @Nullable Runnable next() {
		this.lock.lock();
		try {
			while (this.state == State.RUNNING || this.state == State.DRAINING) {
				if (this.synced && !this.syncActions.isEmpty()) {
					List<Runnable> actions = List.copyOf(this.syncActions);
					this.syncActions.clear();
					return () -> actions.forEach(this.caller::guard);
				}
				Call<T> call = isBlocked() ? null : this.queue.take(this.time.nanoTime());
				if (call != null) {
					this.calls++;
					addThreads();
					Thread.interrupted();
					return () -> tell(call);
				}
				if (this.state == State.DRAINING) {
					break;
				}
				await(isBlocked() ? Long.MAX_VALUE : this.queue.nanosToNext(this.time.nanoTime()));
			}
			this.threads.ending();
			if (this.state == State.DRAINING && this.threads.size() == 0) {
				this.state = State.STOPPED;
			}
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isBlocked() {
		return !this.pauseReasons.isEmpty();
	}

	private void await(long nanos) {
		try {
			this.time.await(this.work, nanos);
		}
		catch (InterruptedException ex) {
			// the state says whether that means anything
		}
	}

	private void tell(Call<T> call) {
		ResourceEvent<T> event = call.transition().event(this.filter);
		if (event == null || !this.on.contains(event.type())) {
			end(() -> this.queue.told(call, event));
			return;
		}
		int attempt = call.slot().attempt(event);
		Throwable failure = this.caller.call(event, attempt);
		if (failure == null) {
			this.caller.delivered(event, call.received());
			end(() -> this.queue.told(call, event));
			return;
		}
		Duration retryIn = locked(() -> retryIn(call, attempt));
		this.caller.failed(event, attempt, retryIn, failure);
		if (retryIn == null) {
			end(() -> this.queue.told(call, event));
			return;
		}
		end(() -> this.queue.failed(call, event, this.time.nanoTime() + retryIn.toNanos()));
	}

	/**
	 * How long to wait before a call that has failed is tried again. One that a stop has
	 * interrupted waits for the next start.
	 */
	private @Nullable Duration retryIn(Call<T> call, int attempt) {
		if (this.state == State.REMOVED || this.retry.maxRetries() == 0) {
			return null;
		}
		if (this.state == State.STOPPED) {
			return Duration.ZERO;
		}
		return (attempt <= this.retry.maxRetries())
				? this.retry.delay(call.slot().failures() + 1, ThreadLocalRandom.current().nextDouble()) : null;
	}

	private void end(Runnable outcome) {
		locked(() -> {
			this.calls--;
			if (this.state != State.REMOVED) {
				outcome.run();
				updateSynced();
			}
			this.progress.signalAll();
		});
	}

	/**
	 * Lets the threads look anew at what there is to do.
	 */
	private void wake() {
		this.work.signalAll();
		addThreads();
	}

	/**
	 * Makes more threads when there is more to do than the idle ones can take at once.
	 */
	private void addThreads() {
		try {
			while (this.state == State.RUNNING && !isBlocked() && !this.threads.isFull()
					&& this.queue.usefulThreads() > this.threads.size() - this.calls) {
				this.threads.add(this::run);
			}
		}
		catch (RuntimeException | OutOfMemoryError ex) {
			logger.atError()
				.addKeyValue("handler", this.name)
				.setCause(ex)
				.log("No more threads for handler '{}': those that it has go on", this.name);
		}
	}

	private void updateSynced() {
		if (!this.synced && this.informerSynced && this.queue.initialSize() == 0) {
			this.synced = true;
			this.progress.signalAll();
			this.work.signalAll();
		}
	}

	private void locked(Runnable action) {
		locked(() -> {
			action.run();
			return true;
		});
	}

	private <R extends @Nullable Object> R locked(Supplier<R> read) {
		this.lock.lock();
		try {
			return read.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private enum State {

		STOPPED, RUNNING, DRAINING, REMOVED

	}

}
