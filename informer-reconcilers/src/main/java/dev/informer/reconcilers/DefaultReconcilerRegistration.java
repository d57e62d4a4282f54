/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.informer.HandlerRegistration;
import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Access;
import dev.informer.InvocationGate.Follower;
import dev.informer.InvocationGate.Target;
import dev.informer.ObjectCopy;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.RetryLaterException;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.WatchedSet;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.ReconcileCall.Outcome;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerDiagnosis.Reason;
import dev.informer.support.FailureLog;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * Reconciler with its queue and its threads. Events of the informers become keys in the
 * {@link KeyQueue}; each thread takes the next key and calls the reconciler with a copy
 * of the object that is in the cache then.
 * <p>
 * <b>Concurrency.</b> The lock guards the queue and the running calls. It is not held
 * while code of the user runs, apart from the gate. A key in a call is not taken by
 * another thread.
 */
final class DefaultReconcilerRegistration<T extends KubernetesObject> implements ReconcilerRegistration {

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	private static final int NOT_FOUND = 404;

	/** Pause after a failure of what surrounds a call. */
	private static final long UNEXPECTED_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final int MAX_FAILING = 100;

	/** Conflicts in a row that are not worth a warning: the cache is late. */
	private static final int EXPECTED_CONFLICTS = 4;

	private final DefaultReconcilers owner;

	private final SharedIndexInformer<T> primaries;

	private final Reconciler<T> reconciler;

	private final ReconcilerOptions<T> options;

	private final Dependents<T> dependents;

	private final List<SharedIndexInformer<?>> informers;

	private final TimeSource time;

	private final FailureLog log;

	private final KeyQueue queue;

	private final ReentrantLock lock = new ReentrantLock();

	/** Signalled when a thread may have something to do. */
	private final Condition work = this.lock.newCondition();

	/** Signalled when a call ends, and when the queue may be idle. */
	private final Condition progress = this.lock.newCondition();

	private final List<HandlerRegistration> handlers = new ArrayList<>();

	private final Follower follower = new GateFollower();

	private final Set<Call> calls = new HashSet<>();

	private boolean running;

	/** Number of the start; threads of earlier ones end. */
	private int run;

	private @Nullable String pausedBy;

	/** Changes with each trigger and each call. */
	private long changes;

	DefaultReconcilerRegistration(DefaultReconcilers owner, SharedIndexInformer<T> primaries, Reconciler<T> reconciler,
			ReconcilerOptions<T> options) {
		this.owner = owner;
		this.primaries = primaries;
		this.reconciler = reconciler;
		this.options = options;
		this.dependents = new Dependents<>(primaries, options);
		this.informers = this.dependents.informers();
		this.time = owner.time;
		this.log = new FailureLog(logger, this.time::nanoTime, "Reconciler '" + options.name() + "'",
				Map.of("reconciler", options.name()), 1);
		this.queue = new KeyQueue(TimeSource.nanos(options.minInterval()), this::access);
		if (options.paused()) {
			pause("its options");
		}
	}

	/**
	 * Follow the informers and the gate.
	 */
	void follow() {
		this.options.gate().follow(this.follower);
		this.informers.forEach(this::follow);
		gateChanged();
	}

	private <S extends KubernetesObject> void follow(SharedIndexInformer<S> informer) {
		// every state: an owner that is gone in the next one is concerned, too. A gate of
		// the informer does not permit that
		QueuePolicy queue = (gateOf(informer) == InvocationGate.OPEN) ? QueuePolicy.KEEP_ALL : QueuePolicy.COALESCE;
		HandlerRegistration handler = informer.addHandler((event) -> handle(informer, event),
				(options) -> options.name("reconciler-" + name()).queue(queue));
		this.handlers.add(handler);
		handler.whenSynced(this::gateChanged);
	}

	/**
	 * Return the gate of all handlers of an informer.
	 */
	static InvocationGate gateOf(SharedIndexInformer<?> informer) {
		WatchedSet objects = informer.options().watchedSet();
		return (objects != null) ? objects.gate() : InvocationGate.OPEN;
	}

