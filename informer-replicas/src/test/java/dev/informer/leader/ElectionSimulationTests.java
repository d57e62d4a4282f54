/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import dev.informer.lease.Lease;
import dev.informer.lease.LeaseRecord;
import dev.informer.lease.LeaseRequest;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.SimulatedProcess;
import dev.informer.lease.Term;
import dev.informer.lease.VirtualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static dev.informer.lease.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Random simulations of several {@link Election}s on one server, with virtual time: slow
 * and lost requests and answers, partitions, delayed watches, suspended processes, clocks
 * that jump, releases, restarts and two processes with one identity. At no time may two
 * of them begin an invocation, and the Lease is renewed or taken over in time as long as
 * one process is undisturbed.
 * <p>
 * System properties: {@code leader.runs} for the number of runs, {@code leader.seed} for
 * the seed of the first one.
 */
class ElectionSimulationTests {

	private static final int RUNS = Integer.getInteger("leader.runs", 500);

	private static final long SEED = Long.getLong("leader.seed", 1);

	/**
	 * Lease duration, one request that times out, and the retry period with jitter.
	 */
	private static final long TAKEOVER = SimulatedProcess.LEASE + SimulatedProcess.TIMEOUT + 2_400_000_000L;

	@Test
	void randomRuns_neverHaveTwoLeadersAndTakeOverInTime() {
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

	private static final class Simulation {

		private final Random random;

		private final long seed;

		private final FakeLeaseServer server = new FakeLeaseServer();

		private final VirtualTime time = new VirtualTime();

		private final List<Process> processes = new ArrayList<>();

		private long terms;

		private long lost;

		private int lastToken = -1;

		private long changedAt;

		Simulation(long seed) {
			this.seed = seed;
			this.random = new Random(seed);
			this.server.watch((record) -> this.changedAt = this.time.now());
			int count = 3 + this.random.nextInt(3);
			for (int i = 0; i < count; i++) {
				this.processes.add(new Process(i));
			}
		}

		void run() {
			this.processes.forEach((process) -> this.time.after(this.random.nextLong(SECOND), process::start));
			for (int i = 0; i < 20; i++) {
				this.time.after(this.random.nextLong(150 * SECOND), this::fault);
			}
			runUntil(150 * SECOND);
			this.processes.forEach(Process::recover);
			// leases of processes that are gone expire; suspended ones have continued
			runUntil(this.time.now() + SimulatedProcess.LEASE + 30 * SECOND);
			assertThat(leaders()).as("leaders at the end of seed %d", this.seed).isEqualTo(1);
		}

		private void runUntil(long end) {
			this.time.runUntil(end, () -> {
				if (leaders() > 1) {
					fail("%d leaders at %d ms of seed %d", leaders(), this.time.now() / 1_000_000, this.seed);
				}
				long unchanged = this.time.now() - Math.max(this.changedAt, undisturbedSince());
				if (unchanged > TAKEOVER) {
					fail("no takeover for %d ms at %d ms of seed %d", unchanged / 1_000_000,
							this.time.now() / 1_000_000, this.seed);
				}
			});
		}

		private long leaders() {
			long count = 0;
			for (Process process : this.processes) {
				count += process.mayBegin() ? 1 : 0;
			}
			return count;
		}

		/**
		 * Return the time since which one process at least has been undisturbed.
		 */
		private long undisturbedSince() {
			return this.processes.stream().mapToLong(Process::competesSince).min().orElseThrow();
		}

		private void fault() {
			Process process = this.processes.get(this.random.nextInt(this.processes.size()));
			if (this.random.nextInt(3) > 0) {
				process = this.processes.stream().filter(Process::mayBegin).findFirst().orElse(process);
			}
			switch (this.random.nextInt(7)) {
				case 0 -> process.partition(this.random.nextLong(25 * SECOND));
				case 1, 2 -> process.suspend(this.random.nextLong(30 * SECOND));
				case 3 -> process.changeClock(this.random.nextInt(7200) - 3600);
				case 4 -> process.release();
				case 5 -> process.slow(this.random.nextLong(20 * SECOND));
				default -> process.restart();
			}
		}

		private final class Process extends SimulatedProcess {

			private final int number;

			private int incarnation;

			private @Nullable Election election;

			private boolean leading;

			private boolean releasing;

			private long request;

			private long competesSince;

			Process(int number) {
				super(Simulation.this.time, Simulation.this.random);
				this.number = number;
				Simulation.this.server.watch((record) -> deliver(delay(), () -> observe(record)));
			}

			void start() {
				this.election = new Election(
						new LeaderElectionOptions("default", "app", "shop", identity(), Duration.ofNanos(LEASE),
								Duration.ofNanos(DEADLINE), Duration.ofSeconds(2)),
						nanos(), Simulation.this.random::nextDouble);
				this.releasing = false;
				this.competesSince = Simulation.this.time.now();
				this.request++;
				pump();
			}

			/**
			 * Return the identity, which is the same for two processes in every other
			 * run.
			 */
			private String identity() {
				return (this.number < 2 && Simulation.this.seed % 2 == 0) ? "twin"
						: this.number + "-" + this.incarnation++;
			}

			void restart() {
				this.election = null;
				this.leading = false;
				Simulation.this.time.after(Simulation.this.random.nextLong(10 * SECOND), this::start);
			}

			long competesSince() {
				Election current = this.election;
				if (current == null || this.releasing) {
					this.competesSince = Simulation.this.time.now();
				}
				return Math.max(this.competesSince, undisturbedSince());
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

			void release() {
				if (this.election != null && !isSuspended()) {
					Election releasing = this.election;
					this.releasing = true;
					releasing.release(nanos());
					pump();
					Simulation.this.time.after(Simulation.this.random.nextLong(5 * SECOND), () -> {
						if (this.election == releasing) {
							start();
						}
					});
				}
			}

			private void observe(@Nullable LeaseRecord record) {
				if (this.election != null && !isPartitioned()) {
					this.election.observe(FakeLeaseServer.leases(record), nanos());
				}
			}

			@Override
			protected void pump() {
				Election current = this.election;
				if (current == null || isSuspended()) {
					return;
				}
				boolean running = current.isRunning();
				LeaseRequest next = current.next(nanos(), clock());
				track();
				if (next != null && !running) {
					send(current, next, ++this.request);
				}
				wakeIn(Math.max(current.nanosToNext(nanos()), 1));
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
				deliver(TIMEOUT, () -> result(sender, id, null, Failure.UNAVAILABLE));
				if (isPartitioned()) {
					return;
				}
				Simulation.this.time.after(delay(), () -> {
					// also after the sender has given up
					Lease answer = Simulation.this.server.answer(sent);
					Failure failure = Simulation.this.server.failure();
					if (!isPartitioned()) {
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
