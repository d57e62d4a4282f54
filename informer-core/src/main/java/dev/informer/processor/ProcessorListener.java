/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import dev.informer.DeliveryDiagnosis;
import dev.informer.DeliveryDiagnosis.Delivery;
import dev.informer.DeliveryDiagnosis.Outcome;
import dev.informer.DeliveryDiagnosis.Version;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.HandlerInterceptor;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InvocationGate.Target;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.processor.DeliveryRecords.Exhausted;
import dev.informer.support.FailureLog;
import dev.informer.support.UntrustedText;
import dev.informer.work.LogContext;
import dev.informer.work.MappingHandler;
import dev.informer.work.Work;
import dev.informer.work.WorkerThreads;
import dev.informer.work.WorkerThreads.CallState;
import dev.informer.work.WorkerThreads.Phase;
import dev.informer.work.WorkerThreads.Running;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Handler of an informer with its undelivered events and its threads. Each thread takes
 * the next event from the {@link HandlerQueue} and delivers it, with what belongs to it:
 * the interceptor, retries, events and failures for the listener, the error handler.
 * Nothing that user code throws, errors included, ends the thread. The handler has synced
 * once the whole initial list has been distributed and each of its events has been
 * delivered.
 * <p>
 * <b>Concurrency.</b> The lock of {@link WorkerThreads} guards queue, records and sync.
 * It is not held while code of the user runs, apart from the gate. An event remains in
 * the queue until its delivery has ended, so invocations for one object never overlap.
 * Adding events never waits for the handler.
 */
final class ProcessorListener<T extends KubernetesObject> implements HandlerRegistration, Work<KeyedEvent<T>> {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

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

	/** For lines of the log. */
	private final Map<String, String> invoked;

