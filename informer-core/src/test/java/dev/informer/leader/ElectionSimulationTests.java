/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;

import dev.informer.conformance.Conformance;
import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Random simulations of several {@link Election}s on one server, with virtual time: slow
 * and lost requests and answers, partitions, delayed watches, suspended processes, clocks
 * that jump, releases and restarts. At no time may two of them begin an invocation.
 * <p>
 * System properties: {@code leader.runs} for the number of runs, {@code leader.seed} for
 * the seed of the first one.
 */
class ElectionSimulationTests {

	private static final int RUNS = Integer.getInteger("leader.runs", 400);

	private static final long SEED = Long.getLong("leader.seed", 1);

	private static final long SECOND = 1_000_000_000L;

	private static final long LEASE = 15 * SECOND;

	private static final long DEADLINE = 10 * SECOND;

	private static final long TIMEOUT = 5 * SECOND;

	@Conformance("never two leaders under crashes, suspensions, partitions, slow requests and clock jumps")
	@Test
	void randomRuns_neverHaveTwoLeaders() {
		long terms = 0;
		long lost = 0;
		for (long seed = SEED; seed < SEED + RUNS; seed++) {
			Simulation simulation = new Simulation(seed);
			simulation.run();
			terms += simulation.terms;
			lost += simulation.lost;
		}
		// otherwise nothing has been shown
		assertThat(terms).isGreaterThan(RUNS * 3L);
		assertThat(lost).isGreaterThan(RUNS);
	}

	private record Event(long at, long order, Runnable action) {
	}

	private static final class Simulation {

		private final Random random;

		private final long seed;

		private final FakeLeaseServer server = new FakeLeaseServer();

		private final PriorityQueue<Event> events = new PriorityQueue<>(
				Comparator.comparingLong(Event::at).thenComparingLong(Event::order));

		private final List<Process> processes = new ArrayList<>();

		private long now;

		private long order;

		private long terms;

		private long lost;

		private int lastToken = -1;

		private boolean calm;

		Simulation(long seed) {
			this.seed = seed;
			this.random = new Random(seed);
			int count = 3 + this.random.nextInt(3);
			for (int i = 0; i < count; i++) {
				this.processes.add(new Process(i));
			}
		}

		void run() {
			this.processes.forEach((process) -> after(this.random.nextLong(SECOND), process::start));
			for (int i = 0; i < 20; i++) {
				after(this.random.nextLong(150 * SECOND), this::fault);
			}
			runUntil(150 * SECOND);
			this.calm = true;
			this.processes.forEach(Process::recover);
			// leases of processes that are gone expire; suspended ones have continued
			runUntil(this.now + LEASE + 30 * SECOND);
			assertThat(leaders()).as("leaders at the end of seed %d", this.seed).isEqualTo(1);
		}

		private void runUntil(long end) {
			while (!this.events.isEmpty() && this.events.peek().at() <= end) {
				Event event = this.events.poll();
				this.now = event.at();
				event.action().run();
				if (leaders() > 1) {
					fail("%d leaders at %d ms of seed %d", leaders(), this.now / 1_000_000, this.seed);
				}
			}
			this.now = end;
		}

		private long leaders() {
			long count = 0;
			for (Process process : this.processes) {
				count += process.mayBegin() ? 1 : 0;
			}
			return count;
		}

		private void fault() {
			Process process = this.processes.get(this.random.nextInt(this.processes.size()));
			if (this.random.nextInt(3) > 0) {
				process = this.processes.stream().filter(Process::mayBegin).findFirst().orElse(process);
			}
			switch (this.random.nextInt(7)) {
				case 0 -> process.partition(this.random.nextLong(25 * SECOND));
				case 1, 2 -> process.suspend(this.random.nextLong(30 * SECOND));
				case 3 -> process.clock = process.clock.plusSeconds(this.random.nextInt(7200) - 3600);
				case 4 -> process.release();
				case 5 -> process.slow(this.random.nextLong(20 * SECOND));
				default -> process.restart();
			}
		}

		private void after(long delay, Runnable action) {
			this.events.add(new Event(this.now + delay, this.order++, action));
		}

		private final class Process {

			private final long offset = Simulation.this.random.nextLong();

			private final int number;

			private int incarnation;

			private @Nullable Election election;

			private Instant clock = Instant.parse("2030-01-01T00:00:00Z")
				.plusSeconds(Simulation.this.random.nextInt(7200));

			private final List<Runnable> held = new ArrayList<>();

			private boolean suspended;

