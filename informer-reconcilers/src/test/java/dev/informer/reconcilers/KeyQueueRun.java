/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.informer.InvocationGate.Access;
import dev.informer.reconcilers.KeyQueue.Entry;
import dev.informer.reconcilers.KeyQueue.Place;
import dev.informer.reconcilers.ReconcileContext.Trigger;
import dev.informer.reconcilers.ReconcilerRegistration.Counts;
import org.jspecify.annotations.Nullable;

/**
 * Sequence of random operations on a {@link KeyQueue} and on a model of it. The model
 * knows what each key waits for, but has no places and no timers.
 */
final class KeyQueueRun {

	/** A queue may notice that late that the caches have a write. */
	private static final long POLL = millis(200);

	private static final List<Long> TIMES = Stream.of(0, 1, 1, 5, 20, 50, 100, 200, 1000, 6000)
		.map(KeyQueueRun::millis)
		.toList();

	private static final List<Access> ACCESS = List.of(Access.OPEN, Access.OPEN, Access.CLOSED, Access.GONE);

	private final long seed;

	private final Map<String, Key> keys = new LinkedHashMap<>();

	private final KeyQueue queue;

	private final long minInterval;

	private final List<String> trace = new ArrayList<>();

	private long now;

	private boolean paused;

	/** Number of attempts to take a key. */
	private long takes;

	private long calls;

	private final List<Write> lookedUp = new ArrayList<>();

	KeyQueueRun(long seed) {
		this.seed = seed;
		Random random = new Random(seed);
		this.minInterval = random.nextBoolean() ? millis(100) : 0;
		this.now = Long.MAX_VALUE - millis(random.nextInt(10_000));
		this.queue = new KeyQueue(this.minInterval, (key) -> key(key).access);
		Stream.of("a", "b", "c", "d", "e").forEach((key) -> this.keys.put(key, new Key(key)));
	}

