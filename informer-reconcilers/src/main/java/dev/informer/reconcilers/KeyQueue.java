/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.informer.InvocationGate.Access;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.CallResult.Kind;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.reconcilers.ReconcilerRegistration.Counts;
import dev.informer.work.WorkerThreads;
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
 * <b>Concurrency.</b> Not thread-safe; guarded by the lock of {@link WorkerThreads}.
 */
final class KeyQueue {

	private static final int LOW_SHARE = 10;

	/** The first wait for a write; most events arrive within it. */
	private static final long MIN_POLL = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long MAX_POLL = TimeUnit.MILLISECONDS.toNanos(200);

	/** Time after which a gate that throws is asked again. */
	static final Duration GATE_RETRY = Duration.ofSeconds(1);

	/** Time between two reports of a loop. */
	private static final long LOOP_REPORT = TimeSource.nanos(Duration.ofHours(1));

	/** Time between two look-ups, so that one is for many keys. */
	private static final long LOOK_UP_INTERVAL = TimeUnit.MILLISECONDS.toNanos(500);

	private static final Set<Trigger> LOW = EnumSet.of(Trigger.INITIAL_LIST, Trigger.RESYNC);

	private final long minInterval;

	private final Function<String, @Nullable Access> gate;

	private final Map<String, Entry> entries = new HashMap<>();

	private final Map<Place, Set<Entry>> places = new EnumMap<>(Place.class);

	private final TreeSet<Entry> timers = new TreeSet<>(Entry::compareDue);

	/** Number of the keys with each property, so that none of them is a search. */
	private final Map<Property, Integer> numbers = new EnumMap<>(Property.class);

	/** Keys whose last call has failed, those that are not repeated first. */
	private final TreeSet<Entry> failing = new TreeSet<>(
			Comparator.comparing((Entry entry) -> !entry.counted.contains(Property.FAILED))
				.thenComparing((entry) -> entry.key));

	/** Keys with writes to look up. */
	private final Set<Entry> lookUps = new LinkedHashSet<>();

	private boolean lookingUp;

	private @Nullable Long nextLookUp;

	private @Nullable Long nextLoopReport;

	private boolean paused;

	private boolean closed;

	private long calls;

	/**
	 * Create a queue without keys.
	 * @param gate returns the access of a key at the gate; {@code null} if the gate has
	 * thrown, which keeps neither this key nor others from a call
	 */
	KeyQueue(long minIntervalNanos, Function<String, @Nullable Access> gate) {
		this.minInterval = minIntervalNanos;
		this.gate = gate;
		for (Place place : Place.values()) {
			this.places.put(place, new LinkedHashSet<>());
		}
	}

	void setPaused(boolean paused) {
		this.paused = paused;
	}

	/**
	 * Set whether the gate is closed for all keys, which are gated then.
	 */
	void setClosed(boolean closed) {
		this.closed = closed;
	}

	/**
	 * Return whether no key may be called.
	 */
	boolean isPaused() {
		return this.paused || this.closed;
	}

	/**
	 * Let a key wait for a call.
	 */
	void trigger(String key, Trigger trigger, long now) {
		Entry entry = this.entries.computeIfAbsent(key, Entry::new);
		entry.triggers.add(trigger);
		entry.waiting = true;
		entry.deleted = false;
		place(entry, now);
	}

	/**
	 * Forget a key whose object was deleted, apart from what was written for it.
	 */
	void deleted(String key, long now) {
		Entry entry = this.entries.get(key);
		if (entry != null) {
			entry.deleted = true;
			place(entry, now);
		}
	}

	/**
	 * Take the writes that are to be looked up, of all keys. {@link #lookedUp} has to
	 * follow.
	 */
	List<Hold> takeLookUps(long now) {
		wake(now);
		// one at a time, so that a server that hangs keeps one thread
		if (isPaused() || !isLookUpDue(now)) {
			return List.of();
		}
		List<Hold> due = new ArrayList<>();
		for (Entry entry : this.lookUps) {
			entry.writes.stream().filter((write) -> write.isLookUpDue(now)).forEach(due::add);
		}
		this.lookUps.clear();
		this.lookingUp = !due.isEmpty();
		return due;
	}

	/**
	 * Place the keys again whose writes may have been looked up.
	 */
	void lookedUp(long now) {
		this.lookingUp = false;
		this.nextLookUp = now + LOOK_UP_INTERVAL;
		List.copyOf(placed(Place.HELD)).forEach((entry) -> place(entry, now));
	}