			private boolean partitioned;

			private boolean slow;

			private boolean leading;

			private long request;

			private long wakeAt;

			Process(int number) {
				this.number = number;
				Simulation.this.server.watch((record) -> deliver(delay(), () -> observe(record)));
			}

			long nanos() {
				return Simulation.this.now + this.offset;
			}

			void start() {
				this.election = new Election(
						new LeaderElectionOptions("default", "app", "shop", this.number + "-" + this.incarnation++,
								Duration.ofNanos(LEASE), Duration.ofNanos(DEADLINE), Duration.ofSeconds(2)),
						nanos(), Simulation.this.random::nextDouble);
				this.request++;
				pump();
			}

			void restart() {
				this.election = null;
				this.leading = false;
				Simulation.this.after(Simulation.this.random.nextLong(10 * SECOND), this::start);
			}

			/**
			 * Return whether the check before an invocation would permit it. It needs no
			 * thread of the election, so a process that continues after a suspension may
			 * do this first.
			 */
			boolean mayBegin() {
				Term term = (this.election != null) ? this.election.term() : null;
				return term != null && nanos() - term.renewedAt() < DEADLINE;
			}

			void partition(long duration) {
				this.partitioned = true;
				Simulation.this.after(duration, () -> this.partitioned = false);
			}

			void slow(long duration) {
				this.slow = true;
				Simulation.this.after(duration, () -> this.slow = false);
			}

			void suspend(long duration) {
				this.suspended = true;
				Simulation.this.after(duration, this::resume);
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

			void release() {
				if (this.election != null && !this.suspended) {
					Election releasing = this.election;
					releasing.release(nanos());
					pump();
					Simulation.this.after(Simulation.this.random.nextLong(5 * SECOND), () -> {
						if (this.election == releasing) {
							start();
						}
					});
				}
			}

			void recover() {
				this.partitioned = false;
				this.slow = false;
				resume();
			}

			private long delay() {
				if (this.slow && !Simulation.this.calm) {
					return Simulation.this.random.nextLong(12 * SECOND);
				}
				return Simulation.this.random.nextLong(SECOND / 10);
			}

			private void observe(@Nullable LeaseRecord record) {
				if (this.election != null && !this.partitioned) {
					this.election.observe(FakeLeaseServer.leases(record), nanos());
				}
			}

			private void deliver(long delay, Runnable action) {
				Simulation.this.after(delay, () -> onThread(action));
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
				Election current = this.election;
				if (current == null || this.suspended) {
					return;
				}
				boolean running = current.isRunning();
				LeaseRequest next = current.next(nanos(), this.clock.plusNanos(Simulation.this.now));
				track();
				if (next != null && !running) {
					send(current, next, ++this.request);
				}
				wakeIn(Math.max(current.nanosToNext(nanos()), 1));
			}

			private void wakeIn(long wait) {
				long at = Simulation.this.now + Math.min(wait, 1000 * SECOND);
				if (this.wakeAt <= Simulation.this.now || at < this.wakeAt) {
					this.wakeAt = at;
					Simulation.this.after(at - Simulation.this.now, () -> onThread(() -> {
					}));
				}
			}

			private void track() {
				boolean leads = mayBegin();
				if (leads && !this.leading) {
					Simulation.this.terms++;
					int token = Objects.requireNonNull(Objects.requireNonNull(this.election).term()).token();
					assertThat(token).as("fencing token of seed %d", Simulation.this.seed)
						.isGreaterThan(Simulation.this.lastToken);
					Simulation.this.lastToken = token;
				}
				Simulation.this.lost += (this.leading && !leads) ? 1 : 0;
				this.leading = leads;
			}

			private void send(Election sender, LeaseRequest sent, long id) {
				deliver(TIMEOUT, () -> result(sender, id, null, Failure.OTHER));
				if (this.partitioned) {
					return;
				}
				Simulation.this.after(delay(), () -> {
					// also after the sender has given up
					Lease answer = Simulation.this.server.answer(sent);
					Failure failure = Simulation.this.server.failure();
					if (!this.partitioned) {
						deliver(delay(), () -> result(sender, id, answer, failure));
					}
				});
			}

			private void result(Election sender, long id, @Nullable Lease answer, @Nullable Failure failure) {
				if (sender != this.election || id != this.request || !sender.isRunning()) {
					return;
				}
				if (failure != null) {
					sender.failed(failure, nanos());
				}
				else {
					sender.succeeded(answer, nanos());
				}
			}

		}

	}

}
