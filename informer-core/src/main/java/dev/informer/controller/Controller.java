/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ObjectTransform;
import dev.informer.cache.Delta;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lifecycle of an informer. A {@link Run}, from a start to a stop, has its own queue and
 * threads. The store, the handlers and the reflectors outlive it.
 * <p>
 * <b>Concurrency.</b> {@code lock} guards which run is the current one and the flags of
 * the runs. It is not held while a stop waits or while code of the user runs: the
 * supplier of the connection, the thread factory, listeners.
 *
 * @param <T> the type of the objects
 */
final class Controller<T extends KubernetesObject> {

	private final InformerParts<T> parts;

	private final StateLock lock;

	private volatile @Nullable Run<T> run;

	/** State while there is no run. */
	private volatile InformerState idle;

	/** All runs, apart from those that had ended at the last start. */
	private List<Run<T>> runs = List.of();

	private boolean closed;

	Controller(InformerParts<T> parts) {
		this.parts = parts;
		this.lock = new StateLock(parts.time());
		this.idle = new InformerState(Phase.NOT_STARTED, parts.time().moment(), null, null, null);
		Assignment assignment = parts.assignment();
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
			Assignment assignment = this.parts.assignment();
			if (assignment != null) {
				assignment.start();
			}
			next.start();
		}
		catch (RuntimeException | Error ex) {
			Shutdown shutdown = new Shutdown(this.parts.time());
			end(next, this.idle, shutdown);
			shutdown.await(Duration.ZERO);
			throw ex;
		}
	}

	private @Nullable Run<T> nextRun() {
		if (this.closed) {
			throw new IllegalStateException("Informer '" + this.parts.informer().name()
					+ "' is closed and cannot be started. Create another one.");
		}
		if (this.run != null) {
			return null;
		}
		List<Run<T>> earlier = this.runs.stream().filter((each) -> !each.hasEnded()).toList();
		Run<T> next = new Run<>(this.parts, earlier, this.lock);
		this.runs = Stream.concat(earlier.stream(), Stream.of(next)).toList();
		this.parts.processor().requestStart();
		this.run = next;
		return next;
	}

	/**
	 * Make the end of the current run, if there is one, part of a shutdown. Does not
	 * wait.
	 */
	void stop(Shutdown shutdown) {
		end(this.run, stopped(), shutdown);
	}

	/**
	 * End a run, if it is the current one.
	 * @param state the state from now on
	 */
	private void end(@Nullable Run<T> ending, InformerState state, Shutdown shutdown) {
		if (ending == null) {
			return;
		}
		boolean current = this.lock.get(() -> {
			if (this.run != ending) {
				return false;
			}
			this.idle = state;
			this.run = null;
			ending.requestStop();
			this.parts.processor().requestStop();
			return true;
		});
		if (current) {
			try {
				ending.stop();
			}
			finally {
				shutdown.add(ending.threads(), this.parts.processor());
			}
			ending.publishStates();
		}
	}

	private InformerState stopped() {
		return new InformerState(Phase.STOPPED, this.parts.time().moment(), null, null, null);
	}

	/**
	 * Refuse a start and more handlers from now on.
	 * @return whether the informer was open before
	 */
	boolean markClosed() {
		InformerState state = stopped();
		return this.lock.get(() -> {
			boolean first = !this.closed;
			if (first) {
				this.closed = true;
				this.parts.processor().close();
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
			throw new IllegalStateException("Cannot wait for informer '" + this.parts.informer().name()
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
			String informer = this.parts.informer().name();
			if (this.parts.reflectors().isCreated()) {
				throw new IllegalStateException("Cannot set the transform: informer '" + informer
						+ "' was started already, so its cache has untransformed objects. Set the transform first.");
			}
			if (!this.parts.sink().set(transform)) {
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
				.add(new Delta.SyncAll<>(this.parts.processor()
					.registrations()
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
		Map<String, InformerState> states = this.parts.reflectors().states();
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
		Assignment assignment = this.parts.assignment();
		if (assignment != null) {
			states.add((current != null) ? current.stateOfStore(assignment.state()) : without);
		}
		InformerState worst = ReflectorSet.worst(states);
		ReflectorSet.Omission omission = this.parts.reflectors().omission();
		return (current != null && omission != null)
				? ReflectorSet.worst(List.of(worst, new InformerState(worst.phase(), worst.since(), omission.failure(),
						omission.since(), worst.nextAttempt())))
				: worst;
	}

}