	private void handle(SharedIndexInformer<?> informer, ResourceEvent<?> event) {
		if (informer == this.primaries) {
			String key = ObjectKey.of(event.object());
			if (event instanceof ResourceEvent.Deleted<?>) {
				locked(() -> {
					this.queue.deleted(key, this.time.nanoTime());
					this.progress.signalAll();
				});
			}
			else {
				trigger(key, Dependents.trigger(event, ReconcileContext.Trigger.PRIMARY));
			}
		}
		// the initial list of the primary objects triggers all keys
		if (this.primaries.hasSynced()) {
			this.dependents.map(informer, event, this::triggerExisting);
		}
	}

	/**
	 * Let a key wait for a call if its object exists. One that comes later brings an
	 * event of its own.
	 */
	private boolean triggerExisting(String key, ReconcileContext.Trigger trigger) {
		boolean exists = cached(key) != null;
		if (exists) {
			trigger(key, trigger);
		}
		return exists;
	}

	private void trigger(String key, ReconcileContext.Trigger trigger) {
		locked(() -> {
			this.queue.trigger(key, trigger, this.time.nanoTime());
			this.changes++;
			this.work.signal();
		});
	}

	/**
	 * Return the primary object with a key; {@code null} if it does not exist or is not
	 * known yet.
	 */
	private @Nullable T cached(String key) {
		return this.primaries.hasSynced() ? this.primaries.lister().get(key).orElse(null) : null;
	}

	private Access access(String key) {
		InvocationGate gate = this.options.gate();
		if (gate == InvocationGate.OPEN) {
			return Access.OPEN;
		}
		T primary = cached(key);
		if (primary != null) {
			return gate.access(target(primary));
		}
		return this.primaries.hasSynced() ? Access.GONE : Access.CLOSED;
	}

	private static Target target(KubernetesObject primary) {
		ObjectState state = ObjectState.of(primary);
		return new Target(state.namespace(), String.valueOf(state.name()), state.uid(), null);
	}

	private void locked(Runnable action) {
		get(() -> {
			action.run();
			return true;
		});
	}

	private <R extends @Nullable Object> R get(Supplier<R> value) {
		this.lock.lock();
		try {
			return value.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void gateChanged() {
		locked(() -> {
			this.queue.gateChanged(this.time.nanoTime());
			updatePause();
		});
	}

	private void updatePause() {
		this.queue.setPaused(this.pausedBy != null || !this.options.gate().isOpen());
		this.work.signalAll();
	}

	/**
	 * Start the informers and the threads. A thread that cannot be started ends the
	 * others.
	 */
	void start() {
		this.informers.forEach(SharedIndexInformer::start);
		int started = get(() -> {
			boolean runs = this.running;
			this.running = true;
			return runs ? 0 : ++this.run;
		});
		try {
			for (int i = 1; started > 0 && i <= this.options.concurrency(); i++) {
				Thread thread = new Thread(() -> run(started), "informer-" + name() + "-" + i);
				thread.setDaemon(true);
				thread.start();
			}
		}
		catch (Throwable ex) {
			suspend();
			throw ex;
		}
	}

	/**
	 * Let no further call begin.
	 */
	void suspend() {
		locked(() -> {
			this.running = false;
			this.work.signalAll();
			this.progress.signalAll();
		});
	}

	/**
	 * Wait for the running calls other than that of this thread, and interrupt those that
	 * exceed the deadline.
	 */
	boolean awaitStopped(long deadline) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long nanos = Math.max(0, deadline - this.time.nanoTime());
			boolean ended = this.time.awaitUntil(this.progress,
					() -> this.calls.stream().allMatch((call) -> call.thread == Thread.currentThread()), nanos);
			if (!ended) {
				interrupt((call) -> true, "stopped");
			}
			return ended;
		}
		finally {
			this.lock.unlock();
			this.log.logSummary();
		}
	}

