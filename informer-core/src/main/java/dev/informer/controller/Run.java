/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.processor.SharedProcessor;
import dev.informer.reflector.Reflector;
import dev.informer.work.StateLock;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Run of an informer, from a start to a stop, with its own queue, a thread for the store
 * and one for each reflector. The thread of the store takes batches from the queue and
 * has them applied to the store and distributed to the handlers. Between batches it
 * applies changed namespaces, starts the threads of their reflectors, queues the resyncs
 * that are due and looks for mutated objects.
 * <p>
 * <b>Concurrency.</b> The lock of the factory guards the flags and the number of active
 * threads. The threads share the queue, and do nothing before all of them have been
 * started and those of earlier runs have ended: a thread that a stop has left behind,
 * because it was busy, could change the store or a reflector at the same time. The fields
 * from {@code namespaces} on are confined to the thread of the store.
 */
final class Run<T extends KubernetesObject> {

	private static final long FIRST_PAUSE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private static final long MAX_PAUSE_NANOS = 32 * FIRST_PAUSE_NANOS;

	/** Time without a failure after which the next one is the first of its kind. */
	private static final long RESET_NANOS = 4 * MAX_PAUSE_NANOS;

	final DefaultSharedIndexInformer<T> informer;

	private final StateLock lock;

	private final TimeSource time;

	final DeltaFifo<T> fifo;

	private final Moment since;

	private volatile @Nullable RunThread storeThread;

	/**
	 * Threads of the reflectors. Changed by the starting thread at first, and by that of
	 * the store later.
	 */
	private final Map<Reflector<T>, RunThread> reflectorThreads = new ConcurrentHashMap<>();

	/** Last earlier run that may have threads; {@code null} once this one has begun. */
	private @Nullable Run<T> previous;

	/** Number of threads that have not ended, and of stops: one until it is complete. */
	private int active = 1;

	private boolean launched;

	private volatile boolean begun;

	private volatile boolean stopped;

	private final @Nullable AssignmentUpdater<T> namespaces;

	/** Corrupted objects of the last batch by namespace, until they are reported. */
	private Map<String, List<UndecodableObject>> corrupted = Map.of();

	private boolean syncReported;

	private boolean storeFailed;

	/**
	 * Create a run without threads. The lock is held.
	 */
	Run(DefaultSharedIndexInformer<T> informer, @Nullable Run<T> previous) {
		this.informer = informer;
		this.lock = informer.factory.lock;
		this.time = informer.factory.time;
		this.fifo = new DeltaFifo<>(this.time, informer.reflectors.fixedNamespaces());
		this.since = this.time.moment();
		Run<T> earlier = previous;
		while (earlier != null && earlier.active == 0) {
			earlier = earlier.previous;
		}
		this.previous = earlier;
		Assignment assignment = informer.assignment;
		this.namespaces = (assignment != null) ? new AssignmentUpdater<>(informer, assignment, this) : null;
	}

	/**
	 * Connect and start the threads. To be called without a lock: the supplier of the
	 * connection and the thread factory are code of the user.
	 */
	void start() {
		this.informer.reflectors.create();
		List<Reflector<T>> reflectors = (this.namespaces != null) ? List.of() : this.informer.reflectors.created();
		this.informer.reporter.started();
		RunThread store = new RunThread("store", this::updateStore, () -> "Cannot apply queued changes to the cache; "
				+ (this.fifo.isAwaitingRelist() ? "relisting" : "retrying"));
		List<RunThread> threads = new ArrayList<>(List.of(store));
		for (int i = 0; i < reflectors.size(); i++) {
			threads.add(newThread(reflectors.get(i), (reflectors.size() == 1) ? "reflector" : "reflector-" + (i + 1)));
		}
		this.storeThread = store;
		threads.forEach(this::start);
		this.informer.processor.startFirstThreads();
		this.lock.change(() -> this.launched = true);
	}

	private RunThread newThread(Reflector<T> reflector, String role) {
		RunThread thread = new RunThread(role, () -> {
			reflector.run();
			return false;
		}, () -> "Cannot list and watch; listing again");
		this.reflectorThreads.put(reflector, thread);
		return thread;
	}