	/**
	 * Take the next key that is to be called. {@link #end} has to follow.
	 */
	@Nullable Entry take(long now) {
		wake(now);
		if (isPaused()) {
			return null;
		}
		Entry high = first(Place.HIGH);
		Entry low = first(Place.LOW);
		boolean lowFirst = high == null || (this.calls + 1) % LOW_SHARE == 0;
		Entry entry = (lowFirst && low != null) ? low : high;
		if (entry != null) {
			this.calls++;
			begin(entry, now);
		}
		return entry;
	}

	private void begin(Entry entry, long now) {
		move(entry, Place.RUNNING, null);
		entry.noteDue(now);
		entry.begun = entry.triggers;
		entry.failures = entry.givenUp ? 0 : entry.failures;
		entry.failing &= !entry.givenUp;
		entry.givenUp = false;
		entry.triggers = EnumSet.noneOf(Trigger.class);
		entry.waiting = false;
		entry.retry = null;
		entry.lastCall = now;
		entry.loop.called(now);
		count(entry);
	}

	/**
	 * End what was done for a key that was taken. A trigger since then may be that of a
	 * successor of the object.
	 */
	void end(Entry entry, CallResult result, long now) {
		entry.end(result, now);
		entry.loop.ended(result, this.minInterval);
		move(entry, Place.NONE, null);
		place(entry, now);
	}

	/**
	 * Place the keys again for which the gate may have changed.
	 */
	void gateChanged(long now) {
		List<Entry> affected = new ArrayList<>(placed(Place.GATED));
		affected.addAll(placed(Place.HIGH));
		affected.addAll(placed(Place.LOW));
		affected.forEach((entry) -> place(entry, now));
	}

	/** Put a key where it belongs, unless it is in a call. */
	private void place(Entry entry, long now) {
		replace(entry, now);
		count(entry);
	}

