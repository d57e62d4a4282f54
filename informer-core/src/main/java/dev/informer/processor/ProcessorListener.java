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
import java.util.function.BooleanSupplier;

import dev.informer.DeliveryDiagnosis;
import dev.informer.DeliveryDiagnosis.Delivery;
import dev.informer.DeliveryDiagnosis.Version;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InformerFailure.Kind;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.client.Moment;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.processor.DeliveryRecords.Exhausted;
import dev.informer.processor.DeliveryResult.Ended;
import dev.informer.processor.DeliveryResult.Failed;
import dev.informer.processor.DeliveryResult.Postponed;
import dev.informer.processor.HandlerSnapshot.InQueue;
import dev.informer.support.UntrustedText;
import dev.informer.work.MappingHandler;
import dev.informer.work.Work;
import dev.informer.work.WorkerThreads;
import dev.informer.work.WorkerThreads.Phase;
import dev.informer.work.WorkerThreads.Running;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Handler of an informer with its undelivered events and its threads. Each thread takes
 * the next event from the {@link HandlerQueue} and delivers it by the
 * {@link HandlerInvoker}. The handler has synced once the whole initial list has been
 * distributed and each of its events has been delivered.
 * <p>
 * <b>Concurrency.</b> The lock of {@link WorkerThreads} guards queue, records and sync.
 * It is not held while code of the user runs, apart from the gate. An event remains in
 * the queue until its delivery has ended, so invocations for one object never overlap.
 * Adding events never waits for the handler.
 */
final class ProcessorListener<T extends KubernetesObject> implements HandlerRegistration, Work<KeyedEvent<T>> {

	private static final Duration MIN_RESYNC_PERIOD = Duration.ofSeconds(1);

	private static final Duration UNEXPECTED_FAILURE = Duration.ofSeconds(1);

	private final String name;

	private final ResourceEventHandler<T> handler;

	private final HandlerOptions<T> options;

	private final SharedProcessor<T> processor;

	private final TimeSource time;

	/** Zero for no resyncs. */
	private final Duration resyncPeriod;

	/** Used by the process loop alone. */
	private long nextResync;

	private final HandlerReporter reporter;

	private final HandlerInvoker<T> invoker;

	private final HandlerQueue<T> queue;

	private final WorkerThreads<KeyedEvent<T>> threads;

	private final DeliveryRecords<T> records = new DeliveryRecords<>();

	private final HandlerDiagnostics<T> diagnostics;

	/** Batches that follow the initial list; {@code null} once that was added. */
	private @Nullable List<Batch<T>> early = new ArrayList<>();

	private boolean initialListDistributed;

	private volatile boolean synced;

	/** Actions to run after the sync. */
	private final List<Runnable> syncActions = new ArrayList<>();

