/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Target;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.WatchedSet;
import dev.informer.client.Moment;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.CallResult.Kind;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.support.UntrustedText;
import dev.informer.work.FollowedCache;
import dev.informer.work.LogContext;
import dev.informer.work.MappingHandler;
import dev.informer.work.Work;
import dev.informer.work.WorkerThreads;
import dev.informer.work.WorkerThreads.CallState;
import dev.informer.work.WorkerThreads.Phase;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Reconciler with its queue and its threads. Events of the informers become keys in the
 * {@link KeyQueue}; each thread takes the next key and calls the reconciler with a copy
 * of the object that is in the cache then.
 * <p>
 * <b>Concurrency.</b> The lock of {@link WorkerThreads} guards the queue. It is not held
 * while code of the user runs, apart from the gate. A key in a call is not taken by
 * another thread.
 */
final class DefaultReconcilerRegistration<T extends KubernetesObject> implements ReconcilerRegistration, Work<String> {

	/** Pause after a failure of what surrounds a call. */
	private static final Duration UNEXPECTED_FAILURE = Duration.ofSeconds(1);

	/** Time after which the informers are looked at again. */
	private static final long POLL_NANOS = TimeSource.nanos(Duration.ofMillis(50));

	private static final int MAX_FAILING = 100;

	private final ReconcilerOptions<T> options;

	private final Dependents<T> dependents;

	private final Reconciliation<T> reconciliation;

	private final UnselectedObjects<T> unselected;

	private final CallTimer timer;

	private final TimeSource time;

	private final CallLog log;

	private final ReconcilerGate<T> gate;

	private final KeyQueue queue;

	private final WorkerThreads<String> threads;

	private final CacheGate caches;

	private final LookUps lookUps;

	private final ReconcilerDiagnostics<T> diagnostics;

	private final List<HandlerRegistration> handlers = new ArrayList<>();

	private @Nullable String pausedBy;

	/** Changes with each trigger and each call. */
	private long changes;

	DefaultReconcilerRegistration(ReconcilerOptions<T> options, Dependents<T> dependents,
			Reconciliation<T> reconciliation, Finalizer finalizer, CallTimer timer, InformerFactory factory) {
		this.options = options;
		this.dependents = dependents;
		this.reconciliation = reconciliation;
		this.timer = timer;
		this.time = factory.time();
		this.log = new CallLog(options.name(), this.time);
		this.unselected = new UnselectedObjects<>(options, dependents.primaries(), finalizer, this.log);
		this.caches = new CacheGate(dependents.informers(), this.time);
		this.gate = new ReconcilerGate<>(options.gate(), dependents, this.unselected, this.caches, this.log);
		this.queue = new KeyQueue(TimeSource.nanos(options.minInterval()), this.gate::access);
		this.threads = new WorkerThreads<>(this, options.concurrency(), options.gate(),
				(suffix, task) -> factory.newThread("informer-" + options.name() + suffix, task), this.time);
		this.lookUps = new LookUps(timer, this.time, this.log);
		this.diagnostics = new ReconcilerDiagnostics<>(options, dependents, reconciliation, this.queue, this.caches,
				this.threads, this.time);
		if (options.paused()) {
			pause("its options");
		}
	}

	/**
	 * Follow the informers and the gate.
	 */
	void follow() {
		this.threads.follow();
		informers().forEach(this::follow);
		gateChanged();
	}

	private <S extends KubernetesObject> void follow(SharedIndexInformer<S> informer) {
		// every state: an owner that is gone in the next one is concerned, too. A gate of
		// the informer does not permit that
		QueuePolicy policy = (gateOf(informer) == InvocationGate.OPEN) ? QueuePolicy.KEEP_ALL : QueuePolicy.COALESCE;
		EventMapping<T> mapping = new EventMapping<>(informer, this.dependents, this::triggerExisting, this.timer,
				this.log);
		HandlerRegistration handler = informer.addHandler(new MappingHandler<S>() {

			@Override
			public void handle(ResourceEvent<S> event) {
				DefaultReconcilerRegistration.this.handle(informer, event, mapping);
			}

			@Override
			public String subject() {
				return DefaultReconcilerRegistration.this.subject();
			}

			@Override
			public WorkerThreads<?> threads() {
				return DefaultReconcilerRegistration.this.threads;
			}

		}, (builder) -> builder.name("reconciler-" + name()).queue(policy));
		mapping.handler(handler);
		this.handlers.add(handler);
		handler.whenSynced(this::resumed);
	}