	void close() {
		suspend();
		this.options.gate().unfollow(this.follower);
		this.handlers.forEach(HandlerRegistration::remove);
		locked(() -> interrupt((call) -> true, "was closed"));
	}

	private void interrupt(Predicate<Call> selected, String reason) {
		this.calls.stream().filter(selected).filter((call) -> call.thread != Thread.currentThread()).forEach((call) -> {
			call.interrupted = true;
			call.thread.interrupt();
			logger.atWarn()
				.addKeyValue("reconciler", name())
				.log("Reconciler '{}' {} and interrupted its call for {}, which has been running for {} ms", name(),
						reason, UntrustedText.of(call.key()), TimeSource.millis(call.duration()));
		});
	}

	private void run(int number) {
		boolean active = true;
		while (active) {
			try {
				Call call = next(number);
				active = call != null;
				if (call != null) {
					run(call);
				}
			}
			// of the gate
			catch (Throwable ex) {
				this.log.report(Level.ERROR, "thread", "A thread of reconciler '" + name() + "' failed; continuing",
						ex);
				locked(() -> awaitWork(UNEXPECTED_NANOS));
			}
		}
	}

	/**
	 * Wait for the next call of the current thread.
	 * @return the call; {@code null} when the thread is to end
	 */
	private @Nullable Call next(int number) {
		return get(() -> {
			while (this.running && this.run == number) {
				long wait = Long.MAX_VALUE;
				if (hasSynced()) {
					long now = this.time.nanoTime();
					Entry entry = this.queue.take(now);
					if (entry != null) {
						Call call = new Call(entry, now);
						this.calls.add(call);
						return call;
					}
					wait = this.queue.nanosToNext(now);
				}
				this.progress.signalAll();
				awaitWork(wait);
			}
			return null;
		});
	}

	private void awaitWork(long nanos) {
		try {
			this.time.await(this.work, nanos);
		}
		catch (InterruptedException ex) {
			// only the end of the run ends a thread
		}
	}

	private void run(Call call) {
		Runnable end = () -> this.queue.failed(call.entry, UNEXPECTED_NANOS, List.of(), this.time.nanoTime());
		try {
			setLogContext(call.key());
			end = call.entry.isProbing() ? probe(call.entry) : call.run();
		}
		catch (Throwable ex) {
			// neither the reconciler nor an interceptor: those are caught
			this.log.report(Level.ERROR, "call", "Reconciler '" + name() + "' could not be called for "
					+ UntrustedText.of(call.key()) + "; trying again", ex);
		}
		finally {
			Runnable last = end;
			MDC.clear();
			locked(() -> {
				this.calls.remove(call);
				Thread.interrupted();
				this.changes++;
				last.run();
				updatePause();
				this.progress.signalAll();
			});
		}
	}

	private void setLogContext(String key) {
		MDC.put("reconciler", name());
		int slash = key.indexOf('/');
		if (slash >= 0) {
			MDC.put("namespace", UntrustedText.of(key.substring(0, slash)));
		}
		MDC.put("name", UntrustedText.of(key.substring(slash + 1)));
	}

	private Runnable probe(Entry entry) {
		long now = this.time.nanoTime();
		for (KeyQueue.Hold hold : get(entry::writes)) {
			if (hold instanceof OwnWrite write && get(() -> write.isProbeDue(now))) {
				try {
					String hidden = write.probe(now);
					if (hidden != null && this.informers.contains(write.informer())) {
						this.log.report(Level.WARN, "selector",
								"Reconciler '" + name() + "' has written " + hidden + ": its calls do not see it",
								null);
					}
				}
				catch (Exception ex) {
					this.log.debug("Reconciler '" + name() + "' could not look up " + write, ex);
				}
			}
		}
		return () -> this.queue.probed(entry, this.time.nanoTime());
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
		return this.primaries;
	}

	@Override
	public List<SharedIndexInformer<?>> informers() {
		return this.informers;
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
		this.primaries.lister().keys().forEach((key) -> triggerExisting(key, ReconcileContext.Trigger.REQUEST));
	}