	private static long millis(int millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private Key key(String key) {
		return Objects.requireNonNull(this.keys.get(key));
	}

	/**
	 * Run operations, and return what does not match; {@code null} if everything does.
	 */
	@Nullable String run(List<Integer> operations) {
		try {
			for (int operation : operations) {
				operate(new Random(this.seed * 1_000_003 + operation));
				check();
			}
			drain();
			return null;
		}
		catch (Mismatch | RuntimeException ex) {
			return ex.toString();
		}
	}

	List<String> trace() {
		return this.trace;
	}

	long calls() {
		return this.calls;
	}

	private void operate(Random random) throws Mismatch {
		random.nextInt();
		Key key = choose(random, List.copyOf(this.keys.values()));
		switch (random.nextInt(21)) {
			case 0, 1, 2, 3 -> trigger(key, choose(random, List.of(Trigger.values())));
			case 4, 5, 6 -> pass(choose(random, TIMES));
			case 7, 8, 9, 10, 11 -> take();
			case 12, 13, 14, 15 -> end(random);
			case 16 -> reach(random, key);
			case 17 -> setAccess(key, choose(random, ACCESS), random.nextInt(4) == 0);
			case 18 -> pause(!this.paused && random.nextInt(3) == 0);
			case 19 -> endLookUps(random);
			default -> delete(key);
		}
	}

	private static <V> V choose(Random random, List<V> values) {
		return values.get(random.nextInt(values.size()));
	}

	private void note(String line) {
		this.trace.add(line);
	}

	private void trigger(Key key, Trigger trigger) {
		note("trigger " + key.name + " " + trigger);
		key.triggers.add(trigger);
		key.waiting = true;
		key.deleted = false;
		this.queue.trigger(key.name, trigger, this.now);
	}

	private void delete(Key key) {
		note("delete " + key.name);
		if (key.taken == null) {
			key.forget();
		}
		else {
			key.deleted = true;
		}
		this.queue.deleted(key.name, this.now);
	}

	private void pass(long nanos) {
		note("pass " + TimeUnit.NANOSECONDS.toMillis(nanos));
		this.now += nanos;
	}

	private void pause(boolean value) {
		note("pause " + value);
		this.paused = value;
		this.queue.setPaused(value);
	}

	private void setAccess(Key key, Access access, boolean all) {
		note("access " + (all ? "all" : key.name) + " " + access);
		for (Key changed : all ? this.keys.values() : List.of(key)) {
			changed.since = (changed.access == access) ? changed.since : null;
			changed.access = access;
		}
		this.queue.gateChanged(this.now);
	}

	private void reach(Random random, Key key) {
		if (!key.writes.isEmpty()) {
			note("reach " + key.name);
			choose(random, key.writes).reach(this.now);
		}
	}

	private void take() throws Mismatch {
		takeLookUps();
		this.takes++;
		for (Key key : this.keys.values()) {
			if (!isReady(key) || !key.writes.isEmpty()) {
				key.since = null;
			}
			else if (key.since == null || key.sinceLow != isLow(key)) {
				key.since = this.takes;
				key.sinceLow = isLow(key);
			}
		}
		Entry entry = this.queue.take(this.now);
		note("take " + ((entry != null) ? entry.key : "nothing"));
		if (entry == null) {
			checkNothingIsReady();
			return;
		}
		require(!this.paused, "taken from a paused queue");
		Key key = key(entry.key);
		require(key.taken == null, "taken twice");
		require(isReady(key), "taken too early");
		checkOrder(key);
		begin(key, entry);
		key.taken = entry;
	}

	private void takeLookUps() throws Mismatch {
		List<KeyQueue.Hold> due = this.queue.takeLookUps(this.now);
		if (!due.isEmpty()) {
			note("take " + due.size() + " look-ups");
			require(!this.paused, "looked up while paused");
			require(this.lookedUp.isEmpty(), "two look-ups");
			require(due.stream().allMatch((write) -> write.isLookUpDue(this.now)), "looked up without need");
			due.forEach((write) -> this.lookedUp.add((Write) write));
		}
	}

	private void endLookUps(Random random) {
		if (!this.lookedUp.isEmpty()) {
			note("looked up");
			this.lookedUp.forEach((write) -> write.lookedUp(this.now, random.nextInt(3)));
			this.lookedUp.clear();
			ended();
			this.queue.lookedUp(this.now);
		}
	}

	/** Let the keys wait whose writes have ended without an event. */
	private void ended() {
		for (Key key : this.keys.values()) {
			if (key.taken == null && key.writes.removeIf((write) -> write.ended)) {
				key.triggers.add(Trigger.OWNED);
				key.waiting = true;
			}
		}
	}

	private void begin(Key key, Entry entry) throws Mismatch {
		this.calls++;
		if (isOver(key.delay)) {
			key.delay = null;
			key.triggers.add(Trigger.DELAY);
		}
		if (key.givenUp) {
			key.givenUp = false;
			key.failing = false;
			key.failures = 0;
		}
		require(entry.triggers().equals(key.triggers), "triggers " + entry.triggers() + " instead of " + key.triggers);
		require(entry.failures() == key.failures, "failures " + entry.failures() + " instead of " + key.failures);
		key.begun = EnumSet.copyOf(key.triggers);
		key.triggers.clear();
		key.waiting = false;
		key.retry = null;
		key.writes.clear();
		key.since = null;
		key.lastCall = this.now;
	}

	/** Return whether a call may begin, as far as the queue can know. */
	private boolean isReady(Key key) {
		return key.taken == null && (key.waiting || isOver(key.delay) || isOver(key.retry))
				&& key.writes.stream().allMatch(Write::isReached)
				&& (key.lastCall == null || isOver(key.lastCall + this.minInterval)) && key.access == Access.OPEN;
	}

	private boolean isOver(@Nullable Long time) {
		return time != null && time - this.now <= 0;
	}

	private boolean isLow(Key key) {
		return !isOver(key.delay) && Set.of(Trigger.INITIAL_LIST, Trigger.RESYNC).containsAll(key.triggers);
	}

	/**
	 * Check that the level was right, and that no key waited longer.
	 */
	private void checkOrder(Key taken) throws Mismatch {
		boolean low = isLow(taken);
		boolean turn = (this.calls + 1) % 10 == 0;
		for (Key key : this.keys.values()) {
			if (key != taken && key.since != null) {
				boolean sameLevel = isLow(key) == low;
				require(sameLevel || turn == low, "level of " + taken.name + " before that of " + key.name);
				require(!sameLevel || taken.since == null || taken.since <= key.since,
						taken.name + " overtook " + key.name);
			}
		}
	}

	private void checkNothingIsReady() throws Mismatch {
		long next = this.queue.nanosToNext(this.now);
		require(next > 0, "hot loop");
		if (this.paused) {
			return;
		}
		for (Key key : this.keys.values()) {
			Long at = nextCall(key);
			require(at == null || at - this.now > 0, key.name + " is ready");
			require(at == null || next <= at - this.now, key.name + " is ready earlier than in " + next + " ns");
		}
	}

	/** Return when the queue takes a key at the latest. */
	private @Nullable Long nextCall(Key key) {
		if (key.taken != null || key.access != Access.OPEN || !key.writes.stream().allMatch(Write::isReached)) {
			return null;
		}
		Long at = earlier(key.delay, key.retry);
		if (key.waiting) {
			at = this.now;
		}
		if (at != null && key.lastCall != null) {
			at = later(at, key.lastCall + this.minInterval);
		}
		for (Write write : key.writes) {
			at = (at != null) ? later(at, write.reachedAt + POLL) : null;
		}
		return at;
	}

	private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
		if (one == null || other == null) {
			return (one != null) ? one : other;
		}
		return (one - other < 0) ? one : other;
	}

