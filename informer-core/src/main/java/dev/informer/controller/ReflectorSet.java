/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.Moment;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.ListerWatcher;
import dev.informer.reflector.Reflector;
import dev.informer.reflector.ReflectorSettings;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Reflectors of an informer, one for each of its namespaces, or one for all namespaces.
 * They are created at the first start, which connects to the cluster, and kept, so that a
 * restart resumes at the resource versions that were reached.
 * <p>
 * <b>Concurrency.</b> Reset and stop are ordered by the {@link Controller}; all methods
 * may be called by any thread.
 *
 * @param <T> the type of the objects
 */
final class ReflectorSet<T extends KubernetesObject> {

	/**
	 * By phase, except that a failing namespace is worse than one whose resource is not
	 * served: that may be intended. Of two failing ones, the worse fails for longer.
	 */
	private static final Comparator<InformerState> BEST_FIRST = Comparator
		.comparingInt((InformerState state) -> severity(state))
		.thenComparing(InformerState::failingSince, Comparator.nullsFirst(Comparator.reverseOrder()))
		.thenComparing(InformerState::phase);

	private final Map<String, InformerState> initialStates = new LinkedHashMap<>();

	private final Function<String, Reflector<T>> factory;

	private volatile @Nullable Map<String, Reflector<T>> reflectors;

	private volatile Runnable waker = () -> {
	};

	/**
	 * Create an empty set.
	 * @param informer the informer
	 * @param namespaces the namespaces; the empty string for all of them
	 * @param sources returns the {@link ListerWatcher} of a namespace
	 * @param indexer has the cached objects
	 * @param sink accepts the deltas of all reflectors
	 * @param environment the environment of the informer
	 * @param latch is notified of permanent failures
	 */
	ReflectorSet(SharedIndexInformer<T> informer, List<String> namespaces, Function<String, ListerWatcher<T>> sources,
			Indexer<T> indexer, Consumer<Delta<T>> sink, InformerEnvironment environment, SyncLatch latch) {
		InformerState initial = new InformerState(Phase.NOT_STARTED, environment.time().moment(), null, null, null);
		namespaces.forEach((namespace) -> this.initialStates.put(namespace, initial));
		this.factory = (namespace) -> new Reflector<>(new ReflectorSettings(informer, namespace),
				sources.apply(namespace), indexer, sink, environment.time(),
				(event) -> publish(event, environment.listener(), latch));
	}

	/**
	 * Publish an event of a reflector, apart from its stop: the {@link Controller} has
	 * published that of the informer.
	 */
	private void publish(InformerEvent event, InformerListener listener, SyncLatch latch) {
		Phase phase = (event instanceof InformerEvent.StateChanged changed) ? changed.state().phase() : null;
		if (phase != Phase.STOPPED) {
			listener.onEvent(event);
		}
		if (phase == Phase.WATCHING) {
			this.waker.run();
		}
		if (phase == Phase.FAILED) {
			latch.failed(Objects.requireNonNull(((InformerEvent.StateChanged) event).state().failure()));
		}
	}

	/**
	 * Create the reflectors, unless they exist. To be called without a lock, because it
	 * connects. Of two threads that call it at the same time, one wins.
	 */
	List<Reflector<T>> create() {
		if (this.reflectors == null) {
			Map<String, Reflector<T>> created = new LinkedHashMap<>();
			for (String namespace : this.initialStates.keySet()) {
				created.put(namespace, this.factory.apply(namespace));
			}
			set(created);
		}
		return created();
	}

	private synchronized void set(Map<String, Reflector<T>> created) {
		if (this.reflectors == null) {
			this.reflectors = created;
		}
	}

	boolean isCreated() {
		return this.reflectors != null;
	}

	/**
	 * Prepare the reflectors for another run.
	 * @param waker wakes the thread that calls {@link #checkProof()}, so that it computes
	 * {@link #nanosToProof()} again
	 */
	void reset(Runnable waker) {
		this.waker = waker;
		created().forEach(Reflector::reset);
	}

	void stop() {
		created().forEach(Reflector::stop);
	}

	/**
	 * Request a relist of all namespaces.
	 * @return whether no namespace begins a new list, because each joins one
	 */
	boolean relist(RelistReason reason) {
		List<Boolean> begun = created().stream().map((reflector) -> reflector.relist(reason)).toList();
		return !begun.isEmpty() && !begun.contains(true);
	}

	/**
	 * Return the time until {@link #checkProof()} has something to publish.
	 * @return the time in nanoseconds; {@link Long#MAX_VALUE} if it has nothing
	 */
	long nanosToProof() {
		return created().stream().mapToLong(Reflector::nanosToProof).min().orElse(Long.MAX_VALUE);
	}

	/**
	 * Publish the recovery of each reflector whose quiet watch has been open for long
	 * enough.
	 */
	void checkProof() {
		created().forEach(Reflector::checkProof);
	}

	Map<String, InformerState> states() {
		Map<String, InformerState> states = new LinkedHashMap<>(this.initialStates);
		Map<String, Reflector<T>> current = this.reflectors;
		if (current != null) {
			states.replaceAll((namespace, initial) -> Objects.requireNonNull(current.get(namespace)).state());
		}
		return states;
	}

	private static int severity(InformerState state) {
		boolean failing = state.failingSince() != null && state.phase().compareTo(Phase.DORMANT) < 0;
		return failing ? 2 * Phase.DORMANT.ordinal() + 1 : 2 * state.phase().ordinal();
	}

	/**
	 * Return the worst of several states, with the failure that has lasted longest.
	 */
	static InformerState worst(Collection<InformerState> states) {
		InformerState worst = states.stream().max(BEST_FIRST).orElseThrow();
		InformerState longest = states.stream()
			.filter((state) -> state.failingSince() != null)
			.min(Comparator.comparing(InformerState::failingSince))
			.orElse(worst);
		return new InformerState(worst.phase(), worst.since(), longest.failure(), longest.failingSince(),
				worst.nextAttempt());
	}

	/**
	 * Return the time of the last activity of the least active reflector.
	 */
	Optional<Moment> lastActivity() {
		List<Optional<Moment>> activities = created().stream().map(Reflector::lastActivity).toList();
		return activities.stream().allMatch(Optional::isPresent)
				? activities.stream().flatMap(Optional::stream).min(Comparator.naturalOrder()) : Optional.empty();
	}

	Optional<String> encoding() {
		return created().stream().map(Reflector::encoding).flatMap(Optional::stream).findFirst();
	}

	private List<Reflector<T>> created() {
		Map<String, Reflector<T>> current = this.reflectors;
		return (current != null) ? new ArrayList<>(current.values()) : List.of();
	}

}