	/**
	 * Start the threads of the reflectors that have none. To be called by the thread of
	 * the store, without a lock. A thread that could not be started is created again by
	 * the next call, and is no reason not to start others.
	 * @return a failure to start a thread; {@code null} if all of them have been started
	 */
	@Nullable Throwable startReflectors() {
		Set<Reflector<T>> current = new LinkedHashSet<>(this.informer.reflectors.created());
		this.reflectorThreads.entrySet()
			.removeIf((entry) -> entry.getValue().ended && !current.contains(entry.getKey()));
		current.removeAll(this.reflectorThreads.keySet());
		Throwable failure = null;
		for (Reflector<T> reflector : current) {
			try {
				String namespace = reflector.namespace();
				start(newThread(reflector, namespace.isEmpty() ? "reflector" : "reflector-" + namespace));
			}
			// also that no more threads can be created
			catch (Throwable ex) {
				this.reflectorThreads.remove(reflector);
				failure = ex;
			}
		}
		return failure;
	}

	private void start(RunThread thread) {
		boolean starting = this.lock.get(() -> {
			thread.active = !this.stopped;
			this.active += thread.active ? 1 : 0;
			return thread.active;
		});
		if (!starting) {
			return;
		}
		try {
			thread.thread.start();
		}
		catch (RuntimeException | Error ex) {
			// a thread that its factory has started ends with this run
			this.lock.change(thread::end);
			throw ex;
		}
	}

	/**
	 * End the pause of the thread of a reflector that has ended.
	 */
	void ended(Reflector<T> reflector) {
		RunThread thread = this.reflectorThreads.get(reflector);
		if (thread != null) {
			this.lock.change(() -> thread.closed = true);
		}
	}

	/**
	 * Let the threads end. The lock is held.
	 */
	void requestStop() {
		this.lock.change(() -> this.stopped = true);
	}

	/**
	 * Notify the parts of the stop, once. The queued batches are not applied: the list of
	 * the next run contains their changes. To be called without a lock: closing a
	 * connection may call the user's listener for it.
	 */
	void stop() {
		try {
			this.informer.reflectors.stop();
		}
		finally {
			this.fifo.close();
			this.lock.change(() -> this.active--);
		}
	}

	boolean isStopped() {
		return this.stopped;
	}

	Stream<Thread> threads() {
		return Stream.concat(Stream.ofNullable(this.storeThread), this.reflectorThreads.values().stream())
			.map((each) -> each.thread);
	}

	/**
	 * Wait until the threads of this run may work, and return whether the run is not
	 * stopped. The first one connects the reflectors to this run.
	 */
	private boolean awaitTurn() {
		while (!this.stopped && !this.begun) {
			try {
				this.lock.await(() -> this.stopped || this.begun || isTurn(), Long.MAX_VALUE);
			}
			catch (InterruptedException ex) {
				// left by code of the user: only a stop ends this thread
			}
			this.lock.change(() -> {
				if (!this.stopped && !this.begun && isTurn()) {
					begin();
				}
			});
		}
		return !this.stopped;
	}

	private boolean isTurn() {
		return this.launched && (this.previous == null || this.previous.hasEnded());
	}

	private boolean hasEnded() {
		return this.active == 0 && (this.previous == null || this.previous.hasEnded());
	}

	private void begin() {
		this.previous = null;
		this.informer.reflectors.reset(this.fifo);
		this.informer.reporter.started();
		this.begun = true;
	}

	/**
	 * Process the next batch. After a failure, return once the queue has recovered from
	 * it.
	 * @return whether there may be more: {@code false} when the queue is closed and empty
	 */
	private boolean updateStore() {
		long maxWaitNanos = update();
		if (this.storeFailed && this.fifo.isAwaitingRelist()) {
			this.informer.reflectors.relist(RelistReason.FAILURE);
		}
		else if (this.storeFailed) {
			maxWaitNanos = 0;
		}
		this.storeFailed = true;
		boolean more = processBatch(maxWaitNanos);
		while (more && this.fifo.isAwaitingRelist()) {
			more = processBatch(update());
		}
		this.storeFailed = false;
		return more;
	}

	/**
	 * Update the namespaces and the states of the reflectors, and return the nanoseconds
	 * until there is something to do without a batch.
	 */
	private long update() {
		long nanos = (this.namespaces != null) ? this.namespaces.update() : Long.MAX_VALUE;
		nanos = Math.min(nanos, this.informer.reflectors.superviseWatches());
		nanos = Math.min(nanos, this.informer.mutations.nanosToCheck());
		SharedProcessor<T> processor = this.informer.processor;
		return Math.min(nanos, Math.min(processor.nanosToResync(), processor.nanosToStartThreads()));
	}

