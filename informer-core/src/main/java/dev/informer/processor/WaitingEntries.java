/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Access;
import dev.informer.InvocationGate.Target;
import dev.informer.processor.Entry.State;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Objects of a {@link HandlerQueue} with a pending event that is not being delivered. An
 * object is ready, delayed until the retry of a failed delivery, or held because the gate
 * of the handler is closed for it.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the {@link HandlerLock}.
 *
 * @param <T> the type of the objects
 */
final class WaitingEntries<T extends KubernetesObject> {

	private final TreeSet<Entry<T>> ready = new TreeSet<>(
			Comparator.comparingLong((entry) -> entry.pending().position()));

	private final TreeSet<Entry<T>> delayed = new TreeSet<>(Entry::compareDue);

	private final Set<Entry<T>> held = new HashSet<>();

	private final InvocationGate gate;

	WaitingEntries(InvocationGate gate) {
		this.gate = gate;
	}

	/**
	 * Add an object that is ready if the gate is open for it.
	 */
	void add(Entry<T> entry) {
		add(entry, State.READY, this.ready);
	}

	/**
	 * Add an object that is delayed if the gate is open for it.
	 */
	void addDelayed(Entry<T> entry) {
		add(entry, State.DELAYED, this.delayed);
	}

	private void add(Entry<T> entry, State state, Set<Entry<T>> entries) {
		Target target = target(entry);
		Access access = access(target);
		entry.access((access != Access.GONE) ? target : null, access);
		boolean closed = access == Access.CLOSED;
		entry.state(closed ? State.HELD : state);
		(closed ? this.held : entries).add(entry);
	}

	private @Nullable Target target(Entry<T> entry) {
		return (this.gate != InvocationGate.OPEN) ? entry.pending().next(null).target(entry.key()) : null;
	}

	private Access access(@Nullable Target target) {
		return (target != null) ? this.gate.access(target) : Access.OPEN;
	}

	/**
	 * Return whether the place of an object is not the one that its next invocation
	 * needs.
	 */
	private boolean isMisplaced(Entry<T> entry) {
		Target target = target(entry);
		Access access = access(target);
		return access != entry.access() || (access != Access.GONE && !Objects.equals(target, entry.target()));
	}

	/**
	 * Move an object whose next invocation has changed with its pending event.
	 */
	void update(Entry<T> entry) {
		if (isMisplaced(entry)) {
			boolean delay = entry.state() == State.DELAYED;
			remove(entry);
			add(entry, delay ? State.DELAYED : State.READY, delay ? this.delayed : this.ready);
		}
	}

	/**
	 * Remove an object. It keeps its position until then: the sets sort by it.
	 */
	void remove(Entry<T> entry) {
		switch (entry.state()) {
			case READY -> this.ready.remove(entry);
			case DELAYED -> this.delayed.remove(entry);
			case HELD -> this.held.remove(entry);
			default -> throw new IllegalStateException("The entry is " + entry.state());
		}
		entry.state(State.IDLE);
	}

	/**
	 * Make the objects ready whose retry is due.
	 * @param now the current time, in nanoseconds
	 */
	void retryDue(long now) {
		while (!this.delayed.isEmpty() && this.delayed.first().due() - now <= 0) {
			retryNow(this.delayed.first());
		}
	}

	/**
	 * Make a delayed object ready.
	 */
	void retryNow(Entry<T> entry) {
		this.delayed.remove(entry);
		entry.state(State.READY);
		this.ready.add(entry);
	}

	/**
	 * Return the objects that are held although the gate is open for them, and those that
	 * are not held although it is closed.
	 * @return a copy
	 */
	List<Entry<T>> misplaced() {
		return Stream.of(this.held, this.ready, this.delayed).flatMap(Set::stream).filter(this::isMisplaced).toList();
	}

	/**
	 * Return the ready object with the oldest pending event; {@code null} for none.
	 */
	@Nullable Entry<T> firstReady() {
		return this.ready.isEmpty() ? null : this.ready.first();
	}

	/**
	 * Remove the first of the ready objects, of which there is one.
	 */
	Entry<T> takeReady() {
		Entry<T> first = Objects.requireNonNull(this.ready.pollFirst());
		first.state(State.IDLE);
		return first;
	}

	int readySize() {
		return this.ready.size();
	}

	/**
	 * Return the time until the next retry.
	 * @param now the current time, in nanoseconds
	 * @return nanoseconds; {@link Long#MAX_VALUE} for none
	 */
	long nanosToRetry(long now) {
		return this.delayed.isEmpty() ? Long.MAX_VALUE : Math.max(0, this.delayed.first().due() - now);
	}

	/**
	 * Return the delayed objects, the next retry first.
	 * @return a copy
	 */
	List<Entry<T>> delayed() {
		return List.copyOf(this.delayed);
	}

	int delayedSize() {
		return this.delayed.size();
	}

	int heldSize() {
		return this.held.size();
	}

	void clear() {
		this.ready.clear();
		this.delayed.clear();
		this.held.clear();
	}

}
