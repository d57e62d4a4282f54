/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.informer.HandlerRegistration;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ObjectTransform;
import dev.informer.cache.Delta;
import dev.informer.client.TimeSource;
import dev.informer.processor.SharedProcessor;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lifecycle of an informer. A {@link Run}, from a start to a stop, has its own queue and
 * threads. The store, the handlers and the reflectors outlive it.
 * <p>
 * <b>Concurrency.</b> {@code lock} guards which run is the current one and the flags of
 * the runs. It is not held while a stop waits or while code of the user runs: the
 * supplier of the connection, the thread factory, listeners.
 */
final class Controller<T extends KubernetesObject> {

	/** Time that the threads of a run have to end once handlers may no longer drain. */
	private static final long GRACE_NANOS = TimeSource.nanos(Duration.ofSeconds(1));

	private final DefaultSharedIndexInformer<T> informer;

	private final StateLock lock;

	private volatile @Nullable Run<T> run;

	/** State while there is no run. */
	private volatile InformerState idle;

	/** Run of the last start. */
	private @Nullable Run<T> last;

	private boolean closed;

	Controller(DefaultSharedIndexInformer<T> informer) {
		this.informer = informer;
		this.lock = new StateLock(informer.environment.time());
		this.idle = new InformerState(Phase.NOT_STARTED, informer.environment.time().moment(), null, null, null);
		Assignment assignment = informer.assignment;
		if (assignment != null) {
			assignment.follow(this::wake);
		}
	}

	/**
	 * Start a run, unless there is one. When it cannot be started, its threads end.
	 * @throws IllegalStateException if the informer is closed
	 */
	void start() {
		Run<T> next = this.lock.get(this::nextRun);
		if (next == null) {
			return;
		}
		try {
			Assignment assignment = this.informer.assignment;
			if (assignment != null) {
				assignment.start();
			}
			next.start();
		}
		catch (RuntimeException | Error ex) {
			List<Run<?>> ended = new ArrayList<>();
			end(next, this.idle, ended);
			await(ended, Duration.ZERO, this.informer.environment.time());
			throw ex;
		}
	}

	private @Nullable Run<T> nextRun() {
		if (this.closed) {
			throw new IllegalStateException(
					"Informer '" + this.informer.name() + "' is closed and cannot be started. Create another one.");
		}
		if (this.run != null) {
			return null;
		}
		this.last = new Run<>(this.informer, this.last, this.lock);
		this.informer.processor.requestStart();
		this.run = this.last;
		return this.last;
	}

	/**
	 * Stop the current runs of some informers, with one deadline for all of them.
	 * @param drain the time for which handlers may process pending events
	 */
	static void stop(Collection<Controller<?>> controllers, Duration drain, TimeSource time) {
		List<Run<?>> ended = new ArrayList<>();
		controllers.forEach((each) -> each.stop(ended));
		await(ended, drain, time);
	}

	private void stop(List<Run<?>> ended) {
		Run<T> current = this.run;
		if (current != null) {
			end(current, stopped(), ended);
		}
	}

