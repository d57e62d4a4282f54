/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.reflector.Reflector;
import dev.informer.work.RunGate;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Run of an informer, from a start to a stop: its own queue between the threads of the
 * reflectors, which outlive it, and a thread for the store.
 * <p>
 * <b>Concurrency.</b> Thread-safe. {@link RunGate} orders the threads of the runs.
 */
final class Run<T extends KubernetesObject> {

	private final SharedParts parts;

	private final ReflectorSet<T> reflectors;

	private final InformerReporter reporter;

	private final TimeSource time;

	private final Moment since;

	private final DeltaFifo<T> fifo;

	private final RunGate gate;

	private final ReflectorThreads<T> reflectorThreads;

	/** Whether the reflectors follow an {@link Assignment}. */
	private final boolean assigned;

	private final StoreLoop<T> loop;

	private volatile @Nullable LoopThread storeThread;

	/**
	 * Create a run without threads. The lock is held.
	 * @param previous the run before; {@code null} for none
	 * @param namespaces returns what applies changed namespaces, or {@code null} if they
	 * are fixed
	 */
	Run(@Nullable Run<T> previous, SharedParts parts, ReflectorSet<T> reflectors, StoreUpdater<T> updater,
			InformerReporter reporter, Function<ReflectorThreads<T>, @Nullable AssignmentUpdater<T>> namespaces) {
		this.parts = parts;
		this.reflectors = reflectors;
		this.reporter = reporter;
		this.time = parts.time();
		this.since = this.time.moment();
		this.fifo = new DeltaFifo<>(this.time, reflectors.fixedNamespaces());
		this.gate = parts.runGate((previous != null) ? previous.gate : null, this::begin);
		this.reflectorThreads = new ReflectorThreads<>(reflectors, this::newThread, reporter, this.time);
		AssignmentUpdater<T> assignment = namespaces.apply(this.reflectorThreads);
		this.assigned = assignment != null;
		this.loop = new StoreLoop<>(this.fifo, reflectors, assignment, updater, reporter, this.time);
	}

	/**
	 * Connect the reflectors to this run. The lock is held.
	 */
	private void begin() {
		this.reflectors.reset(this.fifo);
		this.reporter.started();
	}

	/**
	 * Connect and start the threads, which work once the run is {@link #launch()
	 * launched}. To be called without a lock: the supplier of the connection and the
	 * thread factory are code of the user.
	 */
	void start() {
		this.reflectors.create();
		this.reporter.started();
		LoopThread store = newThread("store", this.loop::updateStore, this.loop::problem);
		List<LoopThread> threads = new ArrayList<>(List.of(store));
		if (!this.assigned) {
			threads.addAll(this.reflectorThreads.create());
		}
		this.storeThread = store;
		threads.forEach(LoopThread::start);
	}

	private LoopThread newThread(String role, Reflector<T> reflector) {
		return newThread(role, () -> {
			reflector.run();
			return false;
		}, () -> "Cannot list and watch; listing again");
	}

	private LoopThread newThread(String role, BooleanSupplier step, Supplier<String> problem) {
		return new LoopThread((task) -> this.parts.newThread(this.reporter.name(), role, task), step, problem,
				this.gate, this.reporter, this.time);
	}

	/**
	 * Let the threads work, once those of earlier runs have ended.
	 */
	void launch() {
		this.gate.launch();
	}

	/**
	 * Let the threads end. The lock is held.
	 */
	void requestStop() {
		this.gate.requestStop();
	}

	/**
	 * Notify the parts of the stop, once. The queued batches are not applied: the list of
	 * the next run contains their changes. To be called without a lock: closing a
	 * connection may call the user's listener for it.
	 */
	void stop() {
		try {
			this.reflectors.stop();
		}
		finally {
			this.fifo.close();
			this.gate.completeStop();
		}
	}

	boolean isStopped() {
		return this.gate.isStopped();
	}

	/**
	 * Wait until the threads have ended or a nano time is reached.
	 */
	void join(long deadline) throws InterruptedException {
		LoopThread store = this.storeThread;
		if (store != null) {
			store.join(deadline);
		}
		this.reflectorThreads.join(deadline);
	}

	/**
	 * Let the thread of the store compute again what is due.
	 */
	void wake() {
		this.fifo.nudge();
	}

	/**
	 * Return whether the first list of every namespace was applied.
	 */
	boolean hasSynced() {
		return this.fifo.hasSynced();
	}

	/**
	 * Queue a resync, if the run has synced.
	 */
	void resync(Set<String> handlers) {
		if (hasSynced()) {
			this.fifo.add(new Delta.SyncAll<>(handlers));
		}
	}

	/**
	 * Return whether a list waits for the store.
	 */
	boolean isReplacing() {
		return this.fifo.isReplacing();
	}

	int queueDepth() {
		return this.fifo.depth();
	}

	/**
	 * Return the states of the namespaces, from those of the reflectors and the failures
	 * of the threads.
	 */
	Map<String, InformerState> states() {
		// read first: until this run begins, the reflectors have the states of earlier
		// ones
		boolean begun = this.gate.hasBegun();
		Map<String, InformerState> states = this.reflectors.states();
		states.replaceAll((namespace, state) -> state(namespace, state, begun));
		return states;
	}

	private InformerState state(String namespace, InformerState current, boolean begun) {
		InformerState state = current;
		if (!begun || current.phase() == Phase.NOT_STARTED) {
			Moment listing = begun ? current.since() : this.since;
			state = new InformerState(Phase.LISTING, listing, null, null, null);
		}
		return stateOfStore(this.reflectorThreads.state(namespace, state));
	}

	/**
	 * Return a state of the informer, with the failure of the thread of the store.
	 */
	InformerState stateOfStore(InformerState state) {
		LoopThread store = this.storeThread;
		return (store != null) ? store.state(state) : state;
	}

}