	@Override
	public void pause(String requestedBy) {
		locked(() -> {
			this.pausedBy = requestedBy;
			updatePause();
		});
	}

	@Override
	public void resume() {
		locked(() -> {
			this.pausedBy = null;
			updatePause();
		});
	}

	@Override
	public boolean isPaused() {
		return get(() -> this.pausedBy) != null;
	}

	@Override
	public Counts counts() {
		return get(this.queue::counts);
	}

	@Override
	public List<Running> calls() {
		return get(() -> this.calls.stream()
			.filter((call) -> !call.entry.isProbing())
			.map((call) -> new Running(UntrustedText.of(call.key()), call.duration()))
			.toList());
	}

	@Override
	public List<Failing> failing() {
		return get(() -> this.queue.failing()
			.sorted(Comparator.comparing(Entry::isGivenUp).reversed().thenComparing((entry) -> entry.key))
			.limit(MAX_FAILING)
			.map((entry) -> new Failing(UntrustedText.of(entry.key), entry.failures(), entry.failure(),
					!entry.isGivenUp()))
			.toList());
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		long deadline = this.time.nanoTime() + TimeSource.nanos(timeout);
		while (true) {
			long before = get(() -> this.changes);
			if (!awaitQueue(deadline)) {
				return false;
			}
			for (HandlerRegistration handler : this.handlers) {
				if (!handler.awaitIdle(Duration.ofNanos(Math.max(0, deadline - this.time.nanoTime())))) {
					return false;
				}
			}
			// an event that was mapped since then may have triggered a call
			if (get(() -> this.changes == before && this.queue.isIdle())) {
				return true;
			}
		}
	}

	private boolean awaitQueue(long deadline) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			return this.time.awaitUntil(this.progress, () -> hasSynced() && this.queue.isIdle(),
					Math.max(0, deadline - this.time.nanoTime()));
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public List<Cause> diagnose() {
		List<Cause> causes = new ArrayList<>();
		boolean started = get(() -> this.running);
		if (!started) {
			causes.add(new Cause(Reason.STOPPED, "The reconciler is not started"));
		}
		for (SharedIndexInformer<?> informer : this.informers) {
			if (!informer.hasSynced()) {
				causes.add(new Cause(Reason.NOT_SYNCED, "Informer '" + informer.name() + "' has not synced"));
			}
			else if (informer.state().failingSince() != null) {
				causes
					.add(new Cause(Reason.STALE, "Informer '" + informer.name() + "' does not follow the server now"));
			}
		}
		String requestedBy = get(() -> this.pausedBy);
		if (requestedBy != null) {
			causes.add(new Cause(Reason.PAUSED, "The reconciler was paused by " + requestedBy));
		}
		addGate(null, causes);
		if (get(() -> this.calls.size() >= this.options.concurrency())) {
			causes.add(new Cause(Reason.BUSY, "All " + this.options.concurrency() + " threads are busy"));
		}
		return causes;
	}

	private void addGate(@Nullable Target target, List<Cause> causes) {
		String reason = this.options.gate().closedReason(target);
		if (reason != null) {
			causes.add(new Cause(Reason.GATE_CLOSED, reason));
		}
	}

	@Override
	public ReconcilerDiagnosis diagnose(@Nullable String namespace, String name) {
		String key = ObjectKey.of(namespace, name);
		T primary = cached(key);
		List<Cause> causes = diagnose();
		if (primary == null) {
			causes.add(new Cause(Reason.NOT_IN_CACHE,
					"The object does not exist, or informer '" + this.primaries.name() + "' does not select it"));
		}
		else if (this.options.gate().closedReason(null) == null) {
			addGate(target(primary), causes);
		}
		if (primary != null && isDeleting(primary) && !hasFinalizer(primary)) {
			causes.add(new Cause(Reason.BEING_DELETED,
					"The object is being deleted, and this reconciler has nothing to clean up"));
		}
		return get(() -> {
			Entry entry = this.queue.find(key);
			if (primary != null || entry != null) {
				addEntry(entry, causes);
			}
			Long due = (entry != null) ? entry.due() : null;
			return new ReconcilerDiagnosis(
					namespace, name, (entry != null) ? entry.failures() : 0, (due != null)
							? TimeSource.plus(this.time.now(), Duration.ofNanos(due - this.time.nanoTime())) : null,
					causes);
		});
	}

