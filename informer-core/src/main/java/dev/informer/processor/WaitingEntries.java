/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.informer.processor.Entry.State;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Objects of a {@link HandlerQueue} with a pending event that is not being delivered. An
 * object is ready, delayed until the retry of a failed delivery, or held because the gate
 * of the handler is closed for its slot. Held objects are kept per slot, so that they
 * cost nothing while others are taken.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the {@link HandlerLock}.
 *
 * @param <T> the type of the objects
 */
final class WaitingEntries<T extends KubernetesObject> {

	private final TreeSet<Entry<T>> ready = new TreeSet<>(
			Comparator.comparingLong((entry) -> entry.pending().position()));

	private final TreeSet<Entry<T>> delayed = new TreeSet<>(Entry::compareDue);

	/** By slot; a slot without objects has no set. */
	private final Map<Integer, Set<Entry<T>>> held = new HashMap<>();

	private final InvocationGate gate;

	private int heldSize;

	WaitingEntries(InvocationGate gate) {
		this.gate = gate;
	}

	/**
	 * Add an object that is ready if the gate is open for its slot.
	 */
	void add(Entry<T> entry) {
		add(entry, State.READY, this.ready);
	}

	/**
	 * Add an object that is delayed if the gate is open for its slot.
	 */
	void addDelayed(Entry<T> entry) {
		add(entry, State.DELAYED, this.delayed);
	}

	private void add(Entry<T> entry, State state, Set<Entry<T>> entries) {
		entry.slot(this.gate.slotOf(entry));
		if (this.gate.isOpen(entry.slot())) {
			entry.state(state);
			entries.add(entry);
		}
		else {
			entry.state(State.HELD);
			this.held.computeIfAbsent(entry.slot(), (slot) -> new HashSet<>()).add(entry);
			this.heldSize++;
		}
	}

	/**
	 * Move an object whose slot has changed with its pending event.
	 */
	void update(Entry<T> entry) {
		if (this.gate.slotOf(entry) != entry.slot()) {
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
			case HELD -> {
				this.held.computeIfPresent(entry.slot(), (slot, entries) -> without(entries, entry));
				this.heldSize--;
			}
			default -> throw new IllegalStateException("The entry is " + entry.state());
		}
		entry.state(State.IDLE);
	}

	private static <E> @Nullable Set<E> without(Set<E> set, E element) {
		set.remove(element);
		return set.isEmpty() ? null : set;
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
	 * Return the objects that are held although the gate is open for their slot now or
	 * their next invocation needs none any more, and those that are not held although it
	 * is closed.
	 * @param slots the slots to check
	 * @return a copy
	 */
	List<Entry<T>> misplaced(Set<Integer> slots) {
		List<Entry<T>> misplaced = new ArrayList<>();
		Set<Integer> closed = new HashSet<>();
		for (Integer slot : slots) {
			if (this.gate.isOpen(slot)) {
				misplaced.addAll(this.held.getOrDefault(slot, Set.of()));
			}
			else {
				closed.add(slot);
				this.held.getOrDefault(slot, Set.of())
					.stream()
					.filter((entry) -> this.gate.slotOf(entry) != slot)
					.forEach(misplaced::add);
			}
		}
		if (!closed.isEmpty()) {
			Stream.concat(this.ready.stream(), this.delayed.stream())
				.filter((entry) -> closed.contains(entry.slot()))
				.forEach(misplaced::add);
		}
		return misplaced;
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
		return this.heldSize;
	}

	void clear() {
		this.ready.clear();
		this.delayed.clear();
		this.held.clear();
		this.heldSize = 0;
	}

}