	/**
	 * Return the gate of all handlers of an informer.
	 */
	static InvocationGate gateOf(SharedIndexInformer<?> informer) {
		WatchedSet objects = informer.options().watchedSet();
		return (objects != null) ? objects.gate() : InvocationGate.OPEN;
	}

	private void handle(SharedIndexInformer<?> informer, ResourceEvent<?> event, EventMapping<T> mapping) {
		if (informer == informer()) {
			String key = ObjectKey.of(event.object());
			if (event instanceof ResourceEvent.Deleted<?> deleted) {
				this.threads.locked(() -> {
					this.queue.deleted(key, this.time.nanoTime());
					this.threads.signalProgress();
				});
				if (this.unselected.left(key, this.dependents.cast(event.object()), deleted)) {
					trigger(key, ReconcileContext.Trigger.PRIMARY);
				}
			}
			else {
				this.unselected.forget(key);
				mapping.changed(key, this.dependents.cast(event.object()));
				trigger(key, Dependents.trigger(event, ReconcileContext.Trigger.PRIMARY));
			}
		}
		// the initial list of the primary objects triggers all keys
		if (FollowedCache.of(informer()).isReadable()) {
			mapping.map(event);
		}
	}

	/**
	 * Let a key wait for a call if its object exists. One that comes later brings an
	 * event of its own.
	 */
	private boolean triggerExisting(String key, ReconcileContext.Trigger trigger) {
		boolean exists = this.dependents.primary(key) != null;
		if (exists) {
			trigger(key, trigger);
		}
		return exists;
	}

	private void trigger(String key, ReconcileContext.Trigger trigger) {
		this.threads.locked(() -> {
			this.queue.trigger(key, trigger, this.time.nanoTime());
			this.changes++;
			this.threads.signalWork();
		});
		this.threads.startNeeded();
	}

	@Override
	public void gateChanged() {
		this.threads.locked(() -> {
			this.queue.gateChanged(this.time.nanoTime());
			updatePause();
		});
	}

	private void resumed() {
		gateChanged();
		this.threads.startNeeded();
	}

	private void updatePause() {
		this.queue.setPaused(this.pausedBy != null);
		this.queue.setClosed(!this.gate.isOpen());
		this.threads.signalAll();
	}

	/**
	 * Start the threads and the informers. Threads that cannot be started are retried;
	 * what the start of an informer throws is thrown.
	 */
	void start() {
		this.threads.locked(this.threads::start);
		this.threads.startNeeded();
		informers().forEach(SharedIndexInformer::start);
	}

	/**
	 * Let no further call begin.
	 */
	void suspend() {
		this.threads.locked(this.threads::stop);
		this.threads.awaitEntered();
	}

	/**
	 * Wait for the running calls other than that of this thread, and interrupt those that
	 * exceed the deadline, unless the reconciler was started again.
	 */
	boolean awaitStopped(long deadline) throws InterruptedException {
		boolean ended = this.threads.awaitCalls(() -> true, Math.max(0, deadline - this.time.nanoTime()));
		if (!ended) {
			interrupted("stopped",
					this.threads.get(() -> this.threads.isRunning() ? List.of() : this.threads.interrupt()));
		}
		this.log.stopped();
		return ended;
	}

	void close() {
		this.threads.locked(this.threads::remove);
		this.lookUps.close();
		this.threads.unfollow();
		this.handlers.forEach(HandlerRegistration::remove);
		this.threads.awaitEntered();
		interrupted("was closed", this.threads.interrupt());
	}

	@Override
	public void interrupted(String reason, List<WorkerThreads.Running<String>> calls) {
		this.log.interrupted(reason, calls);
	}

	@Override
	public String subject() {
		return "reconciler '" + name() + "'";
	}

	@Override
	public int threadsNeeded(boolean idle) {
		return hasSynced() ? this.queue.threadsNeeded() : 0;
	}

	@Override
	public void threadFailed(String message, Throwable cause) {
		this.log.report(Level.ERROR, "thread", message, cause);
		FollowedCache.of(informer()).wake();
	}

	@Override
	public boolean runNext() {
		Runnable next = this.threads.get(this::next);
		if (next != null) {
			next.run();
		}
		return next != null;
	}

	/**
	 * Wait for the next work for the current thread.
	 * @return the work; {@code null} when the thread has left
	 */
	private @Nullable Runnable next() {
		while (this.threads.phase() == Phase.RUNNING) {
			this.gate.reportFailure(this.threads);
			long now = this.time.nanoTime();
			boolean synced = hasSynced();
			Runnable work = synced ? next(now) : null;
			if (work != null) {
				this.threads.begin(null);
				return work;
			}
			this.threads.signalProgress();
			long wait = synced ? nanosToNext(now) : Long.MAX_VALUE;
			this.threads.awaitWork(this.gate.hasFailed() ? 0 : wait);
		}
		this.threads.leave();
		return null;
	}

