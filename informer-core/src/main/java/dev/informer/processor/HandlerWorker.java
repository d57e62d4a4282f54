package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.TimeSource;
import dev.informer.source.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * A handler, what it has yet to be told, and the thread that tells it.
 * <p>
 * <b>Concurrency.</b> The queue and the flags are guarded by {@code lock}, which is never
 * held during a call of the handler. {@code calling} is held by the thread that may call
 * it: after a restart the new thread waits there for one that is stuck, so calls never
 * overlap. Whoever offers never waits for the handler.
 *
 * @param <T> the type of the objects
 */
final class HandlerWorker<T extends KubernetesObject> implements HandlerRegistration {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final ReentrantLock calling = new ReentrantLock();

	private final String name;

	private final Duration resyncPeriod;

	private final HandlerQueue<T> queue;

	private final ResourceEventHandler<T> handler;

	private final SharedProcessor<T> processor;

	private final TimeSource time;

	private final CallReporter reporter;

	private State state = State.STOPPED;

	private @Nullable Thread thread;

	private boolean informerSynced;

	private boolean tellingInitial;

	private boolean synced;

	private long nextResync;

	HandlerWorker(String name, HandlerOptions options, Duration resyncPeriod, ResourceEventHandler<T> handler,
			SharedProcessor<T> processor, TimeSource time, CallReporter reporter) {
		this.name = name;
		this.resyncPeriod = resyncPeriod;
		this.queue = (options.queue() == QueuePolicy.COALESCE) ? new CoalescingQueue<>() : new KeepAllQueue<>();
		this.handler = handler;
		this.processor = processor;
		this.time = time;
		this.reporter = reporter;
		this.nextResync = time.nanoTime() + resyncPeriod.toNanos();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean hasSynced() {
		return locked(() -> this.synced);
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long began = this.time.nanoTime();
			long remaining = timeout.toNanos();
			while (!this.synced && this.state != State.REMOVED && remaining > 0) {
				this.time.await(this.changed, remaining);
				remaining = timeout.toNanos() - (this.time.nanoTime() - began);
			}
			return this.synced;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public int pending() {
		return locked(this.queue::size);
	}

	@Override
	public void remove() {
		this.processor.remove(this);
		this.lock.lock();
		try {
			this.state = State.REMOVED;
			this.queue.clear();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Queues events, in the order of the changes of the store.
	 */
	void offer(List<ResourceEvent<T>> events) {
		this.lock.lock();
		try {
			if (this.state != State.REMOVED) {
				events.forEach((event) -> this.queue.offer(ObjectKey.of(event.object()), event));
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that all of the initial list has been offered.
	 */
	void informerSynced() {
		this.lock.lock();
		try {
			this.informerSynced = true;
			updateSynced();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether a resync is due. If so, the next one is due a period later.
	 */
	boolean takeResyncDue(long now) {
		if (this.resyncPeriod.isZero() || now - this.nextResync < 0) {
			return false;
		}
		this.nextResync = now + this.resyncPeriod.toNanos();
		return true;
	}

	/**
	 * How long until the next resync is due, in nanoseconds.
	 */
	long nanosToResync(long now) {
		return this.resyncPeriod.isZero() ? Long.MAX_VALUE : Math.max(0, this.nextResync - now);
	}

	void start(HandlerThreads threads) {
		this.lock.lock();
		try {
			if (this.state == State.REMOVED || this.state == State.RUNNING) {
				return;
			}
			this.state = State.RUNNING;
			Thread[] started = new Thread[1];
			started[0] = threads.newThread(this.name, () -> run(started));
			this.thread = started[0];
			started[0].start();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets the thread end once the queue is empty.
	 */
	void drain() {
		this.lock.lock();
		try {
			if (this.state == State.RUNNING) {
				this.state = State.DRAINING;
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits for the thread to end, not for the calling thread itself.
	 */
	void awaitEnd(long deadline) throws InterruptedException {
		Thread last = locked(() -> this.thread);
		long remaining = deadline - this.time.nanoTime();
		if (last != null && last != Thread.currentThread() && remaining > 0) {
			last.join(TimeUnit.NANOSECONDS.toMillis(remaining) + 1);
		}
	}

	/**
	 * Ends the thread whatever is queued, and interrupts the call that is running.
	 */
	void halt() {
		this.lock.lock();
		try {
			if (this.state != State.REMOVED) {
				this.state = State.STOPPED;
			}
			if (this.thread != null && this.thread != Thread.currentThread()) {
				this.thread.interrupt();
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether a call goes on though the worker was halted.
	 */
	boolean isStuck() {
		return locked(() -> this.state == State.STOPPED && this.thread != null && this.thread.isAlive()
				&& this.thread != Thread.currentThread());
	}

	private void run(Thread[] self) {
		try {
			this.calling.lockInterruptibly();
			try {
				ResourceEvent<T> event = next(self[0]);
				while (event != null) {
					this.reporter.call(this.name, event, this.handler);
					event = next(self[0]);
				}
			}
			finally {
				this.calling.unlock();
			}
		}
		catch (InterruptedException ex) {
			// halted while another thread is stuck in the handler
		}
		finally {
			ended(self[0]);
		}
	}

	/**
	 * Waits for the next event. What ends that is the state alone: an interrupt that a
	 * handler has left behind must not.
	 */
	private @Nullable ResourceEvent<T> next(Thread self) {
		this.lock.lock();
		try {
			this.tellingInitial = false;
			updateSynced();
			while (this.thread == self && (this.state == State.RUNNING || this.state == State.DRAINING)) {
				ResourceEvent<T> event = this.queue.poll();
				if (event != null) {
					this.tellingInitial = KeepAllQueue.isInitial(event);
					Thread.interrupted();
					return event;
				}
				if (this.state == State.DRAINING) {
					return null;
				}
				this.changed.awaitUninterruptibly();
			}
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void ended(Thread self) {
		this.lock.lock();
		try {
			if (this.thread == self && this.state == State.DRAINING) {
				this.state = State.STOPPED;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void updateSynced() {
		if (!this.synced && this.informerSynced && !this.tellingInitial && this.queue.initialSize() == 0) {
			this.synced = true;
			this.changed.signalAll();
		}
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