	ProcessorListener(String name, ResourceEventHandler<T> handler, HandlerOptions<T> options,
			SharedProcessor<T> processor, TimeSource time) {
		this.name = name;
		this.handler = handler;
		this.options = options;
		this.processor = processor;
		this.time = time;
		this.reporter = processor.newReporter(name);
		this.invoker = processor.newInvoker(name, handler, options, this.reporter);
		this.diagnostics = processor.newDiagnostics(options);
		this.queue = new HandlerQueue<>(options.queue(), options.gate(), time);
		this.threads = processor.newThreads(this, options);
		boolean tooShort = !options.resyncPeriod().isZero() && options.resyncPeriod().compareTo(MIN_RESYNC_PERIOD) < 0;
		this.resyncPeriod = tooShort ? MIN_RESYNC_PERIOD : options.resyncPeriod();
		this.nextResync = time.nanoTime() + TimeSource.nanos(this.resyncPeriod);
		if (tooShort) {
			this.reporter.line(Level.WARN)
				.log("Informer '{}' raised the resync period of handler '{}' from {} ms to {} ms",
						processor.informerName(), name, TimeSource.millis(options.resyncPeriod()),
						TimeSource.millis(this.resyncPeriod));
		}
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
	public List<Invocation> invocations() {
		return this.threads.get(this.threads::calls)
			.stream()
			.map((running) -> new Invocation(UntrustedText.of(running.call().key()), running.call().event().type(),
					running.duration()))
			.toList();
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
		this.threads.awaitEntered();
	}

	@Override
	public void resume() {
		setPaused(PauseReason.REQUESTED, false, null);
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
	void setPaused(PauseReason reason, boolean paused, @Nullable String requestedBy) {
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
		return this.diagnostics.diagnose(this::snapshot);
	}

	@Override
	public DeliveryDiagnosis diagnose(@Nullable String namespace, String name) {
		return this.diagnostics.diagnose(namespace, name, this::snapshot);
	}

	@Override
	public void remove() {
		boolean removed = this.processor.remove(this);
		this.threads.unfollow();
		this.threads.locked(() -> {
			this.queue.clear();
			this.records.clear();
			this.syncActions.clear();
			this.threads.remove();
		});
		this.threads.awaitEntered();
		if (removed) {
			this.reporter.logSummary();
			this.processor.handlersChanged();
		}
	}

	@Override
	public boolean remove(Duration timeout) throws InterruptedException {
		remove();
		return this.threads.awaitCalls(() -> true, TimeSource.nanos(timeout));
	}

	private HandlerSnapshot<T> snapshot(String key, PendingDelivery<T> cached, Moment now) {
		return this.threads.get(() -> {
			InQueue<T> object = InQueue.of(this.queue.find(key), cached, this.records.delivery(key),
					this.records.exhausted(key), now);
			return HandlerSnapshot.of(this.threads, this.queue, this.records, object, now);
		});
	}

	/**
	 * Return the number of objects of which the queue keeps something.
	 */
	int entries() {
		return this.threads.get(() -> this.queue.entries().size());
	}

	/**
	 * Return whether a resync is due, and if so, begin the next period.
	 */
	boolean takeResyncDue(long now) {
		if (nanosToResync(now) > 0) {
			return false;
		}
		this.nextResync = now + TimeSource.nanos(this.resyncPeriod);
		return true;
	}

	/**
	 * Return the nanoseconds until the next resync, {@link Long#MAX_VALUE} for none.
	 */
	long nanosToResync(long now) {
		return this.resyncPeriod.isZero() ? Long.MAX_VALUE : Math.max(0, this.nextResync - now);
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
		if (this.handler instanceof MappingHandler<T> mapping) {
			mapping.threads().startNeeded();
		}
	}

	/**
	 * Return the nanoseconds until {@link #wake()} is to be called again, because a
	 * thread could not be started; {@link Long#MAX_VALUE} for none.
	 */
	long nanosToStart() {
		long nanos = this.threads.nanosToStart();
		return (this.handler instanceof MappingHandler<T> mapping) ? Math.min(nanos, mapping.threads().nanosToStart())
				: nanos;
	}

	@Override
	public void gateChanged() {
		this.threads.locked(() -> {
			this.queue.gateChanged();
			updateSync();
			this.threads.signalAll();
		});
	}

	/**
	 * Follow the gate of the handler.
	 */
	void follow() {
		this.threads.follow();
	}

	void unfollow() {
		this.threads.unfollow();
	}

	void start() {
		this.threads.locked(this.threads::start);
	}

	/**
	 * Start the first thread, and throw what the thread factory throws.
	 */
	void startFirst() {
		this.threads.startFirst();
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
			idle = this.threads.awaitCalls(this::endDrain, Math.max(0, deadline - this.time.nanoTime()));
		}
		finally {
			this.threads.locked(this.queue::endDrain);
		}
		if (!idle) {
			interrupted("stopped", this.threads.get(() -> this.threads.interruptCalls((target) -> true)));
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
	 * Interrupt the calls, and let the threads end after them.
	 * @return the calls, to be reported by {@link #interrupted} without a lock
	 */
	List<Running<KeyedEvent<T>>> interrupt() {
		return this.threads.interrupt();
	}

	/**
	 * Wait for the end of the threads until a deadline, as {@link TimeSource#nanoTime()}.
	 */
	void awaitEnd(long deadline) throws InterruptedException {
		this.threads.awaitEnd(deadline);
	}

	/**
	 * Wake the threads that wait for the sync.
	 */
	void endWaits() {
		this.threads.locked(this.threads::signalProgress);
	}

	/**
	 * Report what a stop has left.
	 * @param ended returns whether the handler was neither started again nor closed
	 */
	void reportStopped(BooleanSupplier ended) {
		this.reporter.logSummary();
		if (this.threads.isStuck()) {
			this.reporter.line(Level.WARN)
				.log("Informer '{}' stopped while {} ignores the interrupt of its thread; continuing without it",
						this.processor.informerName(), subject());
		}
		int pending = pending();
		if (pending > 0 && queue() == QueuePolicy.KEEP_ALL && !isMapping() && ended.getAsBoolean()) {
			this.reporter.line(Level.WARN)
				.log("Informer '{}' stopped; keeping {} undelivered events of handler '{}' for the next start",
						this.processor.informerName(), pending, this.name);
		}
	}

	/**
	 * Log the pending events, which are not delivered any more, because the informer is
	 * closed.
	 */
	void reportDiscarded() {
		int pending = isMapping() ? 0 : pending();
		if (pending > 0 && queue() == QueuePolicy.KEEP_ALL) {
			this.reporter.line(Level.WARN)
				.log("Informer '{}' was closed; discarding {} undelivered events of handler '{}'",
						this.processor.informerName(), pending, this.name);
		}
		else if (pending > 0) {
			this.reporter.line(Level.INFO)
				.log("Informer '{}' was closed; handler '{}' has not received the current state of {} objects; "
						+ "the next start delivers the objects that exist then", this.processor.informerName(),
						this.name, pending);
		}
	}

	@Override
	public String subject() {
		return isMapping() ? ((MappingHandler<T>) this.handler).subject() : "handler '" + this.name + "'";
	}

	/** Undelivered events of a mapping are no loss: each start maps all objects. */
	private boolean isMapping() {
		return this.handler instanceof MappingHandler;
	}

	@Override
	public int threadsNeeded(boolean idle) {
		return this.queue.threadsNeeded(idle);
	}

	/**
	 * Deliver one event on the current thread. An idle thread has no reference to it,
	 * because it has left this method.
	 * @return whether to continue; {@code false} when the thread has left
	 */
	@Override
	public boolean runNext() {
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
				this.threads.begin(entry.target());
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
	 * Run the next action after the sync without the lock, which the caller holds.
	 */
	private void runSyncAction() {
		Runnable action = this.syncActions.remove(0);
		this.threads.begin(null);
		try {
			this.threads.runReleased(() -> this.reporter.guard("action after the sync", action));
		}
		finally {
			this.threads.end();
		}
	}

	private void deliver(QueueEntry<T> entry) {
		DeliveryResult<T> result = new DeliveryResult.Failed<>(null, UNEXPECTED_FAILURE);
		try {
			this.threads.startNeeded();
			result = this.invoker.deliver(entry, this.threads, () -> this.queue.isPermitted(entry));
		}
		finally {
			// in any case: the object would stay in delivery, and later events would wait
			end(entry, result);
		}
	}

	private void end(QueueEntry<T> entry, DeliveryResult<T> result) {
		Instant now = this.time.now();
		// without the lock: metadata of the object may be code of the user
		Delivery delivery = (result instanceof Ended<T> ended) ? toDelivery(ended, now) : null;
		this.threads.locked(() -> {
			this.threads.end();
			if (!this.threads.isRemoved()) {
				end(entry, result, delivery, now);
				updateSync();
			}
		});
	}

	private void end(QueueEntry<T> entry, DeliveryResult<T> result, @Nullable Delivery delivery, Instant now) {
		if (result instanceof Ended<T> ended) {
			this.records.ended(entry, delivery, ended.failure(), now);
			this.queue.delivered(entry, ended.event());
		}
		else if (result instanceof Failed<T> failed) {
			this.queue.failed(entry, failed.event(), this.time.nanoTime() + TimeSource.nanos(failed.retryIn()));
		}
		else if (result instanceof Postponed<T> postponed) {
			this.queue.postponed(entry, this.time.nanoTime() + TimeSource.nanos(postponed.delay()));
		}
		else {
			this.queue.putBack(entry);
			this.queue.updatePause();
		}
	}

	/**
	 * Return the record of a delivery; {@code null} if the filter left no event.
	 */
	private static @Nullable Delivery toDelivery(Ended<?> ended, Instant now) {
		ResourceEvent<?> event = ended.event();
		return (event != null)
				? new Delivery(event.type(), version(event.object()), now, ended.outcome(), ended.failure()) : null;
	}

	@Override
	public void interrupted(String reason, List<Running<KeyedEvent<T>>> calls) {
		calls.forEach((running) -> this.reporter.logInterrupted(reason, subject(), running));
	}

	@Override
	public void threadFailed(String message, Throwable cause) {
		this.reporter.log(Level.ERROR, "thread", message, cause);
		this.reporter.publishFailure(Kind.OTHER, message, cause);
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

	private record Batch<T extends KubernetesObject>(List<KeyedEvent<T>> events, long receivedNanos) {

	}

}