	private static long later(long one, long other) {
		return (one - other > 0) ? one : other;
	}

	private void end(Random random) {
		List<Key> taken = this.keys.values().stream().filter((key) -> key.taken != null).toList();
		if (taken.isEmpty()) {
			return;
		}
		Key key = choose(random, taken);
		Entry entry = Objects.requireNonNull(key.taken);
		List<Write> writes = new ArrayList<>();
		for (int i = random.nextInt(4); i > 1; i--) {
			writes.add(new Write(this.now + ((random.nextInt(5) > 0) ? millis(5000) : 0)));
		}
		Long after = (random.nextInt(3) > 0) ? choose(random, TIMES) : null;
		int kind = random.nextInt(12);
		note("end " + key.name + " "
				+ List.of("success", "failure", "put back", "ended", "later", "conflict").get(Math.max(0, kind - 6))
				+ " after " + ((after != null) ? TimeUnit.NANOSECONDS.toMillis(after) : null) + " writes "
				+ writes.size());
		end(key, entry, kind, after, writes);
	}

	private void end(Key key, Entry entry, int kind, @Nullable Long after, List<Write> writes) {
		Long time = (after != null) ? this.now + after : null;
		Duration delay = (after != null) ? Duration.ofNanos(after) : null;
		switch (kind) {
			case 7 -> {
				key.failures++;
				key.failing = true;
				key.givenUp = time == null;
				key.retry = time;
				key.triggers.addAll(key.begun);
				ended(key, writes);
				this.queue.end(entry, CallResult.failed(delay, null, writes), this.now);
			}
			case 8 -> {
				boolean prepared = !writes.isEmpty();
				if (!prepared) {
					key.waiting = true;
					key.triggers.addAll(key.begun);
				}
				ended(key, writes);
				this.queue.end(entry, prepared ? CallResult.prepared(writes) : CallResult.repeated(writes), this.now);
			}
			case 9 -> {
				key.failures = 0;
				key.failing = false;
				key.delay = null;
				ended(key, List.of());
				this.queue.end(entry, CallResult.ENDED, this.now);
			}
			case 10, 11 -> {
				long later = (after != null) ? after : 0;
				key.retry = this.now + later;
				key.failing = false;
				key.triggers.addAll(key.begun);
				ended(key, writes);
				Duration repetition = Duration.ofNanos(later);
				RuntimeException reason = new RuntimeException();
				this.queue.end(entry, (kind == 10) ? CallResult.later(repetition, reason, writes)
						: CallResult.conflict(repetition, reason, writes), this.now);
			}
			default -> {
				key.failures = 0;
				key.failing = false;
				key.delay = time;
				ended(key, writes);
				this.queue.end(entry, CallResult.succeeded(delay, writes), this.now);
			}
		}
	}

	private static void ended(Key key, List<Write> writes) {
		key.taken = null;
		key.writes.addAll(writes);
		if (key.deleted) {
			key.forget();
		}
	}

	/**
	 * Check the states of all keys.
	 */
	private void check() throws Mismatch {
		int waiting = 0;
		int taken = 0;
		for (Key key : this.keys.values()) {
			Entry entry = this.queue.find(key.name);
			if (key.access == Access.GONE && key.taken == null && isForgotten(entry)) {
				key.forget();
			}
			require(key.taken == null || key.taken == entry, "key in a call is not known");
			require(!isForgotten(entry) || key.taken != null || !key.isKnown(), key.name + " is forgotten");
			taken += (key.taken != null) ? 1 : 0;
			waiting += (entry != null && entry.isWaiting() && entry.place() != Place.RUNNING) ? 1 : 0;
		}
		Counts counts = this.queue.counts();
		require(counts.active() == taken, "active " + counts);
		require(counts.pending() == count(Place.HIGH) + count(Place.LOW), "pending " + counts);
		require(counts.gated() == count(Place.GATED), "gated " + counts);
		long failed = this.keys.values().stream().filter((key) -> key.failing && key.givenUp).count();
		long retrying = this.keys.values().stream().filter((key) -> key.failing && !key.givenUp).count();
		require(counts.failed() == failed, failed + " have failed of " + counts);
		require(counts.retrying() == retrying, retrying + " are retried of " + counts);
		require(this.queue.failing().count() == failed + retrying, "failing");
		long delayed = this.keys.values()
			.stream()
			.map((key) -> this.queue.find(key.name))
			.filter((entry) -> entry != null && entry.due() != null && !entry.isRetrying())
			.count();
		require(counts.scheduled() >= delayed, delayed + " are scheduled of " + counts);
		require(counts.pending() + counts.held() + counts.limited() + counts.gated() == waiting,
				waiting + " wait of " + counts);
	}

