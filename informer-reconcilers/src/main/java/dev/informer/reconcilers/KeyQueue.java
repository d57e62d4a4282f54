/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.informer.InvocationGate.Access;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.reconcilers.ReconcilerRegistration.Counts;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the keys of the primary objects that a reconciler is to be called for. A key
 * waits for a call or is in one; a trigger during a call makes it wait again. The call
 * begins as soon as a trigger, the retry of the last call, or the delay that it returned
 * permits it, but not before the minimum interval since the last call is over, the caches
 * have what earlier calls have written, and the gate is open.
 * <p>
 * Keys that wait because of a change come before those of an initial list or a resync, of
 * which each {@value #LOW_SHARE}th call takes the oldest one. A key is kept while there
 * is anything to know about it.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the lock of
 * {@link DefaultReconcilerRegistration}.
 */
final class KeyQueue {

	private static final int LOW_SHARE = 10;

	/** The first wait for a write; most events arrive within it. */
	private static final long MIN_POLL = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long MAX_POLL = TimeUnit.MILLISECONDS.toNanos(200);

	private static final Set<Trigger> LOW = EnumSet.of(Trigger.INITIAL_LIST, Trigger.RESYNC);

	private final long minInterval;

	private final Function<String, Access> gate;

	private final Map<String, Entry> entries = new HashMap<>();

	private final Set<Entry> high = new LinkedHashSet<>();

	private final Set<Entry> low = new LinkedHashSet<>();

	/** Keys whose writes are to be looked up at the server. */
	private final Set<Entry> probes = new LinkedHashSet<>();

	private final Set<Entry> gated = new LinkedHashSet<>();

	private final TreeSet<Entry> delayed = new TreeSet<>(Entry::compareDue);

	private boolean paused;

	private long calls;

	/**
	 * Create a queue without keys. The function is the access of a key at the gate.
	 */
	KeyQueue(long minIntervalNanos, Function<String, Access> gate) {
		this.minInterval = minIntervalNanos;
		this.gate = gate;
	}

	void setPaused(boolean paused) {
		this.paused = paused;
	}

	/**
	 * Let a key wait for a call.
	 */
	void trigger(String key, Trigger trigger, long now) {
		Entry entry = this.entries.computeIfAbsent(key, Entry::new);
		entry.triggers.add(trigger);
		entry.waiting = true;
		entry.urgent |= !LOW.contains(trigger);
		place(entry, now);
	}

	/**
	 * Forget a key whose object was deleted, apart from what was written for it.
	 */
	void deleted(String key, long now) {
		Entry entry = this.entries.get(key);
		if (entry != null) {
			entry.waiting = false;
			entry.urgent = false;
			entry.triggers.clear();
			if (!entry.isTaken()) {
				entry.retry = null;
				ended(entry, now);
			}
		}
	}

	/**
	 * Take the next key that is to be called or probed. {@link #succeeded},
	 * {@link #failed}, {@link #putBack}, {@link #ended} or {@link #probed} has to follow.
	 */
	@Nullable Entry take(long now) {
		wake(now);
		if (this.paused) {
			return null;
		}
		Entry entry = first(this.probes);
		if (entry != null) {
			displace(entry);
			entry.place = Place.PROBING;
			return entry;
		}
		boolean lowFirst = this.high.isEmpty() || (this.calls + 1) % LOW_SHARE == 0;
		entry = first((lowFirst && !this.low.isEmpty()) ? this.low : this.high);
		if (entry != null) {
			this.calls++;
			displace(entry);
			begin(entry, now);
		}
		return entry;
	}

	private static void begin(Entry entry, long now) {
		entry.place = Place.RUNNING;
		entry.heldFor = entry.held ? now - entry.heldSince : 0;
		entry.held = false;
		entry.begun = entry.triggers;
		entry.begunUrgent = entry.urgent;
		entry.triggers = EnumSet.noneOf(Trigger.class);
		entry.waiting = false;
		entry.urgent = false;
		entry.retry = null;
		entry.lastCall = now;
	}

	/**
	 * End a call that has succeeded.
	 * @param delay the nanoseconds until the next call; {@code null} for none
	 */
	void succeeded(Entry entry, @Nullable Long delay, List<? extends Hold> writes, long now) {
		entry.failures = 0;
		entry.delay = (delay != null) ? now + delay : null;
		end(entry, writes, now);
	}

	/**
	 * End a call that has failed.
	 * @param retry the nanoseconds until the retry; {@code null} for none
	 */
	void failed(Entry entry, @Nullable Long retry, List<? extends Hold> writes, long now) {
		entry.failures++;
		entry.triggers.addAll(entry.begun);
		entry.retry = (retry != null) ? now + retry : null;
		end(entry, writes, now);
	}

	/**
	 * End a call that has not begun or is repeated without a failure.
	 */
	void putBack(Entry entry, List<? extends Hold> writes, long now) {
		entry.triggers.addAll(entry.begun);
		entry.waiting = true;
		entry.urgent |= entry.begunUrgent;
		end(entry, writes, now);
	}

	/**
	 * End a key whose object does not exist any more, or needs no call. A trigger since
	 * it was taken may be that of a successor.
	 */
	void ended(Entry entry, long now) {
		entry.failures = 0;
		entry.delay = null;
		end(entry, List.of(), now);
	}

	void probed(Entry entry, long now) {
		end(entry, List.of(), now);
	}

	private void end(Entry entry, List<? extends Hold> writes, long now) {
		entry.writes.addAll(writes);
		entry.polls = 0;
		displace(entry);
		place(entry, now);
	}

	/**
	 * Place the keys again for which the gate may have changed.
	 */
	void gateChanged(long now) {
		List<Entry> affected = new ArrayList<>(this.gated);
		affected.addAll(this.high);
		affected.addAll(this.low);
		affected.forEach((entry) -> place(entry, now));
	}

	/** Put a key where it belongs, unless it is in a call. */
	private void place(Entry entry, long now) {
		if (entry.isTaken()) {
			return;
		}
		displace(entry);
		if (isDue(entry.delay, now)) {
			entry.delay = null;
			entry.triggers.add(Trigger.DELAY);
			entry.waiting = true;
			entry.urgent = true;
		}
		if (isDue(entry.retry, now)) {
			entry.retry = null;
			entry.waiting = true;
			entry.urgent = true;
		}
		entry.writes.removeIf(Hold::isReached);
		Long limited = (entry.lastCall != null) ? entry.lastCall + this.minInterval : null;
		if (!entry.writes.isEmpty()) {
			hold(entry, now);
		}
		else if (entry.waiting) {
			if (limited != null && !isDue(limited, now)) {
				delay(entry, limited);
			}
			else {
				admit(entry, now);
			}
		}
		else if (entry.delay != null || entry.retry != null) {
			delay(entry, earliest(entry));
		}
		else if (limited != null && !isDue(limited, now)) {
			delay(entry, limited);
		}
		else if (entry.failures == 0) {
			this.entries.remove(entry.key);
		}
	}

	private static boolean isDue(@Nullable Long time, long now) {
		return time != null && time - now <= 0;
	}

	private static long earliest(Entry entry) {
		Long delay = entry.delay;
		Long retry = entry.retry;
		if (delay == null || retry == null) {
			return Objects.requireNonNull((delay != null) ? delay : retry);
		}
		return (delay - retry < 0) ? delay : retry;
	}

	private void hold(Entry entry, long now) {
		if (entry.waiting && !entry.held) {
			entry.held = true;
			entry.heldSince = now;
		}
		if (entry.writes.stream().anyMatch((write) -> write.isProbeDue(now))) {
			put(entry, Place.PROBE);
		}
		else {
			delay(entry, now + Math.min(MIN_POLL << Math.min(entry.polls++, 20), MAX_POLL));
		}
	}

	private void admit(Entry entry, long now) {
		switch (this.gate.apply(entry.key)) {
			case OPEN -> put(entry, entry.urgent ? Place.HIGH : Place.LOW);
			case CLOSED -> put(entry, Place.GATED);
			case GONE -> deleted(entry.key, now);
		}
	}

	private void delay(Entry entry, long due) {
		entry.due = due;
		put(entry, Place.DELAYED);
	}

	private void put(Entry entry, Place place) {
		entry.place = place;
		placed(place).add(entry);
	}

	private void displace(Entry entry) {
		if (!entry.isTaken() && entry.place != Place.NONE) {
			placed(entry.place).remove(entry);
		}
		entry.place = Place.NONE;
	}

	private Set<Entry> placed(Place place) {
		return switch (place) {
			case HIGH -> this.high;
			case LOW -> this.low;
			case PROBE -> this.probes;
			case GATED -> this.gated;
			case DELAYED -> this.delayed;
			default -> throw new IllegalStateException("A key is " + place);
		};
	}

	private static @Nullable Entry first(Set<Entry> entries) {
		return entries.isEmpty() ? null : entries.iterator().next();
	}

	private void wake(long now) {
		while (!this.delayed.isEmpty() && this.delayed.first().due - now <= 0) {
			place(this.delayed.first(), now);
		}
	}

	/**
	 * Return the nanoseconds until {@link #take} may return a key, {@link Long#MAX_VALUE}
	 * without one.
	 */
	long nanosToNext(long now) {
		if (this.paused) {
			return Long.MAX_VALUE;
		}
		if (!this.high.isEmpty() || !this.low.isEmpty() || !this.probes.isEmpty()) {
			return 0;
		}
		return this.delayed.isEmpty() ? Long.MAX_VALUE : Math.max(0, this.delayed.first().due - now);
	}

	@Nullable Entry find(String key) {
		return this.entries.get(key);
	}

	/**
	 * Return whether there is nothing to do before a delay that a call has returned.
	 */
	boolean isIdle() {
		return this.entries.values()
			.stream()
			.noneMatch((entry) -> entry.waiting || entry.retry != null || !entry.writes.isEmpty() || entry.isTaken());
	}

	Counts counts() {
		int limited = 0;
		int held = 0;
		int retrying = 0;
		int scheduled = 0;
		int active = 0;
		for (Entry entry : this.entries.values()) {
			boolean holding = entry.waiting && !entry.writes.isEmpty() && entry.place != Place.RUNNING;
			held += holding ? 1 : 0;
			limited += (entry.waiting && !holding && entry.place == Place.DELAYED) ? 1 : 0;
			retrying += (entry.failures > 0) ? 1 : 0;
			scheduled += (entry.delay != null) ? 1 : 0;
			active += (entry.place == Place.RUNNING) ? 1 : 0;
		}
		return new Counts(this.high.size() + this.low.size(), active, held, limited, this.gated.size(), retrying,
				scheduled);
	}

	/**
	 * Return the keys in a call.
	 */
	Set<String> running() {
		Set<String> running = new HashSet<>();
		this.entries.values()
			.stream()
			.filter((entry) -> entry.place == Place.RUNNING)
			.forEach((entry) -> running.add(entry.key));
		return running;
	}

	/**
	 * Places of a key.
	 */
	enum Place {

		NONE, HIGH, LOW, PROBE, GATED, DELAYED, RUNNING, PROBING

	}

	/**
	 * Write that the caches may not have yet.
	 */
	interface Hold {

		/**
		 * Return whether the caches have it.
		 */
		boolean isReached();

		/**
		 * Return whether it takes so long that it is to be looked up at the server.
		 */
		boolean isProbeDue(long now);

	}

	/**
	 * What is known about a key.
	 */
	static final class Entry {

		final String key;

		/** Since the begin of the call, or the last success. */
		private Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);

		private Set<Trigger> begun = Set.of();

		private boolean begunUrgent;

		private boolean waiting;

		private boolean urgent;

		private int failures;

		private @Nullable Long delay;

		private @Nullable Long retry;

		private @Nullable Long lastCall;

		private final List<Hold> writes = new ArrayList<>();

		private int polls;

		private boolean held;

		private long heldSince;

		private long heldFor;

		private Place place = Place.NONE;

		private long due;

		Entry(String key) {
			this.key = key;
		}

		private int compareDue(Entry other) {
			return (this.due != other.due) ? Long.signum(this.due - other.due) : this.key.compareTo(other.key);
		}

		Set<Trigger> triggers() {
			return this.begun;
		}

		int failures() {
			return this.failures;
		}

		long heldNanos() {
			return this.heldFor;
		}

		Place place() {
			return this.place;
		}

		boolean isWaiting() {
			return this.waiting;
		}

		/**
		 * Return the time of the next attempt; {@code null} if it is not known.
		 */
		@Nullable Long due() {
			return (this.delay != null || this.retry != null) ? earliest(this) : null;
		}

		boolean isRetrying() {
			return this.retry != null;
		}

		List<Hold> writes() {
			return List.copyOf(this.writes);
		}

		boolean isTaken() {
			return this.place == Place.RUNNING || this.place == Place.PROBING;
		}

		boolean isProbing() {
			return this.place == Place.PROBING;
		}

	}

}
