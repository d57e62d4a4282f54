/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.informer.InformerEvent;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.cache.DeltaFifo;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.reflector.Reflector;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Run of an informer, from a start to a stop, with its own queue, a thread for the store
 * and one for each reflector. The threads of reflectors whose namespaces join later are
 * started by that of the store.
 * <p>
 * <b>Concurrency.</b> The flags are guarded by the lock of the {@link Controller}. Its
 * threads share the queue, and do nothing before all of them have been started and those
 * of earlier runs have ended: a thread that a stop has left behind, because it was busy,
 * could change the store or a reflector at the same time.
 *
 * @param <T> the type of the objects
 */
final class Run<T extends KubernetesObject> {

	private final InformerParts<T> parts;

	private final StateLock lock;

	private final DeltaFifo<T> fifo;

	private final Moment since;

	private volatile @Nullable RunThread storeThread;

	/**
	 * Threads of the reflectors, in the order of their starts. That of a namespace that
	 * has left is removed after its end. Replaced by the starting thread at first, and by
	 * that of the store later.
	 */
	private volatile Map<Reflector<T>, RunThread> reflectorThreads = Map.of();

	/** Runs that may have threads; empty once this one has begun. */
	private List<Run<T>> earlier;

	/** States of the reflectors before this run. */
	private volatile Map<String, InformerState> statesBefore;

	private boolean launched;

	private volatile boolean begun;

	private volatile boolean stopped;

	/** Set once the parts were notified of the stop. */
	private boolean ending;

	/**
	 * Create a run without threads.
	 * @param parts the parts of the informer
	 * @param earlier earlier runs
	 * @param lock the lock of the controller
	 */
	Run(InformerParts<T> parts, List<Run<T>> earlier, StateLock lock) {
		this.parts = parts;
		this.earlier = earlier;
		this.lock = lock;
		this.fifo = new DeltaFifo<>(parts.time(), parts.reflectors().fixedNamespaces());
		this.since = parts.time().moment();
		this.statesBefore = parts.reflectors().states();
	}

	/**
	 * Connect and start the threads. To be called without a lock: the supplier of the
	 * connection and the thread factory are code of the user.
	 */
	void start() {
		List<Reflector<T>> reflectors = this.parts.reflectors().create();
		this.parts.latch().failed(null);
		ProcessLoop<T> loop = new ProcessLoop<>(this.parts, this);
		RunThread store = new RunThread(this, this.parts, "store", loop::processNext,
				() -> "Cannot apply queued changes to the cache; "
						+ (this.fifo.isAwaitingRelist() ? "relisting" : "retrying"));
		for (int i = 0; i < reflectors.size(); i++) {
			String role = (reflectors.size() == 1) ? "reflector" : "reflector-" + (i + 1);
			addThread(reflectors.get(i), role);
		}
		this.storeThread = store;
		runThreads().forEach(this::start);
		this.parts.processor().startFirstThreads();
		this.lock.change(() -> this.launched = true);
	}

	private RunThread addThread(Reflector<T> reflector, String role) {
		RunThread thread = new RunThread(this, this.parts, role, () -> {
			reflector.run();
			return false;
		}, () -> "Cannot list and watch; listing again");
		Map<Reflector<T>, RunThread> threads = new LinkedHashMap<>(this.reflectorThreads);
		threads.put(reflector, thread);
		this.reflectorThreads = threads;
		return thread;
	}

	/**
	 * Start the threads of the reflectors that have none. To be called by the thread of
	 * the store, without a lock. A thread that could not be started is created again by
	 * the next call, and is no reason not to start others.
	 * @return a failure to start a thread; {@code null} if all of them have been started
	 */
	@Nullable Throwable startReflectors() {
		Set<Reflector<T>> current = new LinkedHashSet<>(this.parts.reflectors().created());
		Map<Reflector<T>, RunThread> remaining = new LinkedHashMap<>(this.reflectorThreads);
		this.lock.change(() -> remaining.entrySet()
			.removeIf((entry) -> entry.getValue().isDone()
					&& !(entry.getValue().isStarted() && current.contains(entry.getKey()))));
		this.reflectorThreads = remaining;
		Throwable failure = null;
		for (Reflector<T> reflector : current) {
			if (!this.reflectorThreads.containsKey(reflector)) {
				try {
					String namespace = reflector.namespace();
					start(addThread(reflector, namespace.isEmpty() ? "reflector" : "reflector-" + namespace));
				}
				// also an exhausted heap
				catch (Throwable ex) {
					failure = ex;
				}
			}
		}
		return failure;
	}

