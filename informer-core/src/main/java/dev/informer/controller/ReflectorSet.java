/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ObjectTransform;
import dev.informer.cache.DeltaFifo;
import dev.informer.client.Moment;
import dev.informer.reflector.Reflector;
import dev.informer.reflector.ReflectorFactory;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Reflectors of an informer, one for each of its namespaces, or one for all namespaces.
 * They are created at the first start, which connects to the cluster, and kept, so that a
 * restart resumes at the resource versions that were reached. With an {@link Assignment},
 * they are created when their namespaces join and closed when these leave.
 * <p>
 * <b>Concurrency.</b> Reset and stop are ordered by the {@link Run}s. One thread at a
 * time assigns namespaces, that of the store; all other methods may be called by any
 * thread. A reflector ends in three steps: its deltas are refused, those that are queued
 * are dropped, and its requests are cancelled. So none of its deltas reaches the store
 * after its namespace has left, also if the namespace has joined again.
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

	private final ReflectorFactory<T> factory;

	private final TransformingSink<T> sink;

	private final InformerReporter reporter;

	/** By namespace; {@code null} before the first start. */
	private volatile @Nullable Map<String, Member<T>> members;

	private volatile @Nullable Omission omission;

	/** Queue of the current run; {@code null} before the first one. */
	private volatile @Nullable DeltaFifo<T> fifo;

	/**
	 * Create an empty set.
	 * @param namespaces the fixed namespaces; the empty string for all of them
	 * @param initial their state before the first start
	 */
	ReflectorSet(List<String> namespaces, InformerState initial, ReflectorFactory<T> factory, TransformingSink<T> sink,
			InformerReporter reporter) {
		namespaces.forEach((namespace) -> this.initialStates.put(namespace, initial));
		this.factory = factory;
		this.sink = sink;
		this.reporter = reporter;
	}

	/**
	 * Set the transform, which no cached object may have missed.
	 * @throws IllegalStateException if the informer was started or has a transform
	 */
	synchronized void setTransform(ObjectTransform<T> transform) {
		if (this.members != null) {
			throw new IllegalStateException("Cannot set the transform: informer '" + this.reporter.name()
					+ "' was started already, so its cache has untransformed objects. Set the transform first.");
		}
		if (!this.sink.set(transform)) {
			throw new IllegalStateException("Cannot set the transform: informer '" + this.reporter.name()
					+ "' has a transform already. Create another informer with another name.");
		}
	}

	private Member<T> create(String namespace) {
		AtomicBoolean ended = new AtomicBoolean();
		Reflector<T> reflector = this.factory.create(namespace, this.sink.isTransforming(),
				(delta) -> this.sink.accept(delta, fifo(), () -> !ended.get()), (event) -> {
					if (!ended.get()) {
						publish(event);
					}
				});
		return new Member<>(reflector, ended);
	}

	/**
	 * Publish an event of a reflector, apart from its stop: that of the informer has been
	 * published.
	 */
	private void publish(InformerEvent event) {
		InformerState state = (event instanceof InformerEvent.StateChanged changed) ? changed.state() : null;
		if (state == null || state.phase() != Phase.STOPPED) {
			this.reporter.publish(event);
		}
		if (state != null && (state.phase() == Phase.WATCHING || isRefused(state))) {
			fifo().nudge();
		}
		if (state != null && state.phase() == Phase.FAILED) {
			this.reporter.failedPermanently(Objects.requireNonNull(state.failure()));
		}
	}

	private DeltaFifo<T> fifo() {
		return Objects.requireNonNull(this.fifo);
	}

	/**
	 * Return whether permissions are missing.
	 */
	static boolean isRefused(InformerState state) {
		return state.failure() != null && state.failure().kind() == Kind.FORBIDDEN;
	}

	/**
	 * Return the namespaces that are known before the first start.
	 */
	Set<String> fixedNamespaces() {
		return this.initialStates.keySet();
	}

	/**
	 * Create the reflectors of the fixed namespaces, unless they exist. To be called
	 * without a lock, because it connects. Of two threads that call it at the same time,
	 * one wins.
	 */
	void create() {
		if (this.members == null) {
			Map<String, Member<T>> created = new LinkedHashMap<>();
			for (String namespace : this.initialStates.keySet()) {
				created.put(namespace, create(namespace));
			}
			set(created);
		}
	}

	private synchronized void set(Map<String, Member<T>> created) {
		if (this.members == null) {
			this.members = created;
		}
	}

	/**
	 * Set the namespaces. Reflectors of others end and are returned. The first deltas of
	 * those that are created come behind the {@link dev.informer.cache.Delta.Assigned} of
	 * the namespaces.
	 */
	List<Reflector<T>> assign(Set<String> namespaces, @Nullable Omission omission) {
		Map<String, Member<T>> before = Objects.requireNonNull(this.members);
		Map<String, Member<T>> next = new LinkedHashMap<>();
		for (String namespace : namespaces) {
			Member<T> known = before.get(namespace);
			next.put(namespace, (known != null) ? known : create(namespace));
		}
		List<Member<T>> leaving = before.entrySet()
			.stream()
			.filter((entry) -> !next.containsKey(entry.getKey()))
			.map(Map.Entry::getValue)
			.toList();
		leaving.forEach((member) -> member.ended().set(true));
		this.members = next;
		this.omission = omission;
		fifo().assign(namespaces);
		leaving.forEach((member) -> member.reflector().close());
		return leaving.stream().map(Member::reflector).toList();
	}

	/**
	 * Return the namespaces that are not watched, although they match; {@code null} if
	 * all are watched.
	 */
	@Nullable Omission omission() {
		return this.omission;
	}

	/**
	 * Complete the sync of the queue without the namespaces in which permissions are
	 * missing.
	 */
	void excuseRefused() {
		if (!fifo().hasSynced()) {
			fifo().excuse(states().entrySet()
				.stream()
				.filter((entry) -> isRefused(entry.getValue()))
				.map(Map.Entry::getKey)
				.collect(Collectors.toSet()));
		}
	}

	/**
	 * Prepare the reflectors for another run.
	 */
	void reset(DeltaFifo<T> fifo) {
		this.fifo = fifo;
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
	 * Let reflectors without a watch list before their interval is over.
	 * @param namespace the namespace whose reflector counts; {@code null} for all
	 * @return whether lists that began after this wait for the store, or are applied
	 */
	BooleanSupplier poll(@Nullable String namespace) {
		List<BooleanSupplier> lists = responsible(namespace)
			.map((reflector) -> reflector.poll(this.reporter::cacheChanged))
			.toList();
		return () -> lists.stream().allMatch(BooleanSupplier::getAsBoolean);
	}

	private Stream<Reflector<T>> responsible(@Nullable String namespace) {
		return created().stream()
			.filter((reflector) -> namespace == null || reflector.namespace().isEmpty()
					|| reflector.namespace().equals(namespace));
	}

	/**
	 * Publish the recovery of each reflector whose quiet watch has been open for long
	 * enough, end the watches whose objects have to be listed or compared, and return the
	 * nanoseconds until there may be more to do.
	 */
	long superviseWatches() {
		Map<String, Member<T>> current = this.members;
		// called for each batch, so without the garbage of a stream
		long soonest = Long.MAX_VALUE;
		for (Member<T> member : (current != null) ? current.values() : List.<Member<T>>of()) {
			soonest = Math.min(soonest, member.reflector().superviseWatch());
		}
		return soonest;
	}

	/**
	 * Return whether each reflector is {@linkplain Reflector#isVerified() verified}, so
	 * that the versions of cache and server are comparable.
	 */
	boolean isVerified() {
		return created().stream().allMatch(Reflector::isVerified);
	}

	/**
	 * Return whether each reflector is verified, apart from those that are excused.
	 * @param namespace the namespace whose reflector counts; {@code null} for all
	 */
	boolean isFollowing(@Nullable String namespace, Predicate<Reflector<T>> excused) {
		return responsible(namespace).allMatch((reflector) -> reflector.isVerified() || excused.test(reflector));
	}

	Map<String, InformerState> states() {
		Map<String, Member<T>> current = this.members;
		if (current == null) {
			return new LinkedHashMap<>(this.initialStates);
		}
		Map<String, InformerState> states = new LinkedHashMap<>();
		current.forEach((namespace, member) -> states.put(namespace, member.reflector().state()));
		return states;
	}

	/**
	 * Return the reflector of a namespace; {@code null} if there is none.
	 */
	@Nullable Reflector<T> find(String namespace) {
		Map<String, Member<T>> current = this.members;
		Member<T> member = (current != null) ? current.get(namespace) : null;
		return (member != null) ? member.reflector() : null;
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
	 * Return the times of the last activities of the reflectors.
	 */
	List<Optional<Moment>> lastActivities() {
		return created().stream().map(Reflector::lastActivity).toList();
	}

	Optional<String> encoding() {
		return created().stream().map(Reflector::encoding).flatMap(Optional::stream).findFirst();
	}

	/**
	 * Return the reflectors, in the order of their namespaces.
	 */
	List<Reflector<T>> created() {
		Map<String, Member<T>> current = this.members;
		return (current != null) ? current.values().stream().map(Member::reflector).toList() : List.of();
	}

	/**
	 * Namespaces that are not watched, because there are too many.
	 *
	 * @param since the time since when there are too many
	 */
	record Omission(Set<String> namespaces, InformerFailure failure, Moment since) {

	}

	/**
	 * Reflector of a namespace.
	 *
	 * @param ended whether the namespace has left
	 */
	private record Member<T extends KubernetesObject>(Reflector<T> reflector, AtomicBoolean ended) {
	}

}
