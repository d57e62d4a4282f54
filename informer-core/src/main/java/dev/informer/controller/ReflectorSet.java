/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import dev.informer.InformerEvent;
import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ListerWatcher;
import dev.informer.reflector.Reflector;
import dev.informer.reflector.ReflectorListener;
import dev.informer.reflector.ReflectorSettings;
import dev.informer.reflector.ReflectorSink;
import io.kubernetes.client.common.KubernetesObject;

/**
 * The reflectors of an informer, one for each of its namespaces, or one for all. They are
 * made at the first start and stay, so that a restart goes on from the resource versions
 * that were reached. Guarded by the informer.
 *
 * @param <T> the type of the objects
 */
final class ReflectorSet<T extends KubernetesObject> {

	private static final Comparator<InformerState> BEST_FIRST = Comparator.comparing(InformerState::phase)
		.thenComparing((state) -> state.failure() != null);

	private final Map<String, Reflector<T>> reflectors = new LinkedHashMap<>();

	/**
	 * Makes the reflectors.
	 * @param informer whose they are
	 * @param scopes the namespaces; the empty string for all of them
	 * @param sources gives what lists and watches a scope
	 * @param sink accepts the deltas of all reflectors
	 * @param environment gives the time and who hears what happens
	 * @param latch is told when one gives up
	 */
	ReflectorSet(SharedIndexInformer<T> informer, List<String> scopes, Function<String, ListerWatcher<T>> sources,
			ReflectorSink<T> sink, InformerEnvironment environment, SyncLatch latch) {
		for (String scope : scopes) {
			ReflectorSettings settings = new ReflectorSettings(informer.name(), informer.resourceType(), scope,
					informer.options());
			this.reflectors.put(scope, new Reflector<>(settings, sources.apply(scope), sink, environment.time(),
					new Listener(informer, scope, environment.listener(), latch)));
		}
	}

	/**
	 * Prepares for another run.
	 */
	void reset() {
		this.reflectors.values().forEach(Reflector::reset);
	}

	List<Reflector<T>> reflectors() {
		return new ArrayList<>(this.reflectors.values());
	}

	Map<String, InformerState> states() {
		Map<String, InformerState> states = new LinkedHashMap<>();
		this.reflectors.forEach((scope, reflector) -> states.put(scope, reflector.state()));
		return states;
	}

	static InformerState worst(Map<String, InformerState> states) {
		return states.values().stream().max(BEST_FIRST).orElseThrow();
	}

	Optional<Instant> lastActivity() {
		List<Optional<Instant>> activities = this.reflectors.values().stream().map(Reflector::lastActivity).toList();
		return activities.stream().allMatch(Optional::isPresent)
				? activities.stream().flatMap(Optional::stream).min(Comparator.naturalOrder()) : Optional.empty();
	}

	private record Listener(SharedIndexInformer<?> informer, String namespace, InformerListener listener,
			SyncLatch latch) implements ReflectorListener {

		@Override
		public void stateChanged(InformerState state) {
			this.listener.onEvent(new InformerEvent.StateChanged(this.informer, this.namespace, state));
			if (state.phase() == Phase.FAILED) {
				this.latch.failed(Objects.requireNonNull(state.failure()));
			}
		}

		@Override
		public void listed(ListMode mode, Duration time, boolean success) {
			this.listener.onEvent(new InformerEvent.Listed(this.informer, this.namespace, mode, time, success));
		}

		@Override
		public void watchEnded(WatchEnd reason) {
			this.listener.onEvent(new InformerEvent.WatchEnded(this.informer, this.namespace, reason));
		}

		@Override
		public void relisting(RelistReason reason) {
			this.listener.onEvent(new InformerEvent.Relisting(this.informer, this.namespace, reason));
		}

		@Override
		public void failed(InformerFailure failure) {
			this.listener.onEvent(new InformerEvent.Failed(this.informer, this.namespace, failure));
		}

	}

}