	private void replace(Entry entry, long now) {
		if (entry.place == Place.RUNNING) {
			return;
		}
		if (entry.deleted) {
			entry.forget();
		}
		entry.noteDue(now);
		entry.releaseWrites();
		Long limited = (entry.lastCall != null) ? entry.lastCall + this.minInterval : null;
		if (!entry.writes.isEmpty()) {
			hold(entry, now);
			return;
		}
		this.lookUps.remove(entry);
		if (entry.held) {
			entry.held = false;
			entry.heldFor = now - entry.heldSince;
		}
		if (entry.waiting && (limited == null || isDue(limited, now))) {
			admit(entry, now);
		}
		else if (!entry.waiting && (entry.delay != null || entry.retry != null)) {
			move(entry, Place.DELAYED, earliest(entry));
		}
		else if (limited != null && !isDue(limited, now)) {
			move(entry, Place.DELAYED, limited);
		}
		else {
			Long loopEnd = entry.loop.idle(now);
			move(entry, Place.NONE, loopEnd);
			if (entry.failures == 0 && loopEnd == null) {
				this.entries.remove(entry.key);
			}
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
		if (entry.writes.stream().anyMatch((write) -> write.isLookUpDue(now))) {
			this.lookUps.add(entry);
		}
		move(entry, Place.HELD, now + Math.min(MIN_POLL << Math.min(entry.polls++, 20), MAX_POLL));
	}

	private void admit(Entry entry, long now) {
		Access access = this.gate.apply(entry.key);
		if (access == null) {
			move(entry, Place.GATED, now + TimeSource.nanos(GATE_RETRY));
			return;
		}
		switch (access) {
			case OPEN -> {
				boolean low = LOW.containsAll(entry.triggers);
				// its delay makes it a key of the high level
				move(entry, low ? Place.LOW : Place.HIGH, low ? entry.delay : null);
			}
			case CLOSED -> move(entry, Place.GATED, null);
			case GONE -> deleted(entry.key, now);
		}
	}

	/** Move a key to a place, unless it is there, and let it be placed again when due. */
	private void move(Entry entry, Place place, @Nullable Long due) {
		this.timers.remove(entry);
		if (due != null) {
			entry.due = due;
			this.timers.add(entry);
		}
		if (entry.place != place) {
			placed(entry.place).remove(entry);
			entry.place = place;
			// a key without a place may be forgotten
			if (place != Place.NONE) {
				placed(place).add(entry);
			}
		}
	}

	private Set<Entry> placed(Place place) {
		return Objects.requireNonNull(this.places.get(place));
	}

	private @Nullable Entry first(Place place) {
		Set<Entry> entries = placed(place);
		return entries.isEmpty() ? null : entries.iterator().next();
	}

	private void wake(long now) {
		while (!this.timers.isEmpty() && this.timers.first().due - now <= 0) {
			place(this.timers.first(), now);
		}
	}

	/**
	 * Return the nanoseconds until {@link #take} may return a key, {@link Long#MAX_VALUE}
	 * without one.
	 */
	long nanosToNext(long now) {
		if (isPaused()) {
			return Long.MAX_VALUE;
		}
		if (!placed(Place.HIGH).isEmpty() || !placed(Place.LOW).isEmpty() || isLookUpDue(now)) {
			return 0;
		}
		return this.timers.isEmpty() ? Long.MAX_VALUE : Math.max(0, this.timers.first().due - now);
	}

	/**
	 * Return the number of idle threads that the queue needs: one for each key that can
	 * be taken, and one that waits for the next one.
	 */
	int threadsNeeded() {
		if (isPaused()) {
			return 0;
		}
		return placed(Place.HIGH).size() + placed(Place.LOW).size() + (this.lookUps.isEmpty() ? 0 : 1)
				+ Math.min(1, this.timers.size());
	}

	/** A key with writes to look up has a timer. */
	private boolean isLookUpDue(long now) {
		return !this.lookingUp && !this.lookUps.isEmpty() && (this.nextLookUp == null || isDue(this.nextLookUp, now));
	}

	@Nullable Entry find(String key) {
		return this.entries.get(key);
	}

	/**
	 * Return whether there is nothing to do before the gate opens, or a delay that a call
	 * has returned is over.
	 */
	boolean isIdle() {
		return number(Property.BUSY) - (this.closed ? ready() : 0) == 0;
	}

	/** Count a key again after a change. */
	private void count(Entry entry) {
		Set<Property> properties = entry.properties();
		if (!properties.equals(entry.counted)) {
			this.failing.remove(entry);
			entry.counted.forEach((property) -> this.numbers.merge(property, -1, Integer::sum));
			properties.forEach((property) -> this.numbers.merge(property, 1, Integer::sum));
			entry.counted = properties;
			if (entry.failing) {
				this.failing.add(entry);
			}
		}
	}

	private int number(Property property) {
		return this.numbers.getOrDefault(property, 0);
	}

	Counts counts() {
		int gated = placed(Place.GATED).size() + (this.closed ? ready() : 0);
		return new Counts(this.closed ? 0 : ready(), placed(Place.RUNNING).size(), number(Property.HELD),
				number(Property.LIMITED), gated, number(Property.RETRYING), number(Property.SCHEDULED),
				number(Property.FAILED));
	}

	/**
	 * Return the number of the keys whose calls seem to cause each other.
	 */
	int looping() {
		return number(Property.LOOPING);
	}

	/**
	 * Return the loop of a key in a call, if it is to be reported: one per hour.
	 */
	@Nullable String reportLoop(Entry entry, long now) {
		boolean due = entry.loop.isLong() && (this.nextLoopReport == null || isDue(this.nextLoopReport, now));
		this.nextLoopReport = due ? Long.valueOf(now + LOOP_REPORT) : this.nextLoopReport;
		return due ? entry.loop.toString() : null;
	}

	/**
	 * Return whether a key waits for the gate.
	 */
	boolean isGated(Entry entry) {
		return entry.place == Place.GATED || (this.closed && (entry.place == Place.HIGH || entry.place == Place.LOW));
	}

	private int ready() {
		return placed(Place.HIGH).size() + placed(Place.LOW).size();
	}

	/**
	 * Return the keys whose last call has failed, those that are not repeated first.
	 */
	Stream<Entry> failing() {
		return this.failing.stream();
	}

	/**
	 * What is counted of keys.
	 */
	private enum Property {

		HELD, LIMITED, RETRYING, SCHEDULED, FAILED, BUSY, LOOPING

	}

	/**
	 * Places of a key.
	 */
	enum Place {

		NONE, HIGH, LOW, GATED, HELD, DELAYED, RUNNING

	}

	/**
	 * Write that the caches may not have yet.
	 */
	interface Hold {

		/**
		 * Return how far the caches are.
		 */
		Progress progress();

		/**
		 * Return whether it takes so long that it is to be looked up at the server.
		 */
		boolean isLookUpDue(long now);

		/**
		 * How far the caches are.
		 */
		enum Progress {

			/** They do not have the write yet. */
			WAITING,

			/**
			 * There is nothing to wait for: an event, or the retry of the call, triggers
			 * the key if need be.
			 */
			REACHED,

			/**
			 * There is nothing to wait for, and perhaps no event that triggers the key.
			 */
			ENDED

		}

	}

	/**
	 * What is known about a key.
	 */
	static final class Entry {

		final String key;

		/** Since the begin of the call, or the last success. */
		private Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);

		private Set<Trigger> begun = Set.of();

		private boolean waiting;

		/** Since the begin of the call. */
		private boolean deleted;

		private int failures;

		/** Number of conflicts in a row. */
		private int conflicts;

		/** Whether the last call has failed. */
		private boolean failing;

		/** Whether the last call has failed, and is not repeated. */
		private boolean givenUp;

		/** Class of the last failure. */
		private String failure = "";

		/** Nano time at which it was logged or counted. */
		private long failedAt;

		private @Nullable Long delay;

		private @Nullable Long retry;

		private @Nullable Long lastCall;

		private final CallLoop loop = new CallLoop();

		private final List<Hold> writes = new ArrayList<>();

		private int polls;

		private Set<Property> counted = EnumSet.noneOf(Property.class);

		private boolean held;

		private long heldSince;

		private long heldFor;

		private Place place = Place.NONE;

		private long due;

		Entry(String key) {
			this.key = key;
		}

		private void noteDue(long now) {
			if (isDue(this.delay, now)) {
				this.delay = null;
				this.triggers.add(Trigger.DELAY);
				this.waiting = true;
			}
			if (isDue(this.retry, now)) {
				this.retry = null;
				this.waiting = true;
			}
		}

		private void end(CallResult result, long now) {
			Duration delay = result.delay();
			Long next = (delay != null) ? now + Math.max(0, TimeSource.nanos(delay)) : null;
			switch (result.kind()) {
				case SUCCEEDED, ENDED -> {
					this.failures = 0;
					this.conflicts = 0;
					this.failing = false;
					this.delay = next;
				}
				case LATER, CONFLICT -> {
					this.conflicts = (result.kind() == Kind.CONFLICT) ? this.conflicts + 1 : 0;
					this.failing = false;
					this.retry = next;
					this.triggers.addAll(this.begun);
				}
				case FAILED -> {
					this.failures++;
					this.conflicts = 0;
					this.failing = true;
					this.failure = (result.failure() != null) ? result.failure().getClass().getName() : this.failure;
					this.failedAt = now;
					this.givenUp = next == null;
					this.retry = next;
					this.triggers.addAll(this.begun);
				}
				case PREPARED -> {
				}
				case REPEATED -> {
					this.triggers.addAll(this.begun);
					this.waiting = true;
				}
			}
			this.writes.addAll(result.writes());
			this.polls = 0;
			this.heldFor = 0;
		}

		private Set<Property> properties() {
			Set<Property> properties = EnumSet.noneOf(Property.class);
			if (this.waiting && !this.writes.isEmpty() && this.place != Place.RUNNING) {
				properties.add(Property.HELD);
			}
			else if (this.waiting && this.place == Place.DELAYED) {
				properties.add(Property.LIMITED);
			}
			if (this.failing) {
				properties.add(this.givenUp ? Property.FAILED : Property.RETRYING);
			}
			if (this.delay != null || (!this.failing && this.retry != null)) {
				properties.add(Property.SCHEDULED);
			}
			if ((this.waiting && this.place != Place.GATED) || this.retry != null || !this.writes.isEmpty()
					|| this.place == Place.RUNNING) {
				properties.add(Property.BUSY);
			}
			if (this.loop.isLong()) {
				properties.add(Property.LOOPING);
			}
			return properties;
		}

		/**
		 * Forget the writes that the caches have, and wait for a call if one of them may
		 * have no event.
		 */
		private void releaseWrites() {
			this.writes.removeIf((write) -> {
				Hold.Progress progress = write.progress();
				if (progress == Hold.Progress.ENDED) {
					this.triggers.add(Trigger.OWNED);
					this.waiting = true;
				}
				return progress != Hold.Progress.WAITING;
			});
		}

		private void forget() {
			this.deleted = false;
			this.triggers.clear();
			this.waiting = false;
			this.held = false;
			this.heldFor = 0;
			this.failures = 0;
			this.conflicts = 0;
			this.failing = false;
			this.givenUp = false;
			this.delay = null;
			this.retry = null;
			this.loop.end();
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

		boolean isGivenUp() {
			return this.givenUp;
		}

		/**
		 * Return the class of the last failure, if there are {@link #failures()}.
		 */
		String failure() {
			return this.failure;
		}

		/**
		 * Return the nano time of the last failure, if there are {@link #failures()}.
		 */
		long failedAt() {
			return this.failedAt;
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

		int conflicts() {
			return this.conflicts;
		}

		boolean isRetrying() {
			return this.failing && this.retry != null;
		}

		List<Hold> writes() {
			return List.copyOf(this.writes);
		}

	}

}