	private static void await(List<Run<?>> ended, Duration drain, TimeSource time) {
		long deadline = time.nanoTime() + TimeSource.nanos(drain);
		try {
			// threads first: the batch in process is to reach the handlers before they
			// drain
			for (Thread thread : ended.stream().flatMap(Run::threads).toList()) {
				long remaining = deadline + GRACE_NANOS - time.nanoTime();
				if (thread != Thread.currentThread() && remaining > 0) {
					time.join(thread, remaining);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		SharedProcessor.awaitStop(ended.stream().<SharedProcessor<?>>map(Run::processor).toList(), deadline, time);
	}

	/**
	 * End a run, if it is the current one. The state applies from now on. Does not wait.
	 */
	private void end(Run<T> ending, InformerState state, List<Run<?>> ended) {
		boolean current = this.lock.get(() -> {
			boolean first = this.run == ending;
			if (first) {
				this.idle = state;
				this.run = null;
				ending.requestStop();
				this.informer.processor.requestStop();
			}
			return first;
		});
		if (!current) {
			return;
		}
		try {
			ending.stop();
		}
		finally {
			ended.add(ending);
		}
		ending.publishStates();
	}

	private InformerState stopped() {
		return new InformerState(Phase.STOPPED, this.informer.environment.time().moment(), null, null, null);
	}

	/**
	 * Refuse a start and more handlers from now on, and return whether the informer was
	 * open before.
	 */
	boolean markClosed() {
		InformerState state = stopped();
		return this.lock.get(() -> {
			boolean first = !this.closed;
			if (first) {
				this.closed = true;
				this.informer.processor.close();
				this.idle = (this.idle.phase() == Phase.NOT_STARTED) ? state : this.idle;
			}
			return first;
		});
	}

	/**
	 * Refuse to wait for an informer that nothing has started: the wait could only time
	 * out.
	 */
	void requireStarted() {
		if (state().phase() == Phase.NOT_STARTED) {
			throw new IllegalStateException("Cannot wait for informer '" + this.informer.name()
					+ "': it was not started. Start it, its factory or the application first.");
		}
	}

	boolean isClosed() {
		return this.lock.get(() -> this.closed);
	}

	/**
	 * Set the transform, which no cached object may have missed.
	 * @throws IllegalStateException if the informer was started or has a transform
	 */
	void setTransform(ObjectTransform<T> transform) {
		this.lock.get(() -> {
			String informer = this.informer.name();
			if (this.informer.reflectors.isCreated()) {
				throw new IllegalStateException("Cannot set the transform: informer '" + informer
						+ "' was started already, so its cache has untransformed objects. Set the transform first.");
			}
			if (!this.informer.sink.set(transform)) {
				throw new IllegalStateException("Cannot set the transform: informer '" + informer
						+ "' has a transform already. Create another informer with another name.");
			}
			return true;
		});
	}

	/**
	 * Queue a resync for all handlers, if the informer has synced in this run.
	 */
	void resync() {
		Run<T> current = this.run;
		if (current != null && current.fifo().hasSynced()) {
			current.fifo()
				.add(new Delta.SyncAll<>(this.informer.processor.registrations()
					.stream()
					.map(HandlerRegistration::name)
					.collect(Collectors.toSet())));
		}
	}

	/**
	 * Let the process loop compute again when the next resync is due and which namespaces
	 * are assigned.
	 */
	void wake() {
		Run<T> current = this.run;
		if (current != null) {
			current.fifo().nudge();
		}
	}

	/**
	 * Return whether the informer has synced in the current run.
	 */
	boolean hasSynced() {
		Run<T> current = this.run;
		return current != null && current.fifo().hasSynced();
	}

	/**
	 * Return whether a list waits for the store.
	 */
	boolean isReplacing() {
		Run<T> current = this.run;
		return current != null && current.fifo().isReplacing();
	}

	int queueDepth() {
		Run<T> current = this.run;
		return (current != null) ? current.fifo().depth() : 0;
	}

	/**
	 * Return the states of the namespaces.
	 */
	Map<String, InformerState> states() {
		return states(this.run, this.idle);
	}

	private Map<String, InformerState> states(@Nullable Run<T> current, InformerState without) {
		Map<String, InformerState> states = this.informer.reflectors.states();
		states.replaceAll((namespace, state) -> (current != null) ? current.state(namespace, state) : without);
		return states;
	}

	/**
	 * Return the worst state of the namespaces and of what determines them, with the
	 * failure that has lasted longest.
	 */
	InformerState state() {
		Run<T> current = this.run;
		InformerState without = this.idle;
		List<InformerState> states = new ArrayList<>(states(current, without).values());
		Assignment assignment = this.informer.assignment;
		if (assignment != null) {
			states.add((current != null) ? current.stateOfStore(assignment.state()) : without);
		}
		InformerState worst = ReflectorSet.worst(states);
		ReflectorSet.Omission omission = this.informer.reflectors.omission();
		return (current != null && omission != null)
				? ReflectorSet.worst(List.of(worst, new InformerState(worst.phase(), worst.since(), omission.failure(),
						omission.since(), worst.nextAttempt())))
				: worst;
	}

}