	/**
	 * End the pause of the thread of a reflector that has ended.
	 */
	void ended(Reflector<T> reflector) {
		RunThread thread = this.reflectorThreads.get(reflector);
		if (thread != null) {
			this.lock.change(thread::setClosed);
		}
	}

	private void start(RunThread thread) {
		boolean starting = this.lock.get(() -> {
			thread.setStarted(!this.stopped);
			return !this.stopped;
		});
		if (!starting) {
			return;
		}
		try {
			thread.thread().start();
		}
		catch (RuntimeException | Error ex) {
			this.lock.change(() -> thread.setStarted(false));
			throw ex;
		}
	}

	/**
	 * Let the threads end.
	 */
	void requestStop() {
		this.lock.change(() -> this.stopped = true);
	}

	/**
	 * Notify the parts of the stop. The queued batches are not applied: the list of the
	 * next run contains their changes. To be called without a lock: closing a connection
	 * may call the user's listener for it.
	 */
	void stop() {
		try {
			if (this.begun) {
				this.parts.reflectors().stop();
			}
		}
		finally {
			this.fifo.close();
			this.lock.change(() -> this.ending = true);
		}
	}

	List<Thread> threads() {
		return runThreads().map(RunThread::thread).toList();
	}

	private Stream<RunThread> runThreads() {
		return Stream.concat(Stream.ofNullable(this.storeThread), this.reflectorThreads.values().stream());
	}

	DeltaFifo<T> fifo() {
		return this.fifo;
	}

	/**
	 * Return whether no thread has anything more to do. The lock is held.
	 */
	boolean hasEnded() {
		return this.ending && runThreads().allMatch(RunThread::isDone);
	}

	boolean hasEnded(RunThread thread) {
		return this.lock.get(thread::isDone);
	}

	void ended(RunThread thread) {
		this.lock.change(thread::setEnded);
	}

	/**
	 * Wait until the threads of this run may work. The first one connects sink and
	 * reflectors to this run.
	 * @return whether the run is not stopped
	 */
	boolean awaitTurn() {
		while (!this.stopped && !this.begun) {
			awaitTurnOrStop();
			this.lock.change(() -> {
				if (!this.stopped && !this.begun && isTurn()) {
					begin();
				}
			});
		}
		return !this.stopped;
	}

	private boolean isTurn() {
		return this.launched && this.earlier.stream().allMatch(Run::hasEnded);
	}

	private void awaitTurnOrStop() {
		try {
			this.lock.await(() -> this.stopped || this.begun || isTurn(), Long.MAX_VALUE);
		}
		catch (InterruptedException ex) {
			// left by code of the user: only a stop ends this thread
		}
	}

	private void begin() {
		this.statesBefore = this.parts.reflectors().states();
		this.parts.sink().redirect(this.fifo);
		this.parts.reflectors().reset(this.fifo::nudge);
		this.parts.latch().failed(null);
		this.earlier = List.of();
		this.begun = true;
	}

	/**
	 * Let a thread wait, unless the run is stopped or its reflector has ended.
	 */
	void pause(RunThread thread, long nanos) {
		try {
			pause(this.parts.time(), thread, nanos);
		}
		catch (Throwable ex) {
			// the time source has failed, but a thread that fails must not spin
			pause(TimeSource.SYSTEM, thread, nanos);
		}
	}

	private void pause(TimeSource time, RunThread thread, long nanos) {
		try {
			this.lock.await(time, () -> this.stopped || thread.isClosed(), nanos);
		}
		catch (InterruptedException ex) {
			// only a stop ends this thread
		}
	}

	/**
	 * Return the state of a namespace, with the failures of the threads.
	 * @param namespace the namespace
	 * @param current the state of its reflector
	 */
	InformerState state(String namespace, InformerState current) {
		InformerState state = current;
		if (!this.begun || current == this.statesBefore.get(namespace)) {
			state = new InformerState(Phase.LISTING, this.since, null, null, null);
		}
		else if (current.phase() == Phase.NOT_STARTED) {
			// the namespace has joined since
			state = new InformerState(Phase.LISTING, current.since(), null, null, null);
		}
		Reflector<T> reflector = this.parts.reflectors().find(namespace);
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
	 * Publish the states of all namespaces.
	 */
	void publishStates() {
		this.parts.informer()
			.statesByNamespace()
			.forEach((namespace, state) -> this.parts.environment()
				.listener()
				.onEvent(new InformerEvent.StateChanged(this.parts.informer(), namespace, state)));
	}

}
