/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import dev.informer.DeliveryDiagnosis;
import dev.informer.DeliveryDiagnosis.Delivery;
import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.DeliveryDiagnosis.Version;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerInvocation;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InvocationGate.Follower;
import dev.informer.InvocationGate.Target;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.processor.DeliveryRecords.Exhausted;
import dev.informer.processor.HandlerInvoker.Delivered;
import dev.informer.processor.HandlerThreads.Invocation;
import dev.informer.processor.HandlerThreads.Phase;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Handler of an informer with its undelivered events and its threads. Each thread takes
 * the next event from the {@link HandlerQueue} and lets the {@link HandlerInvoker}
 * deliver it. The handler has synced once the whole initial list has been distributed and
 * each of its events has been delivered.
 * <p>
 * <b>Concurrency.</b> Queue, threads, records and sync are guarded by {@code lock}, which
 * is never held while code of the user runs. An event remains in the queue until its
 * delivery has ended, so invocations for one object never overlap. Adding events never
 * waits for the handler.
 */
final class ProcessorListener<T extends KubernetesObject> implements HandlerRegistration {

	private static final Duration UNEXPECTED_FAILURE = Duration.ofSeconds(1);

	private final String name;

	private final HandlerOptions<T> options;

	private final SharedProcessor<T> processor;

	private final TimeSource time;

	private final ResyncTimer resyncTimer;

	private final HandlerInvoker<T> invoker;

	private final HandlerQueue<T> queue;

	private final HandlerThreads threads;

	private final DeliveryRecords<T> records = new DeliveryRecords<>();

	private final HandlerDiagnostics<T> diagnostics;

	private final Follower follower = new GateFollower();

	/** Batches that follow the initial list; {@code null} once that was added. */
	private @Nullable List<Batch<T>> early = new ArrayList<>();

	private boolean initialListDistributed;

	private volatile boolean synced;

	/** Actions to run after the sync. */
	private final List<Runnable> syncActions = new ArrayList<>();

	ProcessorListener(String name, ResourceEventHandler<T> handler, HandlerOptions<T> options,
			SharedProcessor<T> processor) {
		this.name = name;
		this.options = options;
		this.processor = processor;
		this.time = processor.time;
		this.resyncTimer = new ResyncTimer(options.resyncPeriod(), processor.informerName(), name,
				this.time.nanoTime());
		this.invoker = new HandlerInvoker<>(processor, name, handler, options);
		this.queue = new HandlerQueue<>(options.queue(), options.gate(), this.time);
		this.threads = new HandlerThreads(this, options.concurrency(), processor);
		this.diagnostics = new HandlerDiagnostics<>(this, options, processor);
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
		return this.synced;
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		this.processor.requireStarted(this.name);
		this.threads.awaitProgress(
				() -> this.synced || this.threads.isRemoved() || this.processor.refusal(this.name) != null,
				TimeSource.nanos(timeout));
		if (!this.synced && !this.threads.get(this.threads::isRemoved)) {
			RuntimeException refusal = this.processor.refusal(this.name);
			if (refusal != null) {
				throw refusal;
			}
		}
		return this.synced;
	}

	@Override
	public void whenSynced(Runnable action) {
		this.threads.locked(() -> {
			if (!this.threads.isRemoved()) {
				this.syncActions.add(action);
				this.threads.signalAll();
			}
		});
		this.threads.startNeeded();
	}

	@Override
	public int pending() {
		return this.threads.get(this.queue::size);
	}

	@Override
	public List<HandlerInvocation> invocations() {
		return this.threads.get(() -> this.threads.invocations());
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		return this.threads.awaitProgress(
				() -> this.early == null && this.threads.busy() == 0 && this.queue.size() == 0,
				TimeSource.nanos(timeout));
	}

	@Override
	public void pause(String requestedBy) {
		setPaused(PauseReason.REQUESTED, true, requestedBy);
	}

	@Override
	public void resume() {
		setPaused(PauseReason.REQUESTED, false);
		this.threads.startNeeded();
	}

	@Override
	public boolean isPaused() {
		return this.threads.get(() -> this.queue.isPaused(PauseReason.REQUESTED));
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
		this.threads.locked(() -> {
			this.queue.setPaused(reason, paused, requestedBy);
			this.threads.signalAll();
		});
	}

	@Override
	public int retryNow() {
		int retried = this.threads.get(() -> {
			Set<String> keys = this.records.exhaustedKeys();
			this.queue.delayed().forEach((entry) -> keys.add(entry.key()));
			return (int) keys.stream().filter(this::retryNow).count();
		});
		this.threads.startNeeded();
		return retried;
	}