	private static boolean isForgotten(@Nullable Entry entry) {
		return entry == null || (!entry.isWaiting() && entry.due() == null && entry.failures() == 0);
	}

	private long count(Place place) {
		return this.keys.keySet()
			.stream()
			.map(this.queue::find)
			.filter((entry) -> entry != null && entry.place() == place)
			.count();
	}

	/**
	 * Open everything, and check that each key is called that waits for it, until there
	 * is nothing left.
	 */
	private void drain() throws Mismatch {
		setAccess(key("a"), Access.OPEN, true);
		pause(false);
		for (int i = 0; i < 1000; i++) {
			for (Key key : this.keys.values()) {
				key.writes.forEach((write) -> write.reach(this.now));
				Entry entry = key.taken;
				if (entry != null) {
					end(key, entry, 0, null, List.of());
				}
			}
			take();
			endLookUps(new Random(i));
			check();
			long next = this.queue.nanosToNext(this.now);
			if (next == Long.MAX_VALUE && this.keys.values().stream().allMatch((key) -> key.taken == null)) {
				checkEnd();
				return;
			}
			pass((next == Long.MAX_VALUE) ? 0 : next);
		}
		throw new Mismatch("no end");
	}

	private void checkEnd() throws Mismatch {
		require(this.queue.isIdle(), "not idle");
		int failed = 0;
		for (Key key : this.keys.values()) {
			require(!key.waiting && key.delay == null && key.retry == null, key.name + " was not called");
			require((this.queue.find(key.name) != null) == (key.failures > 0), key.name + " is known");
			failed += (key.failures > 0) ? 1 : 0;
		}
		Counts counts = this.queue.counts();
		require(counts.equals(new Counts(0, 0, 0, 0, 0, counts.retrying(), 0, failed - counts.retrying())),
				"not empty");
	}

	private static void require(boolean condition, String problem) throws Mismatch {
		if (!condition) {
			throw new Mismatch(problem);
		}
	}

	/**
	 * What is known about a key.
	 */
	private static final class Key {

		private final String name;

		private final Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);

		private final List<Write> writes = new ArrayList<>();

		private Set<Trigger> begun = Set.of();

		private Access access = Access.OPEN;

		private boolean waiting;

		private boolean deleted;

		private int failures;

		private boolean givenUp;

		private boolean failing;

		private @Nullable Long delay;

		private @Nullable Long retry;

		private @Nullable Long lastCall;

		private @Nullable Entry taken;

		/** Attempt to take a key since which this one is ready, in the same level. */
		private @Nullable Long since;

		private boolean sinceLow;

		Key(String name) {
			this.name = name;
		}

		private boolean isKnown() {
			return this.waiting || this.failures > 0 || this.delay != null || this.retry != null;
		}

		private void forget() {
			this.triggers.clear();
			this.waiting = false;
			this.deleted = false;
			this.failures = 0;
			this.failing = false;
			this.givenUp = false;
			this.delay = null;
			this.retry = null;
			this.since = null;
		}

	}

	/**
	 * Write that the caches have after a while.
	 */
	private static final class Write implements KeyQueue.Hold {

		private long lookUp;

		private boolean reached;

		private boolean ended;

		private long reachedAt;

		Write(long lookUp) {
			this.lookUp = lookUp;
		}

		private void reach(long now) {
			if (!isReached()) {
				this.reached = true;
				this.reachedAt = now;
			}
		}

		private void lookedUp(long now, int result) {
			this.lookUp = now + millis(5000);
			if (result == 0) {
				reach(now);
			}
			else if (result == 1 && !isReached()) {
				this.ended = true;
			}
		}

		private boolean isReached() {
			return this.reached || this.ended;
		}

		@Override
		public Progress progress() {
			if (this.ended) {
				return Progress.ENDED;
			}
			return this.reached ? Progress.REACHED : Progress.WAITING;
		}

		@Override
		public boolean isLookUpDue(long now) {
			return this.lookUp - now <= 0;
		}

	}

	/**
	 * Difference between queue and model.
	 */
	private static final class Mismatch extends Exception {

		private static final long serialVersionUID = 1L;

		Mismatch(String problem) {
			super(problem);
		}

	}

}