	private @Nullable Runnable next(long now) {
		if (this.caches.update()) {
			this.queue.gateChanged(now);
		}
		if (!this.caches.isFollowing()) {
			return null;
		}
		List<KeyQueue.Hold> holds = this.queue.takeLookUps(now);
		if (!holds.isEmpty()) {
			return () -> lookUp(holds);
		}
		CacheGate.Proof comparison = this.caches.takeComparison();
		if (comparison != null) {
			return () -> compare(comparison);
		}
		Entry entry = this.caches.isOpen() ? this.queue.take(now) : null;
		return (entry != null) ? () -> run(entry) : null;
	}

	/**
	 * Return the time until there may be work. Informers do not notify of what lets calls
	 * begin again.
	 */
	private long nanosToNext(long now) {
		long nanos = this.queue.nanosToNext(now);
		boolean pending = this.caches.isTermPending();
		if (nanos == Long.MAX_VALUE && !pending) {
			return nanos;
		}
		boolean open = this.caches.isOpen();
		return (open && !pending) ? nanos : open ? Math.min(nanos, POLL_NANOS) : POLL_NANOS;
	}

	private void lookUp(List<KeyQueue.Hold> holds) {
		try {
			this.lookUps.run(holds, this.threads);
		}
		finally {
			this.threads.locked(() -> {
				this.threads.end();
				this.queue.lookedUp(this.time.nanoTime());
				this.threads.signalWork();
			});
		}
	}

	private void compare(CacheGate.Proof comparison) {
		try {
			this.caches.compare(comparison, this.lookUps, this.threads);
		}
		finally {
			this.threads.locked(() -> {
				this.threads.end();
				this.threads.signalWork();
			});
		}
	}

	private void run(Entry entry) {
		CallResult result = CallResult.failed(UNEXPECTED_FAILURE, null, List.of());
		try (LogContext logContext = new LogContext(this.log.context(), entry.key)) {
			this.threads.startNeeded();
			result = call(entry, logContext);
		}
		catch (Throwable ex) {
			// neither the reconciler nor an interceptor: those are caught
			this.log.notCalled(entry.key, ex);
		}
		finally {
			end(entry, result);
		}
	}

	private void end(Entry entry, CallResult result) {
		this.threads.locked(() -> {
			this.threads.end();
			this.changes++;
			this.queue.end(entry, result, this.time.nanoTime());
			updatePause();
		});
	}

	private CallResult call(Entry entry, LogContext logContext) {
		T primary = this.dependents.primary(entry.key);
		return (primary != null) ? call(entry, primary, false, logContext) : callUnselected(entry, logContext);
	}

	/**
	 * Clean up for an object that is not in the cache, if it exists with the finalizer.
	 */
	private CallResult callUnselected(Entry entry, LogContext logContext) {
		T found;
		try {
			found = this.unselected.find(entry.key);
		}
		catch (IOException ex) {
			CallResult result = this.reconciliation.failed(entry, ex, List.of());
			return ended(entry, result, ex);
		}
		if (found == null || this.dependents.primary(entry.key) != null) {
			// one that is selected again has an event
			return CallResult.ENDED;
		}
		CallResult result = call(entry, found, true, logContext);
		if (result.kind() == Kind.SUCCEEDED && result.delay() == null) {
			this.unselected.forget(entry.key);
		}
		return result;
	}

	private CallResult call(Entry entry, T primary, boolean isUnselected, LogContext logContext) {
		if (!isUnselected && !this.reconciliation.isNeeded(primary)) {
			return CallResult.ENDED;
		}
		Reconciliation<T>.Call call = this.reconciliation.call(entry, primary, isUnselected, this, logContext);
		InvocationGate gate = this.options.gate();
		Target target = Dependents.target(primary);
		// before: the gate may close as soon as the call has begun
		this.threads.target(target);
		if (!gate.begin(target)) {
			return CallResult.NOT_BEGUN;
		}
		try {
			OptionalInt fencingToken = gate.fencingToken();
			String loop = this.threads.get(() -> this.queue.reportLoop(entry, this.time.nanoTime()));
			if (loop != null) {
				this.log.looping(entry.key, loop);
			}
			// after the begin: a term may have ended and another one begun
			if (!this.threads.beginCall(entry.key, () -> isPermitted(gate.term(target)))) {
				return CallResult.NOT_BEGUN;
			}
			CallResult result = call.run(fencingToken, this.threads::enterCall);
			return called(entry, result, logContext);
		}
		finally {
			this.gate.end(target);
		}
	}