	@Override
	public boolean retryNow(@Nullable String namespace, String name) {
		boolean retried = this.threads.get(() -> retryNow(ObjectKey.of(namespace, name)));
		this.threads.startNeeded();
		return retried;
	}

	private boolean retryNow(String key) {
		Exhausted<T> exhausted = this.records.exhausted(key);
		boolean restored = exhausted != null && this.queue.restore(key, exhausted.delivery(), this.time.nanoTime());
		if (restored) {
			this.records.removeExhausted(key);
		}
		boolean retried = this.queue.retryNow(key) || restored;
		this.threads.signalAll();
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
		this.threads.locked(() -> {
			this.queue.clear();
			this.records.clear();
			this.syncActions.clear();
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

	HandlerQueue<T> pendingEvents() {
		return this.queue;
	}

	HandlerThreads threads() {
		return this.threads;
	}

	DeliveryRecords<T> records() {
		return this.records;
	}

	ResyncTimer resyncTimer() {
		return this.resyncTimer;
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

	/**
	 * Add events, which the handler receives after the next {@link #wake()}.
	 */
	void add(List<KeyedEvent<T>> events, long receivedNanos) {
		this.threads.locked(() -> {
			if (this.early != null) {
				this.early.add(new Batch<>(events, receivedNanos));
			}
			else if (!this.threads.isRemoved()) {
				this.queue.add(events, receivedNanos);
				updateSync();
			}
		});
	}

	/**
	 * Add the events of the initial list, which precede those that were added before.
	 */
	void addInitialList(List<KeyedEvent<T>> events, long receivedNanos) {
		this.threads.locked(() -> {
			List<Batch<T>> following = Objects.requireNonNull(this.early);
			this.early = null;
			add(events, receivedNanos);
			following.forEach((batch) -> add(batch.events(), batch.receivedNanos()));
		});
	}

	void initialListDistributed() {
		this.threads.locked(() -> {
			this.initialListDistributed = true;
			updateSync();
		});
	}

	/**
	 * Check whether the handler has synced, and return whether it has and had not before.
	 */
	private boolean updateSync() {
		if (this.synced || !this.initialListDistributed || this.early != null || this.queue.hasInitial()) {
			return false;
		}
		this.synced = true;
		this.threads.signalAll();
		return true;
	}

	/**
	 * Let the threads accept the events, and start those that are needed.
	 */
	void wake() {
		this.threads.locked(this.threads::signalAll);
		this.threads.startNeeded();
	}

	private void gateChanged() {
		this.threads.locked(() -> {
			this.queue.gateChanged();
			updateSync();
			this.threads.signalAll();
		});
	}

	void start() {
		this.threads.locked(this.threads::start);
	}

	/**
	 * Wait for the events that were pending when the handler was suspended and for
	 * running invocations. No invocation starts after that. Invocations that exceed the
	 * deadline are interrupted.
	 * @param deadline the deadline, as {@link TimeSource#nanoTime()}
	 * @return whether no invocation is running
	 */
	boolean awaitSuspended(long deadline) throws InterruptedException {
		boolean idle;
		try {
			idle = this.threads.awaitInvocations(this::endDrain, Math.max(0, deadline - this.time.nanoTime()));
		}
		finally {
			this.threads.locked(this.queue::endDrain);
		}
		if (!idle) {
			interrupt("stopped", (target) -> true);
		}
		return idle;
	}

	/**
	 * End the drain if no event is ready. With the same lock: a retry may be due at once.
	 */
	private boolean endDrain() {
		boolean drained = !this.threads.isRunning() || !this.queue.isReady();
		if (drained) {
			this.queue.endDrain();
		}
		return drained;
	}

	private void interrupt(String reason, Predicate<@Nullable Target> targets) {
		this.invoker.logInterrupted(reason, this.threads.get(() -> this.threads.interruptInvocations(targets)));
	}

	/**
	 * Let the threads end once all pending events have been delivered. Delayed events are
	 * retried at once.
	 */
	void drain() {
		this.threads.locked(() -> {
			if (this.threads.drain()) {
				this.queue.retryNow();
			}
		});
	}

	/**
	 * Deliver one event on the current thread. An idle thread has no reference to it,
	 * because it has left this method.
	 * @return whether to continue; {@code false} when the thread has left
	 */
	boolean deliverNext() {
		QueueEntry<T> entry = this.threads.get(this::next);
		if (entry != null) {
			deliver(entry);
		}
		return entry != null;
	}

	/**
	 * Wait for the next delivery of the current thread.
	 */
	private @Nullable QueueEntry<T> next() {
		while (this.threads.phase() != Phase.ENDING) {
			if (this.synced && !this.syncActions.isEmpty()) {
				runSyncAction();
				continue;
			}
			QueueEntry<T> entry = this.queue.take(this.time.nanoTime());
			if (entry != null) {
				if (this.threads.begin(entry.target())) {
					startThreads(entry);
				}
				return entry;
			}
			if (updateSync()) {
				continue;
			}
			if (this.threads.phase() == Phase.DRAINING) {
				break;
			}
			this.threads.awaitWork(this.queue.nanosToNext(this.time.nanoTime()));
		}
		this.threads.leave();
		return null;
	}

	/**
	 * Start threads without the lock, which the caller holds.
	 */
	private void startThreads(QueueEntry<T> entry) {
		try {
			this.threads.runReleased(this.threads::startNeeded);
		}
		catch (Throwable ex) {
			putBack(entry);
			throw ex;
		}
	}

	/**
	 * Run the next action after the sync without the lock, which the caller holds.
	 */
	private void runSyncAction() {
		Runnable action = this.syncActions.remove(0);
		this.threads.begin(null);
		try {
			this.threads.runReleased(() -> this.invoker.runGuarded("action after the sync", action));
		}
		finally {
			this.threads.end();
		}
	}

	private void deliver(QueueEntry<T> entry) {
		@Nullable Delivered<T> result = new Delivered<>(null, UNEXPECTED_FAILURE, Outcome.RETRIES_EXHAUSTED, null);
		try {
			result = this.invoker.deliver(entry, this.threads, (type) -> mayBegin(entry, type));
		}
		finally {
			// in any case: the object would stay in delivery, and later events would wait
			if (result != null) {
				end(entry, result);
			}
			else {
				putBack(entry);
			}
		}
	}

	/**
	 * Decide whether an invocation may begin, immediately before it: the handler may have
	 * been paused, stopped or removed since the event was taken. Who does that later
	 * finds the invocation.
	 */
	private boolean mayBegin(QueueEntry<T> entry, ResourceEvent.Type type) {
		return this.threads.get(() -> {
			boolean permitted = this.threads.phase() != Phase.ENDING && this.queue.isPermitted(entry);
			if (permitted) {
				this.threads.beginInvocation(new Invocation(entry.key(), type, this.time.nanoTime()));
			}
			return permitted;
		});
	}

	private void putBack(QueueEntry<T> entry) {
		this.threads.locked(() -> {
			this.threads.end();
			if (!this.threads.isRemoved()) {
				this.queue.putBack(entry);
				this.queue.updatePause();
				updateSync();
			}
		});
	}

	private void end(QueueEntry<T> entry, Delivered<T> result) {
		Instant now = this.time.now();
		// without the lock: metadata of the object may be code of the user
		Delivery delivery = toDelivery(result, now);
		this.threads.locked(() -> {
			this.threads.end();
			if (this.threads.isRemoved()) {
				return;
			}
			Duration retryIn = result.retryIn();
			if (retryIn != null) {
				long due = this.time.nanoTime() + TimeSource.nanos(retryIn);
				if (result.outcome() == Outcome.HANDLED) {
					this.queue.postponed(entry, due);
				}
				else {
					this.queue.failed(entry, result.event(), due);
				}
			}
			else {
				this.records.ended(entry, delivery, result.failure(), now);
				this.queue.delivered(entry, result.event());
			}
			updateSync();
		});
	}

	/**
	 * Return the record of a delivery; {@code null} if no event was delivered.
	 */
	private static @Nullable Delivery toDelivery(Delivered<?> result, Instant now) {
		ResourceEvent<?> event = result.event();
		if (event == null || result.retryIn() != null) {
			return null;
		}
		return new Delivery(event.type(), version(event.object()), now, result.outcome(), result.failure());
	}

	/**
	 * Return the version of an object; without UID and resource version if its metadata
	 * cannot be read.
	 */
	static Version version(KubernetesObject object) {
		try {
			ObjectState state = ObjectState.of(object);
			return new Version(text(state.uid()), text(state.resourceVersion()));
		}
		// code of the author of the class
		catch (Throwable ex) {
			return new Version(null, null);
		}
	}

	private static @Nullable String text(@Nullable String text) {
		return (text != null) ? UntrustedText.of(text) : null;
	}

	private final class GateFollower implements Follower {

		@Override
		public void changed() {
			gateChanged();
			ProcessorListener.this.threads.startNeeded();
		}

		@Override
		public void revoked(Predicate<Target> targets, String reason) {
			gateChanged();
			interrupt(reason, (target) -> target != null && targets.test(target));
		}

	}

	private record Batch<T extends KubernetesObject>(List<KeyedEvent<T>> events, long receivedNanos) {

	}

}
