/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;

import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Simulation of members of a group on one server, with virtual time: slow and lost
 * requests and answers, partitions, delayed watches, suspended processes, clocks that
 * jump, stops and restarts. At no time may two of them begin work on a slot, or one begin
 * while the work of another is running.
 */
final class ShardSimulation {

	static final long SECOND = 1_000_000_000L;

	static final long LEASE = 15 * SECOND;

	static final long DEADLINE = 10 * SECOND;

	private static final long TIMEOUT = 5 * SECOND;

	private final Random random;

	private final long seed;

	private final int slots;

	/** Time for which changes of Leases are collected before a process sees them. */
	private final long watchDelay;

	private final FakeGroupServer server = new FakeGroupServer();

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::at).thenComparingLong(Event::order));

	private final List<Process> processes = new ArrayList<>();

	private long now;

	private long order;

	private boolean calm;

	private long acquired;

	private long lost;

	private long work;

	private long requests;

	ShardSimulation(long seed, int replicas, int slots) {
		this.seed = seed;
		this.random = new Random(seed);
		this.slots = slots;
		this.watchDelay = (replicas > 20) ? SECOND : SECOND / 10;
		for (int i = 0; i < replicas; i++) {
			this.processes.add(new Process(i));
		}
	}

	long acquired() {
		return this.acquired;
	}

	long lost() {
		return this.lost;
	}

	long work() {
		return this.work;
	}

	/**
	 * Run for a time with faults, then without, until each slot has an owner.
	 * @return the requests per second without faults
	 */
	double run(long seconds, int faults) {
		this.processes.forEach((process) -> after(this.random.nextLong(SECOND), process::start));
		for (int i = 0; i < faults; i++) {
			after(this.random.nextLong(seconds * SECOND), this::fault);
		}
		runUntil(seconds * SECOND);
		this.calm = true;
		this.processes.forEach(Process::recover);
		// leases of processes that are gone expire; suspended ones have continued
		runUntil(this.now + 2 * LEASE + 40 * SECOND);
		for (int slot = 0; slot < this.slots; slot++) {
			int owners = owners(slot);
			assertThat(owners).as("owners of slot %d at the end of seed %d", slot, this.seed).isEqualTo(1);
		}
		long before = this.requests;
		runUntil(this.now + 20 * SECOND);
		return (this.requests - before) / 20.0;
	}

	int mostSlots() {
		return this.processes.stream()
			.mapToInt((process) -> (int) IntStream.range(0, this.slots).filter(process::mayBegin).count())
			.max()
			.orElse(0);
	}

	private void runUntil(long end) {
		while (!this.events.isEmpty() && this.events.peek().at() <= end) {
			Event event = this.events.poll();
			this.now = event.at();
			event.action().run();
		}
		this.now = end;
	}

	private int owners(int slot) {
		return (int) this.processes.stream().filter((process) -> process.mayBegin(slot)).count();
	}

	/**
	 * Fail if a process other than the given one may work on a slot.
	 */
	private void requireSingle(Process process, int slot, String action) {
		for (Process other : this.processes) {
			if (other != process && (other.mayBegin(slot) || other.isWorking(slot))) {
				fail("%s %s slot %d at %d ms of seed %d, which %s %s", process.identity(), action, slot,
						this.now / 1_000_000, this.seed, other.identity(), other.mayBegin(slot) ? "owns" : "works on");
			}
		}
	}

	private void fault() {
		Process process = this.processes.get(this.random.nextInt(this.processes.size()));
		switch (this.random.nextInt(8)) {
			case 0 -> process.partition(this.random.nextLong(25 * SECOND));
			case 1, 2 -> process.suspend(this.random.nextLong(30 * SECOND));
			case 3 -> process.clock = process.clock.plusSeconds(this.random.nextInt(7200) - 3600);
			case 4 -> process.leave();
			case 5 -> process.slow(this.random.nextLong(20 * SECOND));
			case 6 -> process.watchStandsUntil = this.now + this.random.nextLong(40 * SECOND);
			default -> process.crash();
		}
	}

	private void after(long delay, Runnable action) {
		this.events.add(new Event(this.now + delay, this.order++, action));
	}

	private record Event(long at, long order, Runnable action) {
	}

	/**
	 * Replica with one membership at a time.
	 */
	private final class Process implements SlotWork {

		private final long offset = ShardSimulation.this.random.nextLong();

		private final int number;

		private final Map<Integer, Integer> working = new HashMap<>();

		private final Map<String, LeaseRecord> view = new HashMap<>();

		private final List<Runnable> held = new ArrayList<>();

		private int incarnation;

		private @Nullable Membership membership;

		private BitSet permitted = new BitSet();

		private Instant clock = Instant.parse("2030-01-01T00:00:00Z")
			.plusSeconds(ShardSimulation.this.random.nextInt(7200));

		private int seen;

		private boolean watching;

		private long watchStandsUntil;

		private boolean suspended;

		private boolean partitioned;

		private boolean slow;

		private boolean pending;

		private long request;

		private long wakeAt;

		Process(int number) {
			this.number = number;
		}

		String identity() {
			// a restarted process may have the same identity, as in a StatefulSet
			return this.number + ((this.number % 2 == 0) ? "" : "-" + this.incarnation);
		}

		long nanos() {
			return ShardSimulation.this.now + this.offset;
		}

		void start() {
			this.incarnation++;
			this.request++;
			this.pending = false;
			this.permitted = new BitSet();
			this.working.clear();
			this.membership = new Membership(
					new ShardingOptions("shop", "default", identity(), ShardSimulation.this.slots, SlotKey.OBJECT,
							Duration.ofNanos(LEASE), Duration.ofNanos(DEADLINE), Duration.ofSeconds(2)),
					this, nanos(), ShardSimulation.this.random::nextDouble);
			observeLater();
			workLater(this.incarnation);
			pump();
		}

		void crash() {
			this.membership = null;
			this.permitted = new BitSet();
			this.working.clear();
			ShardSimulation.this.after(ShardSimulation.this.random.nextLong(10 * SECOND), () -> {
				if (this.membership == null) {
					start();
				}
			});
		}

		/**
		 * Return whether the check before an invocation would permit it. It needs no
		 * thread of the run, so a process that continues after a suspension may do this
		 * first.
		 */
		boolean mayBegin(int slot) {
			Membership current = this.membership;
			return current != null && this.permitted.get(slot) && nanos() - current.renewedAt() < DEADLINE;
		}

		boolean isWorking(int slot) {
			return this.working.containsKey(slot);
		}

		@Override
		public void permit(BitSet owned) {
			BitSet gained = (BitSet) owned.clone();
			gained.andNot(this.permitted);
			ShardSimulation.this.acquired += gained.cardinality();
			this.permitted = owned;
			gained.stream().forEach((slot) -> requireSingle(this, slot, "gains"));
		}

		@Override
		public boolean isRunning(int slot) {
			return this.working.containsKey(slot);
		}

		private void workLater(int number) {
			ShardSimulation.this.after(ShardSimulation.this.random.nextLong(SECOND), () -> onThread(() -> {
				if (this.incarnation == number && this.membership != null) {
					beginWork();
					workLater(number);
				}
			}));
		}

		private void beginWork() {
			int slot = ShardSimulation.this.random.nextInt(ShardSimulation.this.slots);
			if (!mayBegin(slot)) {
				return;
			}
			requireSingle(this, slot, "works on");
			ShardSimulation.this.work++;
			this.working.merge(slot, 1, Integer::sum);
			endWorkLater(slot, ShardSimulation.this.random.nextLong(4 * SECOND));
		}

		private void endWorkLater(int slot, long delay) {
			int started = this.incarnation;
			ShardSimulation.this.after(delay, () -> onThread(() -> {
				if (this.incarnation == started) {
					this.working.computeIfPresent(slot, (key, count) -> (count > 1) ? count - 1 : null);
				}
			}));
		}

		void partition(long duration) {
			this.partitioned = true;
			ShardSimulation.this.after(duration, () -> {
				this.partitioned = false;
				observeLater();
			});
		}

		void slow(long duration) {
			this.slow = true;
			ShardSimulation.this.after(duration, () -> this.slow = false);
		}

		void suspend(long duration) {
			this.suspended = true;
			// what is on its way when a process is suspended is sent when it continues
			this.working.clear();
			ShardSimulation.this.after(duration, this::resume);
		}

		private void resume() {
			if (this.suspended) {
				this.suspended = false;
				List<Runnable> actions = new ArrayList<>(this.held);
				this.held.clear();
				actions.forEach(Runnable::run);
				pump();
			}
		}

		void leave() {
			Membership leaving = this.membership;
			if (leaving != null && !this.suspended) {
				this.permitted = new BitSet();
				this.working.clear();
				leaving.release(nanos());
				pump();
				ShardSimulation.this.after(ShardSimulation.this.random.nextLong(5 * SECOND), () -> {
					if (this.membership == leaving) {
						start();
					}
				});
			}
		}

		void recover() {
			this.partitioned = false;
			this.slow = false;
			this.watchStandsUntil = 0;
			resume();
			observeLater();
		}

		private long delay() {
			if (this.slow && !ShardSimulation.this.calm) {
				return ShardSimulation.this.random.nextLong(12 * SECOND);
			}
			return ShardSimulation.this.random.nextLong(SECOND / 10);
		}

		/**
		 * Observe the changes until now, after a delay.
		 */
		void observeLater() {
			if (this.watching) {
				return;
			}
			this.watching = true;
			long delay = Math.max(ShardSimulation.this.random.nextLong(ShardSimulation.this.watchDelay),
					this.watchStandsUntil - ShardSimulation.this.now);
			ShardSimulation.this.after(delay, () -> {
				this.watching = false;
				int until = ShardSimulation.this.server.changes();
				ShardSimulation.this.after(delay() / 4, () -> onThread(() -> observe(until)));
			});
		}

		private void observe(int until) {
			if (this.membership == null || this.partitioned || until <= this.seen) {
				return;
			}
			ShardSimulation.this.server.apply(this.view, this.seen, until);
			this.seen = until;
			this.membership.observe(this.view, nanos());
			if (until < ShardSimulation.this.server.changes()) {
				observeLater();
			}
		}

		private void onThread(Runnable action) {
			if (this.suspended) {
				this.held.add(() -> onThread(action));
			}
			else {
				action.run();
				pump();
			}
		}

		private void pump() {
			Membership current = this.membership;
			if (current == null || this.suspended) {
				return;
			}
			boolean member = current.term() != null;
			LeaseRequest next = current.next(nanos(), this.clock.plusNanos(ShardSimulation.this.now));
			if (member && current.term() == null) {
				ShardSimulation.this.lost++;
				// interrupted
				this.working.keySet().forEach((slot) -> {
					this.working.put(slot, 1);
					endWorkLater(slot, ShardSimulation.this.random.nextLong(SECOND));
				});
			}
			if (next != null && !this.pending) {
				this.pending = true;
				send(current, next, ++this.request);
			}
			wakeIn(Math.max(current.nanosToNext(nanos()), 1));
		}

		private void wakeIn(long wait) {
			long at = ShardSimulation.this.now + Math.min(wait, 1000 * SECOND);
			if (this.wakeAt <= ShardSimulation.this.now || at < this.wakeAt) {
				this.wakeAt = at;
				ShardSimulation.this.after(at - ShardSimulation.this.now, () -> onThread(() -> {
				}));
			}
		}

		private void send(Membership sender, LeaseRequest sent, long id) {
			ShardSimulation.this.requests++;
			ShardSimulation.this.after(TIMEOUT, () -> onThread(() -> result(sender, id, null, Failure.OTHER)));
			if (this.partitioned) {
				return;
			}
			ShardSimulation.this.after(delay(), () -> {
				// also after the sender has given up
				Lease answer = ShardSimulation.this.server.answer(sent);
				Failure failure = ShardSimulation.this.server.failure();
				ShardSimulation.this.processes.forEach(Process::observeLater);
				if (!this.partitioned) {
					ShardSimulation.this.after(delay(), () -> onThread(() -> result(sender, id, answer, failure)));
				}
			});
		}

		private void result(Membership sender, long id, @Nullable Lease answer, @Nullable Failure failure) {
			if (sender != this.membership || id != this.request || !this.pending) {
				return;
			}
			this.pending = false;
			if (failure != null) {
				sender.failed(failure, nanos());
			}
			else {
				sender.succeeded(answer, nanos());
			}
		}

	}

}