	private boolean processBatch(long maxWaitNanos) {
		// what a failure has left
		completeBatch();
		boolean more = this.fifo.pop(this::apply, maxWaitNanos);
		completeBatch();
		this.informer.reporter.cacheChanged();
		if (this.namespaces != null) {
			this.namespaces.excuseRefused();
		}
		if (!this.syncReported && this.fifo.hasSynced()) {
			synced();
			this.syncReported = true;
		}
		this.informer.processor.wakeHandlers();
		this.informer.mutations.check();
		if (this.informer.processor.nanosToResync() <= 0) {
			// taken in any case: a resync before the sync would deliver half of the state
			Set<String> due = this.informer.processor.takeResyncDue();
			if (this.fifo.hasSynced() && !due.isEmpty()) {
				this.fifo.add(new Delta.SyncAll<>(due));
			}
		}
		return more;
	}

	private void apply(Batch<T> batch) {
		if (batch.deltas().get(0) instanceof Delta.SyncAll<T> sync) {
			this.informer.updater.syncAll(sync.handlers(), this.fifo.queuedKeys(), batch.receivedAt());
		}
		else {
			this.corrupted = this.informer.updater.apply(batch);
		}
	}

	private void completeBatch() {
		this.informer.updater.complete();
		Map<String, List<UndecodableObject>> reported = this.corrupted;
		this.corrupted = Map.of();
		reported.forEach((namespace, objects) -> {
			Reflector<T> reflector = this.informer.reflectors.find(namespace);
			if (reflector != null) {
				reflector.corrupted(objects);
			}
		});
	}

	/**
	 * Report the sync to handlers first, so that a thread that waits for the informer
	 * finds them informed.
	 */
	private void synced() {
		this.informer.updater.completed();
		this.informer.processor.initialListDistributed();
		Duration duration = Duration.ofNanos(this.time.nanoTime() - this.since.nanoTime());
		this.informer.reporter.synced(this.informer.indexer.size(), duration);
		// only now: after a long list the threads of many handlers compete with this one
		this.informer.processor.wakeHandlers();
		this.informer.reporter.publishSync(duration);
	}

	/**
	 * Return the states of the namespaces, from those of the reflectors and the failures
	 * of the threads.
	 */
	Map<String, InformerState> states() {
		// read first: until this run begins, the reflectors have the states of earlier
		// ones
		boolean begun = this.begun;
		Map<String, InformerState> states = this.informer.reflectors.states();
		states.replaceAll((namespace, state) -> state(namespace, state, begun));
		return states;
	}

	private InformerState state(String namespace, InformerState current, boolean begun) {
		InformerState state = current;
		if (!begun || current.phase() == Phase.NOT_STARTED) {
			Moment listing = begun ? current.since() : this.since;
			state = new InformerState(Phase.LISTING, listing, null, null, null);
		}
		Reflector<T> reflector = this.informer.reflectors.find(namespace);
		RunThread thread = (reflector != null) ? this.reflectorThreads.get(reflector) : null;
		return stateOfStore((thread != null) ? thread.ownState(state) : state);
	}

	/**
	 * Return a state of the informer, with the failure of the thread of the store.
	 */
	InformerState stateOfStore(InformerState state) {
		RunThread store = this.storeThread;
		return (store != null) ? store.state(state) : state;
	}

	/**
	 * Thread that repeats a step until there is no more or the run is stopped. Only that
	 * ends it: anything that a step throws is reported and is visible in the state of the
	 * informer, and the step is repeated after a pause. An error while that is done, such
	 * as an exhausted heap, is fatal: the informer has failed until it is started again.
	 * <p>
	 * <b>Concurrency.</b> {@code failing} is written by this thread and read by any;
	 * {@code closed} and {@code active} are guarded by the lock; the rest is confined to
	 * this thread.
	 */
	private final class RunThread implements Runnable {

		private final BooleanSupplier step;

		private final Supplier<String> problem;

		private final Thread thread;

		private volatile @Nullable InformerState failing;

		private long pauseNanos;

		/** Written before {@link #failing}. */
		private volatile long failedNanos;

		private volatile boolean ended;

		/** Whether the step returns at once from now on, and ends the thread. */
		private boolean closed;

