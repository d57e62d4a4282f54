/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import dev.informer.DeliveryDiagnosis;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerInvocation;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InvocationGate.Follower;
import dev.informer.InvocationGate.Target;
import dev.informer.QueuePolicy;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.processor.DeliveryRecords.Exhausted;
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

	private final String name;

	private final HandlerOptions<T> options;

	private final HandlerInvoker<T> invoker;

	private final SharedProcessor<T> processor;

	private final TimeSource time;

	private final ResyncTimer resyncTimer;

	private final HandlerLock lock;

	private final PauseState pauses;

	private final HandlerQueue<T> queue;

	private final HandlerWorkers workers;

	private final HandlerThreads threads;

	private final SyncTracker sync;

	private final DeliveryRecords<T> records = new DeliveryRecords<>();

	private final DeliveryLoop<T> loop;

	private final HandlerDiagnostics<T> diagnostics;

	private final Follower follower = new GateFollower();

	/** Batches that follow the initial list; {@code null} once that was added. */
	private @Nullable List<Batch<T>> early = new ArrayList<>();

	ProcessorListener(String name, HandlerOptions<T> options, HandlerInvoker<T> invoker, SharedProcessor<T> processor,
			ProcessorSettings<T> settings) {
		this.name = name;
		this.options = options;
		this.invoker = invoker;
		this.processor = processor;
		this.time = settings.time();
		this.resyncTimer = new ResyncTimer(options.resyncPeriod(), processor.informerName(), name,
				this.time.nanoTime());
		this.lock = new HandlerLock(this.time);
		this.pauses = new PauseState(this.time);
		this.queue = new HandlerQueue<>(options.queue(), this.pauses, options.gate());
		this.workers = new HandlerWorkers(this.lock, name, options.concurrency(), settings.threadFactory(), this::run,
				this::threadsWanted, invoker::threadFailed, this.time);
		this.threads = new HandlerThreads(this.lock, this.workers);
		this.sync = new SyncTracker(this.lock, () -> this.early != null || this.queue.hasInitial());
		this.loop = new DeliveryLoop<>(this.lock, this.queue, invoker, this.threads, this.sync, this.records,
				this::startThreads, this.time);
		this.diagnostics = new HandlerDiagnostics<>(this, options, processor, settings);
		if (options.paused()) {
			setPaused(PauseReason.REQUESTED, true, "its options");
		}
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
		this.processor.requireStarted(this.name);
		return this.sync.await(timeout, () -> this.processor.refusal(this.name));
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
		return this.lock.awaitProgress(
				() -> this.early == null && this.workers.invocations() == 0 && this.queue.size() == 0,
				TimeSource.nanos(timeout));
	}

	@Override
	public void pause(String requestedBy) {
		setPaused(PauseReason.REQUESTED, true, requestedBy);
	}

	@Override
	public void resume() {
		setPaused(PauseReason.REQUESTED, false);
		startThreads();
	}

	@Override
	public boolean isPaused() {
		return this.lock.get(() -> this.pauses.contains(PauseReason.REQUESTED));
	}

	/**
	 * Add or remove a reason for which the handler is paused. A handler that is suspended
	 * delivers the events that are pending at this time until {@link #awaitSuspended}
	 * returns. Does not start threads.
	 */
	void setPaused(PauseReason reason, boolean paused) {
		setPaused(reason, paused, null);
	}

	private void setPaused(PauseReason reason, boolean paused, @Nullable String requestedBy) {
		this.lock.run(() -> {
			this.queue.setPaused(reason, paused, requestedBy);
			this.lock.signalAll();
		});
	}

	@Override
	public int retryNow() {
		int retried = this.lock.get(() -> {
			Set<String> keys = this.records.exhaustedKeys();
			this.queue.waiting().delayed().forEach((entry) -> keys.add(entry.key()));
			return (int) keys.stream().filter(this::retryNow).count();
		});
		startThreads();
		return retried;
	}

	@Override
	public boolean retryNow(@Nullable String namespace, String name) {
		boolean retried = this.lock.get(() -> retryNow(ObjectKey.of(namespace, name)));
		startThreads();
		return retried;
	}

	private boolean retryNow(String key) {
		Exhausted<T> exhausted = this.records.exhausted(key);
		boolean restored = exhausted != null && this.queue.restore(key, exhausted.delivery(), this.time.nanoTime());
		if (restored) {
			this.records.removeExhausted(key);
		}
		boolean retried = this.queue.retryNow(key) || restored;
		this.lock.signalAll();
		return retried;
	}

	@Override
	public HandlerDiagnosis diagnose() {
		return this.diagnostics.diagnose();
	}

	@Override
	public DeliveryDiagnosis diagnose(@Nullable String namespace, String name) {
		return this.diagnostics.diagnose(namespace, name);
	}

	@Override
	public void remove() {
		boolean removed = this.processor.remove(this);
		unfollow();
		this.lock.run(() -> {
			this.queue.clear();
			this.records.clear();
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

	HandlerLock lock() {
		return this.lock;
	}

	HandlerQueue<T> pendingEvents() {
		return this.queue;
	}

	PauseState pauses() {
		return this.pauses;
	}

	DeliveryRecords<T> records() {
		return this.records;
	}

	/**
	 * Follow the gate. To be called before the handler has events.
	 */
	void follow() {
		this.options.gate().follow(this.follower);
		gateChanged();
	}

	void unfollow() {
		this.options.gate().unfollow(this.follower);
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
	 * Add events, which the handler receives after the next {@link #wake()}.
	 */
	void add(List<KeyedEvent<T>> events, long receivedNanos) {
		this.lock.run(() -> {
			if (this.early != null) {
				this.early.add(new Batch<>(events, receivedNanos));
			}
			else if (!this.threads.isRemoved()) {
				this.queue.add(events, receivedNanos);
				this.sync.update();
			}
		});
	}

	/**
	 * Add the events of the initial list, which precede those that were added before.
	 */
	void addInitialList(List<KeyedEvent<T>> events, long receivedNanos) {
		this.lock.run(() -> {
			List<Batch<T>> following = Objects.requireNonNull(this.early);
			this.early = null;
			add(events, receivedNanos);
			following.forEach((batch) -> add(batch.events(), batch.receivedNanos()));
		});
	}

	/**
	 * Let the threads accept the events, and start those that are needed.
	 */
	void wake() {
		this.lock.run(this.lock::signalAll);
		startThreads();
	}

	private void gateChanged() {
		this.lock.run(() -> {
			this.queue.gateChanged();
			this.sync.update();
			this.lock.signalAll();
		});
	}

	void initialListDistributed() {
		this.lock.run(this.sync::initialListDistributed);
	}

	void start() {
		this.lock.run(this.threads::start);
	}

	void startThreads() {
		this.workers.startNeeded();
	}

	private int threadsWanted() {
		return this.threads.isRunning()
				? Math.max(1, this.workers.invocations() + this.queue.threadsNeeded(this.workers.hasIdle())) : 0;
	}

	/**
	 * Wait for the events that were pending when the handler was suspended and for
	 * running invocations. No invocation starts after that.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 * @return whether no invocation is running
	 */
	boolean awaitSuspended(long deadline) throws InterruptedException {
		try {
			return this.threads.awaitInvocations(this::endDrain, Math.max(0, deadline - this.time.nanoTime()));
		}
		finally {
			this.lock.run(this.pauses::endDrain);
		}
	}

	/**
	 * End the drain if no event is ready. With the same lock: a retry may be due at once.
	 */
	private boolean endDrain() {
		boolean drained = !this.threads.isRunning() || !this.queue.isReady();
		if (drained) {
			this.pauses.endDrain();
		}
		return drained;
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
		this.loop.run();
	}

	private final class GateFollower implements Follower {

		@Override
		public void changed() {
			gateChanged();
			startThreads();
		}

		@Override
		public void revoked(Predicate<Target> targets, String reason) {
			gateChanged();
			Predicate<@Nullable Target> revoked = (target) -> target != null && targets.test(target);
			ProcessorListener<T> listener = ProcessorListener.this;
			listener.invoker.interrupt(reason, revoked, () -> listener.threads.interruptInvocations(revoked)).run();
		}

	}

	private record Batch<T extends KubernetesObject>(List<KeyedEvent<T>> events, long receivedNanos) {

	}

}