	private final FailureLog log;

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
			SharedProcessor<T> processor) {
		this.name = name;
		this.handler = handler;
		this.options = options;
		this.processor = processor;
		this.time = processor.time;
		boolean tooShort = !options.resyncPeriod().isZero() && options.resyncPeriod().compareTo(MIN_RESYNC_PERIOD) < 0;
		this.resyncPeriod = tooShort ? MIN_RESYNC_PERIOD : options.resyncPeriod();
		this.nextResync = this.time.nanoTime() + TimeSource.nanos(this.resyncPeriod);
		if (tooShort) {
			processor.log(this, Level.WARN)
				.log("Informer '{}' raised the resync period of handler '{}' from {} ms to {} ms",
						processor.informerName(), name, TimeSource.millis(options.resyncPeriod()),
						TimeSource.millis(this.resyncPeriod));
		}
		this.invoked = Map.of("informer", processor.informerName(), "handler", name);
		this.log = new FailureLog(logger, this.time::nanoTime,
				"Informer '" + processor.informerName() + "': handler '" + name + "'", this.invoked, 1);
		this.queue = new HandlerQueue<>(options.queue(), options.gate(), this.time);
		this.threads = new WorkerThreads<>(this, options.concurrency(), options.gate(),
				(suffix, task) -> processor.threadFactory.apply(name + suffix, task), this.time);
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
	public List<Invocation> invocations() {
		return invocations(this.threads.get(this.threads::calls));
	}

	private List<Invocation> invocations(List<Running<KeyedEvent<T>>> calls) {
		return calls.stream()
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
			this.queue.delayed().forEach((entry) -> keys.add(entry.key));
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
		this.threads.unfollow();
		this.threads.locked(() -> {
			this.queue.clear();
			this.records.clear();
			this.syncActions.clear();
			this.threads.remove();
		});
		this.threads.awaitEntered();
		if (removed) {
			logFailures();
			this.processor.handlersChanged();
		}
	}

	@Override
	public boolean remove(Duration timeout) throws InterruptedException {
		remove();
		return this.threads.awaitCalls(() -> true, TimeSource.nanos(timeout));
	}

	HandlerQueue<T> pendingEvents() {
		return this.queue;
	}

	WorkerThreads<KeyedEvent<T>> threads() {
		return this.threads;
	}

	DeliveryRecords<T> records() {
		return this.records;
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

	@Override
	public String subject() {
		return isMapping() ? ((MappingHandler<T>) this.handler).subject() : "handler '" + this.name + "'";
	}

	/**
	 * Return whether undelivered events are no loss.
	 */
	boolean isMapping() {
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
				this.threads.begin(entry.target);
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
			this.threads.runReleased(() -> runGuarded("action after the sync", action));
		}
		finally {
			this.threads.end();
		}
	}

	private void deliver(QueueEntry<T> entry) {
		@Nullable Delivered<T> result = new Delivered<>(null, UNEXPECTED_FAILURE, Outcome.RETRIES_EXHAUSTED, null);
		try {
			result = tryDeliver(entry);
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
	 * Deliver an event, which the filter may leave out, by one invocation of the handler.
	 * @return the result of the delivery; {@code null} if it was not permitted to begin,
	 * or was interrupted by a stop, a suspension or the gate, which is no failure
	 */
	private @Nullable Delivered<T> tryDeliver(QueueEntry<T> entry) {
		this.threads.startNeeded();
		ResourceEvent<T> event = entry.delivery().event(this.options, this::filterFailed);
		if (event == null || !this.options.on().contains(event.type())) {
			return new Delivered<>(event, null, Outcome.NOT_ACCEPTED, null);
		}
		if (Thread.currentThread().isInterrupted()) {
			// by the filter or the thread factory
			this.threads.clearInterrupt();
		}
		// as late as possible: the filter may have taken long, or the process was
		// suspended
		Target target = entry.target;
		if (target != null && !this.options.gate().begin(target)) {
			return null;
		}
		// the entry does not change while its event is being delivered
		int attempt = entry.attempt(event);
		try (LogContext logContext = new LogContext(this.invoked, entry.key)) {
			return this.threads.beginCall(new KeyedEvent<>(entry.key, null, event), () -> this.queue.isPermitted(entry))
					? invoke(entry, event, attempt, logContext) : null;
		}
		finally {
			if (target != null) {
				this.options.gate().end(target);
			}
		}
	}

	private @Nullable Delivered<T> invoke(QueueEntry<T> entry, ResourceEvent<T> event, int attempt,
			LogContext logContext) {
		Throwable failure = invoke(event, attempt, logContext);
		if (failure == null) {
			delivered(event, entry.deliveryNanos);
			return new Delivered<>(event, null, Outcome.HANDLED, null);
		}
		logContext.restoreFailed();
		CallState state = this.threads.callState();
		if (isRepeated(state)) {
			debug(message(entry, event, attempt, "interrupted, and repeated later"), failure);
			return null;
		}
		if (failure instanceof RetryLaterException later && state != CallState.REMOVED) {
			Duration requested = later.delay();
			Duration delay = (requested != null) ? requested : backoff(entry);
			debug(message(entry, event, attempt, "retrying later, in " + TimeSource.millis(delay) + " ms"), later);
			return new Delivered<>(event, delay, Outcome.HANDLED, null);
		}
		Duration retryIn = retryIn(entry, attempt, state);
		failed(entry, event, attempt, state, retryIn, failure);
		return new Delivered<>(event, retryIn, Outcome.RETRIES_EXHAUSTED, failure.getClass().getName());
	}

	/**
	 * Return whether an invocation that has failed is repeated without counting: it was
	 * interrupted, and the handler permits more than one invocation.
	 */
	private boolean isRepeated(CallState state) {
		return state == CallState.INTERRUPTED && this.options.retry().maxRetries() != 0;
	}

	/**
	 * Return the time until the retry of a failed invocation; {@code null} when the
	 * retries are exhausted.
	 */
	private @Nullable Duration retryIn(QueueEntry<T> entry, int attempt, CallState state) {
		RetryPolicy retry = this.options.retry();
		return (state == CallState.RUNNING && retry.permitsRetry(attempt)) ? backoff(entry) : null;
	}

	private Duration backoff(QueueEntry<T> entry) {
		return this.options.retry().delay(entry.failures + 1, ThreadLocalRandom.current().nextDouble());
	}

	private @Nullable Throwable invoke(ResourceEvent<T> event, int attempt, LogContext logContext) {
		long start = this.time.nanoTime();
		Throwable failure = null;
		try {
			intercept(event, logContext);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		this.threads.endCall();
		// an interrupt that the handler left is not meant for the code after it
		Thread.interrupted();
		Duration duration = Duration.ofNanos(this.time.nanoTime() - start);
		publish(new InformerEvent.HandlerInvoked(this.processor.informer, this.name, event, duration, attempt,
				(failure instanceof RetryLaterException) ? null : failure));
		return failure;
	}

	private void intercept(ResourceEvent<T> event, LogContext logContext) throws Exception {
		HandlerInterceptor interceptor = this.processor.interceptor;
		this.threads.enterCall();
		if (interceptor != null) {
			interceptor.intercept(this.processor.informer, this.name, event, () -> handle(event, logContext));
		}
		else {
			handle(event, logContext);
		}
	}

	private void handle(ResourceEvent<T> event, LogContext logContext) throws Exception {
		try {
			this.handler.handle(event);
		}
		catch (Throwable ex) {
			logContext.saveFailed();
			throw ex;
		}
	}

	/**
	 * Report a delivery with its lag. A resync has none: nothing was received for it.
	 */
	private void delivered(ResourceEvent<T> event, long receivedNanos) {
		this.log.logSummaryIfDue();
		if (!event.resync()) {
			Duration lag = Duration.ofNanos(this.time.nanoTime() - receivedNanos);
			publish(new InformerEvent.EventDelivered(this.processor.informer, this.name, event, lag));
		}
	}

	/**
	 * Report a failed invocation. One that was interrupted is logged by
	 * {@link #interrupted}.
	 */
	private void failed(QueueEntry<T> entry, ResourceEvent<T> event, int attempt, CallState state,
			@Nullable Duration retryIn, Throwable cause) {
		boolean exhausted = retryIn == null;
		String message = message(entry, event, attempt, nextAction(state, retryIn));
		if (state == CallState.INTERRUPTED) {
			debug(message, cause);
		}
		else {
			Level level = (exhausted || cause instanceof Error) ? Level.ERROR : Level.WARN;
			if (exhausted && attempt > 1) {
				// the stack trace was logged with an earlier attempt, unless that failed
				// otherwise
				log(level, "retries exhausted: " + cause.getClass().getSimpleName(), withLast(message, cause),
						this.log.isKnown(cause) ? null : cause);
			}
			else {
				log(level, "", message, cause);
			}
		}
		publish(exhausted ? Kind.HANDLER_RETRIES_EXHAUSTED : Kind.HANDLER, message, cause);
		HandlerErrorHandler<? super T> handler = this.options.errorHandler();
		if (handler != null) {
			HandlerFailure<T> failure = new HandlerFailure<>(this.name, event, attempt, retryIn, cause);
			runGuarded("error handler", () -> handler.failed(failure));
		}
	}

	private String message(QueueEntry<T> entry, ResourceEvent<T> event, int attempt, String nextAction) {
		return "Handler '" + this.name + "' failed on " + event.type() + " of " + UntrustedText.of(entry.key)
				+ " (attempt " + attempt + "); " + nextAction;
	}

	private static String withLast(String message, Throwable cause) {
		return message + " after " + FailureLog.describe(cause);
	}

	private void debug(String message, Throwable cause) {
		this.log.debug("Informer '" + this.processor.informerName() + "': " + message, cause);
	}

	private static String nextAction(CallState state, @Nullable Duration retryIn) {
		return switch (state) {
			case REMOVED -> "it was removed";
			case INTERRUPTED -> "interrupted";
			case RUNNING ->
				(retryIn != null) ? "retrying in " + TimeSource.millis(retryIn) + " ms" : "retries exhausted";
		};
	}

	@Override
	public void interrupted(String reason, List<Running<KeyedEvent<T>>> calls) {
		invocations(calls).forEach((invocation) -> logger.atWarn()
			.addKeyValue("informer", this.processor.informerName())
			.addKeyValue("handler", this.name)
			.log("Informer '{}' {} and interrupted {}, which has been busy with {} of {} for {} ms",
					this.processor.informerName(), reason, subject(), invocation.type(), invocation.key(),
					TimeSource.millis(invocation.duration())));
	}

	private void filterFailed(T object, Throwable cause) {
		String message = "Filter of handler '" + this.name + "' failed on " + keyOf(object)
				+ "; delivering the event as if the filter matched";
		log(Level.ERROR, "filter", message, cause);
		publish(Kind.HANDLER_FILTER, message, cause);
	}

	private static String keyOf(KubernetesObject object) {
		try {
			return UntrustedText.of(ObjectKey.of(object));
		}
		// code of the author of the class
		catch (Throwable ex) {
			return "an object whose metadata cannot be read";
		}
	}

	@Override
	public void threadFailed(String message, Throwable cause) {
		log(Level.ERROR, "thread", message, cause);
		publish(Kind.OTHER, message, cause);
	}

	private void log(Level level, String kind, String message, @Nullable Throwable cause) {
		this.log.report(level, kind, "Informer '" + this.processor.informerName() + "': " + message, cause);
	}

	private void publish(Kind kind, String message, Throwable cause) {
		publish(new InformerEvent.Failed(this.processor.informer, null, this.name,
				new InformerFailure(kind, message, this.time.now(), cause)));
	}

	private void publish(InformerEvent event) {
		runGuarded("listener", () -> this.processor.events.onEvent(event));
	}

	/**
	 * Run other code of the user, and log what it throws.
	 */
	private void runGuarded(String description, Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			log(Level.ERROR, description, "the " + description + " of handler '" + this.name + "' failed", ex);
		}
		finally {
			Thread.interrupted();
		}
	}

	/**
	 * Log the number of failures that were not logged separately.
	 */
	void logFailures() {
		this.log.logSummary();
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

	private record Batch<T extends KubernetesObject>(List<KeyedEvent<T>> events, long receivedNanos) {

	}

	/**
	 * Result of a delivery.
	 *
	 * @param event the event; {@code null} when the filter left none, or when the
	 * delivery has failed unexpectedly
	 * @param outcome the outcome unless it is retried; {@link Outcome#HANDLED} also if
	 * the handler has postponed it
	 * @param failure the name of the class of the exception; {@code null} without one
	 */
	record Delivered<T extends KubernetesObject>(@Nullable ResourceEvent<T> event, @Nullable Duration retryIn,
			Outcome outcome, @Nullable String failure) {

	}

}