	private void addEntry(@Nullable Entry entry, List<Cause> causes) {
		if (entry == null) {
			causes.add(new Cause(Reason.UP_TO_DATE, "Nothing has changed since the last call"));
			return;
		}
		List<KeyQueue.Hold> writes = entry.writes();
		if (entry.place() == KeyQueue.Place.RUNNING) {
			causes.add(new Cause(Reason.BUSY, "A call for the object is running"));
		}
		else if (entry.isWaiting() && !writes.isEmpty()) {
			causes.add(new Cause(Reason.HELD, "An earlier call has written what is not in the cache yet: "
					+ UntrustedText.of(writes.get(0).toString())));
		}
		else if (entry.isWaiting()) {
			causes.add((entry.place() == KeyQueue.Place.DELAYED)
					? new Cause(Reason.LIMITED,
							"The minimum interval of " + TimeSource.millis(this.options.minInterval())
									+ " ms since the last call is not over")
					: new Cause(Reason.QUEUED, "The call is waiting for its turn"));
		}
		else if (entry.isRetrying()) {
			causes.add(new Cause(Reason.RETRYING,
					"The last " + entry.failures() + " calls have failed, with " + entry.failure()));
		}
		else if (entry.isGivenUp()) {
			causes.add(new Cause(Reason.FAILED, "The last call has failed with " + entry.failure()
					+ ", which is not repeated before the next change"));
		}
		else if (entry.due() != null) {
			causes.add(new Cause(Reason.SCHEDULED, "The next call follows after the delay that the last one returned"));
		}
		else {
			causes.add(new Cause(Reason.UP_TO_DATE, "Nothing has changed since the last call"));
		}
	}

	private boolean isDeleting(KubernetesObject primary) {
		return primary.getMetadata().getDeletionTimestamp() != null;
	}

	private boolean hasFinalizer(KubernetesObject primary) {
		List<String> finalizers = primary.getMetadata().getFinalizers();
		return this.options.finalizer() != null && finalizers != null && finalizers.contains(this.options.finalizer());
	}

	/**
	 * Add or remove the finalizer, if the object still has the version of the cache.
	 */
	private void setFinalizer(T cached, boolean present) throws ObjectWriteException {
		String finalizer = Objects.requireNonNull(this.options.finalizer());
		List<String> known = cached.getMetadata().getFinalizers();
		List<String> finalizers = new ArrayList<>((known != null) ? known : List.of());
		finalizers.remove(finalizer);
		if (present) {
			finalizers.add(finalizer);
		}
		try {
			this.owner.writer.patch(cached, (copy) -> setFinalizers(copy, finalizers));
		}
		catch (ObjectWriteException ex) {
			// the object is gone, so that there is nothing to keep any more
			if (ex.getCode() != NOT_FOUND) {
				throw ex;
			}
		}
	}

	private static void setFinalizers(KubernetesObject object, List<String> finalizers) {
		if (object instanceof DynamicKubernetesObject dynamic) {
			JsonObject metadata = dynamic.getRaw().getAsJsonObject("metadata");
			JsonArray array = new JsonArray();
			finalizers.forEach(array::add);
			metadata.add("finalizers", array);
			return;
		}
		V1ObjectMeta metadata = object.getMetadata();
		metadata.setFinalizers(finalizers);
	}

	/**
	 * Call for one key, or the look-up of what was written for it.
	 */
	private final class Call implements ReconcileCall, ReconcileContext {

		private final Thread thread = Thread.currentThread();

		private final Entry entry;

		private final long start;

		private final Iterator<ReconcileInterceptor> interceptors = DefaultReconcilerRegistration.this.owner.interceptors
			.iterator();

		private boolean begun;