	private boolean isPermitted(long term) {
		return !this.queue.isPaused() && this.caches.admits(term) && this.caches.isOpen();
	}

	/**
	 * Report a call that has ended, and return its result.
	 */
	private CallResult called(Entry entry, CallResult result, LogContext logContext) {
		this.threads.endCall();
		this.log.written(result.writes());
		Throwable failure = result.failure();
		if (failure == null) {
			this.log.succeeded();
			return result;
		}
		logContext.restoreFailed();
		if (result.kind() == Kind.SUCCEEDED) {
			this.log.interceptorFailed(entry.key, failure);
			return result;
		}
		return ended(entry, result, failure);
	}

	private CallResult ended(Entry entry, CallResult result, Throwable failure) {
		if (this.threads.callState() != CallState.RUNNING) {
			this.log.interrupted(entry, failure);
			return CallResult.repeated(result.writes());
		}
		this.log.ended(entry, result, failure);
		return result;
	}

	@Override
	public String name() {
		return this.options.name();
	}

	@Override
	public ReconcilerOptions<?> options() {
		return this.options;
	}

	@Override
	public SharedIndexInformer<?> informer() {
		return this.dependents.primaries();
	}

	@Override
	public List<SharedIndexInformer<?>> informers() {
		return this.dependents.informers();
	}

	@Override
	public boolean hasSynced() {
		return this.handlers.stream().allMatch(HandlerRegistration::hasSynced);
	}

	@Override
	public boolean request(@Nullable String namespace, String name) {
		return triggerExisting(ObjectKey.of(namespace, name), ReconcileContext.Trigger.REQUEST);
	}

	@Override
	public void requestAll() {
		informer().lister().keys().forEach((key) -> triggerExisting(key, ReconcileContext.Trigger.REQUEST));
	}

	@Override
	public void pause(String requestedBy) {
		setPaused(requestedBy);
		this.threads.awaitEntered();
	}

	@Override
	public void resume() {
		setPaused(null);
		this.threads.startNeeded();
	}

	private void setPaused(@Nullable String requestedBy) {
		this.threads.locked(() -> {
			this.pausedBy = requestedBy;
			updatePause();
		});
	}

	private @Nullable String pausedBy() {
		return this.threads.get(() -> this.pausedBy);
	}

	@Override
	public boolean isPaused() {
		return pausedBy() != null;
	}

	@Override
	public Counts counts() {
		return this.threads.get(this.queue::counts);
	}

	@Override
	public int looping() {
		return this.threads.get(this.queue::looping);
	}

	@Override
	public List<Running> calls() {
		return this.threads.get(this.threads::calls)
			.stream()
			.map((running) -> new Running(UntrustedText.of(running.call()), running.duration()))
			.toList();
	}

	@Override
	public List<Failing> failing() {
		Moment now = this.time.moment();
		return this.threads.get(() -> this.queue.failing()
			.limit(MAX_FAILING)
			.map((entry) -> new Failing(UntrustedText.of(entry.key), entry.failures(), entry.failure(),
					ReconcilerDiagnostics.lastFailure(entry, now), !entry.isGivenUp()))
			.toList());
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		long deadline = this.time.nanoTime() + TimeSource.nanos(timeout);
		while (true) {
			long before = this.threads.get(() -> this.changes);
			if (!this.threads.awaitProgress(() -> hasSynced() && isIdle(), nanosTo(deadline))) {
				return false;
			}
			for (HandlerRegistration handler : this.handlers) {
				if (!handler.awaitIdle(Duration.ofNanos(nanosTo(deadline)))) {
					return false;
				}
			}
			// an event that was mapped since then may have triggered a call
			if (this.threads.get(() -> this.changes == before && isIdle())) {
				return true;
			}
		}
	}

	private boolean isIdle() {
		return this.queue.isIdle() && !this.caches.isTermPending();
	}

	private long nanosTo(long deadline) {
		return Math.max(0, deadline - this.time.nanoTime());
	}

	@Override
	public List<Cause> diagnose() {
		return this.diagnostics.diagnose(pausedBy());
	}

	@Override
	public ReconcilerDiagnosis diagnose(@Nullable String namespace, String name) {
		return this.diagnostics.diagnose(pausedBy(), namespace, name);
	}

}