		/** Whether this is one of the active threads of the run. */
		private boolean active;

		/**
		 * Create a thread without starting it.
		 * @param role the role of the thread, which is part of its name
		 * @param step the step; returns whether there may be more to do
		 * @param problem returns a description of what a failure of the step means
		 */
		RunThread(String role, BooleanSupplier step, Supplier<String> problem) {
			this.step = step;
			this.problem = problem;
			this.thread = Run.this.informer.factory.newThread(Run.this.informer.name(), role, this);
			// for what a thread factory has wrapped around the task
			Thread.UncaughtExceptionHandler users = this.thread.getUncaughtExceptionHandler();
			this.thread.setUncaughtExceptionHandler((dying, cause) -> {
				try {
					users.uncaughtException(dying, cause);
				}
				finally {
					if (!this.ended) {
						run(cause);
					}
				}
			});
		}

		@Override
		public void run() {
			run(null);
		}

		private void end() {
			Run.this.active -= this.active ? 1 : 0;
			this.active = false;
		}

		private void run(@Nullable Throwable before) {
			try {
				if (before != null) {
					failed(before);
				}
				boolean more = true;
				while (more) {
					more = runStep();
				}
			}
			catch (Throwable ex) {
				gaveUp(ex);
			}
			finally {
				if (!this.ended) {
					this.ended = true;
					Run.this.lock.change(this::end);
				}
			}
		}

		private boolean runStep() {
			try {
				boolean more = awaitTurn() && this.step.getAsBoolean();
				if (more) {
					recovered();
				}
				return more;
			}
			// also a ThreadDeath, a sneaky checked exception, an error of metadata
			catch (Throwable ex) {
				failed(ex);
				return true;
			}
		}

		private void gaveUp(Throwable cause) {
			Moment now = Run.this.time.moment();
			InformerFailure failure = Run.this.informer.reporter.failed(Kind.OTHER,
					"Cannot continue after a failure; giving up. Start the informer again", cause);
			Run.this.informer.reporter.failedPermanently(failure);
			this.failing = new InformerState(Phase.FAILED, now, failure, now, null);
			Run.this.informer.reporter.publishStates();
		}

		private void failed(Throwable cause) {
			// left by code of the user, it would end the pause
			Thread.interrupted();
			Moment now = Run.this.time.moment();
			if (now.nanoTime() - this.failedNanos > RESET_NANOS) {
				recovered();
			}
			this.failedNanos = now.nanoTime();
			this.pauseNanos = Math.max(FIRST_PAUSE_NANOS, Math.min(2 * this.pauseNanos, MAX_PAUSE_NANOS));
			InformerState previous = this.failing;
			InformerFailure failure = Run.this.informer.reporter.failed(Kind.OTHER, this.problem.get(), cause);
			this.failing = new InformerState(Phase.BACKING_OFF, (previous != null) ? previous.since() : now, failure,
					(previous != null) ? previous.failingSince() : now, now.time().plusNanos(this.pauseNanos));
			Run.this.informer.reporter.publishStates();
			try {
				Run.this.lock.await(() -> Run.this.stopped || this.closed, this.pauseNanos);
			}
			catch (InterruptedException ex) {
				// only a stop ends this thread
			}
		}

		private void recovered() {
			this.pauseNanos = 0;
			if (this.failing != null) {
				this.failing = null;
				Run.this.informer.reporter.log(Level.INFO, "recovered");
				Run.this.informer.reporter.publishStates();
			}
		}

		/**
		 * Return a state of the informer with the failure of this thread, if it is
		 * failing.
		 */
		private InformerState state(InformerState state) {
			InformerState current = this.failing;
			if (current == null || state.phase() == Phase.FAILED) {
				return state;
			}
			Moment since = current.failingSince();
			if (since == null || state.failingSince() != null && state.failingSince().compareTo(since) < 0) {
				since = state.failingSince();
			}
			return new InformerState(current.phase(), current.since(), current.failure(), since, current.nextAttempt());
		}

		/**
		 * Return a state of the reflector that this thread runs, with the failure of the
		 * thread unless the reflector has opened a watch since.
		 */
		private InformerState ownState(InformerState state) {
			InformerState current = this.failing;
			boolean watching = current != null && state.phase() == Phase.WATCHING
					&& state.since().nanoTime() - this.failedNanos > 0;
			return watching ? state : state(state);
		}

	}

}