		/** Since the call asks the gate; guarded by the lock. */
		private @Nullable Target target;

		private OptionalInt fencingToken = OptionalInt.empty();

		/** By the gate, a stop or the timeout; any other interrupt is one of the user. */
		private boolean interrupted;

		private boolean timedOut;

		private @Nullable T cached;

		private @Nullable T primary;

		private @Nullable Duration delay;

		Call(Entry entry, long start) {
			this.entry = entry;
			this.start = start;
		}

		String key() {
			return this.entry.key;
		}

		Duration duration() {
			return Duration.ofNanos(DefaultReconcilerRegistration.this.time.nanoTime() - this.start);
		}

		/**
		 * Call the reconciler, and return how the call ends in the queue.
		 */
		private Runnable run() {
			T object = DefaultReconcilerRegistration.this.cached(key());
			boolean finalizer = object != null && hasFinalizer(object);
			if (object == null || (isDeleting(object) && !finalizer)) {
				return () -> queue().ended(this.entry, now());
			}
			InvocationGate gate = options().gate();
			Target target = target(object);
			// before: the gate may close as soon as the call has begun
			locked(() -> this.target = target);
			if (!gate.begin(target)) {
				return () -> queue().putBack(this.entry, List.of(), now());
			}
			OwnWrite.begin();
			Throwable failure = null;
			boolean addsFinalizer = options().finalizer() != null && !finalizer;
			Future<?> timeout = null;
			try {
				timeout = startTimeout();
				this.fencingToken = gate.fencingToken();
				if (addsFinalizer) {
					setFinalizer(object, true);
				}
				else {
					this.cached = object;
					this.primary = ObjectCopy.of(object);
					proceed();
				}
			}
			catch (Throwable ex) {
				failure = ex;
			}
			finally {
				endTimeout(timeout);
				gate.end(target);
			}
			List<OwnWrite> writes = OwnWrite.end();
			if (failure == null) {
				return addsFinalizer ? () -> queue().putBack(this.entry, writes, now()) : () -> succeeded(writes);
			}
			return failed(failure, writes);
		}

		private void succeeded(List<OwnWrite> writes) {
			Duration after = this.delay;
			queue().succeeded(this.entry, (after != null) ? Math.max(0, TimeSource.nanos(after)) : null, writes, now());
			DefaultReconcilerRegistration.this.log.logSummaryIfDue();
		}

		private Runnable failed(Throwable failure, List<OwnWrite> writes) {
			if (get(() -> this.interrupted && !this.timedOut)) {
				DefaultReconcilerRegistration.this.log.debug(message("interrupted, and repeated later"), failure);
				return () -> queue().putBack(this.entry, writes, now());
			}
			Throwable cause = this.timedOut ? timedOut(failure) : failure;
			Outcome outcome = Outcome.of(cause);
			Duration retry = retry(cause, outcome);
			String message = message((retry != null) ? "retrying in " + TimeSource.millis(retry) + " ms"
					: "not retrying before the next change");
			if (outcome == Outcome.LATER
					|| (outcome == Outcome.CONFLICT && this.entry.failures() < EXPECTED_CONFLICTS)) {
				DefaultReconcilerRegistration.this.log.debug(message, cause);
			}
			else {
				DefaultReconcilerRegistration.this.log
					.report((retry == null || cause instanceof Error) ? Level.ERROR : Level.WARN, "", message, cause);
			}
			Long nanos = (retry != null) ? TimeSource.nanos(retry) : null;
			return () -> {
				this.entry.failure(cause);
				queue().failed(this.entry, nanos, writes, now());
			};
		}

		private Throwable timedOut(Throwable failure) {
			TimeoutException timeout = new TimeoutException(
					"The call did not end within " + TimeSource.millis(options().timeout()) + " ms");
			timeout.initCause(failure);
			return timeout;
		}

		private String message(String next) {
			return "Reconciler '" + name() + "' failed on " + UntrustedText.of(key()) + " (attempt " + attempt() + "); "
					+ next;
		}

