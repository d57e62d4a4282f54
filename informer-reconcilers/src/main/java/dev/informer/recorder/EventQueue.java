/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Series with unwritten occurrences: those that wait, and the one that is being written.
 * The namespaces of their Events take turns and share the room. Each may use what others
 * do not; if there is no room, one with less than its share takes it from the largest.
 * Guarded by the lock of the {@link DefaultEventRecorder}.
 */
final class EventQueue {

	private final int capacity;

	private final Map<EventSeries.Identity, EventSeries> series = new HashMap<>();

	private final Map<String, Share> shares = new HashMap<>();

	/** Number of series that were taken. */
	private long turns;

	EventQueue(int capacity) {
		this.capacity = capacity;
	}

	@Nullable EventSeries get(EventSeries.Identity identity) {
		return this.series.get(identity);
	}

	/**
	 * Return whether a namespace may add a series, possibly in place of {@link #excess}.
	 */
	boolean admits(String namespace) {
		if (this.series.size() < this.capacity) {
			return true;
		}
		Share share = this.shares.get(namespace);
		return (share != null) ? share.size < this.capacity / this.shares.size()
				: this.capacity / (this.shares.size() + 1) > 0;
	}

	/**
	 * Return the series of the largest namespace that would wait longest, if there is no
	 * room; {@code null} if there is some.
	 */
	@Nullable EventSeries excess() {
		if (this.series.size() < this.capacity) {
			return null;
		}
		Share largest = this.shares.values().stream().max(Comparator.comparingInt((share) -> share.size)).orElseThrow();
		return largest.waiting.last();
	}

	/**
	 * Let a series wait until it is due.
	 */
	void add(EventSeries added) {
		Share share = this.shares.computeIfAbsent(added.namespace(), (namespace) -> new Share());
		share.waiting.add(added);
		try {
			if (this.series.put(added.identity(), added) == null) {
				share.size++;
			}
		}
		catch (Throwable ex) {
			// without memory, the caller fails, and nothing is left
			share.waiting.remove(added);
			throw ex;
		}
	}

	/**
	 * Remove a series, which waits or was taken.
	 */
	void remove(EventSeries removed) {
		Share share = Objects.requireNonNull(this.shares.get(removed.namespace()));
		share.waiting.remove(removed);
		this.series.remove(removed.identity());
		share.size--;
		if (share.size == 0) {
			this.shares.remove(removed.namespace());
		}
	}

	/**
	 * Take a series that is due, of the namespace whose turn was longest ago.
	 */
	EventSeries take(long now) {
		Share next = this.shares.values()
			.stream()
			.filter((share) -> share.nanosToNext(now) <= 0)
			.min(Comparator.comparingLong((share) -> share.turn))
			.orElseThrow();
		next.turn = ++this.turns;
		return Objects.requireNonNull(next.waiting.pollFirst());
	}

	/**
	 * Return the time until a series is due; {@link Long#MAX_VALUE} if none waits.
	 */
	long nanosToNext(long now) {
		return this.shares.values().stream().mapToLong((share) -> share.nanosToNext(now)).min().orElse(Long.MAX_VALUE);
	}

	/**
	 * Return whether no series waits.
	 */
	boolean isEmpty() {
		return this.shares.values().stream().allMatch((share) -> share.waiting.isEmpty());
	}

	/**
	 * Return the series that wait.
	 */
	List<EventSeries> waiting() {
		List<EventSeries> waiting = new ArrayList<>();
		this.shares.values().forEach((share) -> waiting.addAll(share.waiting));
		return waiting;
	}

	/**
	 * Set when a series is due.
	 */
	void reschedule(EventSeries waiting, long due) {
		TreeSet<EventSeries> all = Objects.requireNonNull(this.shares.get(waiting.namespace())).waiting;
		all.remove(waiting);
		waiting.due(due);
		all.add(waiting);
	}

	/**
	 * Series of one namespace.
	 */
	private static final class Share {

		private final TreeSet<EventSeries> waiting = new TreeSet<>(EventSeries.BY_DUE);

		/** Number of those that wait or are being written. */
		private int size;

		private long turn;

		long nanosToNext(long now) {
			return this.waiting.isEmpty() ? Long.MAX_VALUE : this.waiting.first().due() - now;
		}

	}

}