		private @Nullable Duration retry(Throwable cause, Outcome outcome) {
			RetryPolicy policy = options().retry();
			Duration backoff = policy.delay(attempt(), ThreadLocalRandom.current().nextDouble());
			if (cause instanceof RetryLaterException later) {
				Duration requested = later.delay();
				return (requested != null) ? requested : backoff;
			}
			if (outcome != Outcome.CONFLICT && (!policy.permitsRetry(attempt())
					|| options().notRetryable().stream().anyMatch((type) -> type.isInstance(cause)))) {
				return null;
			}
			Duration after = (cause instanceof ObjectWriteException write) ? write.retryAfter().orElse(Duration.ZERO)
					: Duration.ZERO;
			return (after.compareTo(backoff) > 0) ? after : backoff;
		}

		private @Nullable Future<?> startTimeout() {
			Duration timeout = options().timeout();
			return timeout.isZero() ? null
					: DefaultReconcilerRegistration.this.owner.timer.schedule(() -> locked(() -> {
						if (DefaultReconcilerRegistration.this.calls.contains(this) && !this.interrupted) {
							this.timedOut = true;
							interrupt((call) -> call == this, "has a timeout");
						}
					}), TimeSource.nanos(timeout), TimeUnit.NANOSECONDS);
		}

		private void endTimeout(@Nullable Future<?> timeout) {
			if (timeout != null) {
				timeout.cancel(false);
			}
		}

		private KeyQueue queue() {
			return DefaultReconcilerRegistration.this.queue;
		}

		private ReconcilerOptions<T> options() {
			return DefaultReconcilerRegistration.this.options;
		}

		private long now() {
			return DefaultReconcilerRegistration.this.time.nanoTime();
		}

		@Override
		public ReconcilerRegistration reconciler() {
			return DefaultReconcilerRegistration.this;
		}

		@Override
		public T primary() {
			return Objects.requireNonNull(this.primary);
		}

		@Override
		public ReconcileContext context() {
			return this;
		}

		@Override
		public boolean cleanup() {
			return isDeleting(primary());
		}

		@Override
		public Duration held() {
			return Duration.ofNanos(this.entry.heldNanos());
		}

		@Override
		public void proceed() throws Exception {
			if (this.interceptors.hasNext()) {
				ReconcileInterceptor interceptor = this.interceptors.next();
				interceptor.intercept(this);
				if (!this.begun) {
					throw new IllegalStateException(interceptor.getClass().getName() + " did not proceed.");
				}
				return;
			}
			if (this.begun) {
				throw new IllegalStateException("A call proceeds once");
			}
			this.begun = true;
			T object = Objects.requireNonNull(this.cached);
			if (isDeleting(object)) {
				this.delay = Objects.requireNonNull(options().cleanup()).reconcile(primary(), this);
				if (this.delay == null) {
					setFinalizer(object, false);
				}
			}
			else {
				this.delay = DefaultReconcilerRegistration.this.reconciler.reconcile(primary(), this);
			}
		}

		@Override
		public <S extends KubernetesObject> Owned<S> owned(Class<S> type) {
			return DefaultReconcilerRegistration.this.dependents.owned(Objects.requireNonNull(this.cached), type);
		}

		@Override
		public <S extends KubernetesObject> Watched<S> watched(Class<S> type) {
			return DefaultReconcilerRegistration.this.dependents.watched(Objects.requireNonNull(this.cached), type);
		}

		@Override
		public int attempt() {
			return this.entry.failures() + 1;
		}

		@Override
		public Set<Trigger> triggers() {
			return Set.copyOf(this.entry.triggers());
		}

		@Override
		public OptionalInt fencingToken() {
			return this.fencingToken;
		}

	}

	private final class GateFollower implements Follower {

		@Override
		public void changed() {
			gateChanged();
		}

		@Override
		public void revoked(Predicate<Target> targets, String reason) {
			gateChanged();
			locked(() -> interrupt((call) -> {
				Target target = call.target;
				return target != null && targets.test(target);
			}, reason));
		}

	}

}
