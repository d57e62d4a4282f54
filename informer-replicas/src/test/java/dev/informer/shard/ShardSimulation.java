/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import dev.informer.lease.SimulatedProcess;
import dev.informer.lease.VirtualTime;

import static dev.informer.lease.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Simulation of members of a group on one server, with virtual time: slow and lost
 * requests and answers, partitions, delayed watches, suspended processes, clocks that
 * jump, stops and restarts, watches that fail alone, and labels and annotations that are
 * removed. At no time may two of them begin work on a slot, or one begin while the work
 * of another is running.
 */
final class ShardSimulation {

	final FakeGroupServer server = new FakeGroupServer();

	final VirtualTime time = new VirtualTime();

	final Random random;

	final int slots;

	/** Time for which changes of Leases are collected before a replica sees them. */
	final long watchDelay;

	private final long seed;

	private final List<SimulatedReplica> replicas = new ArrayList<>();

	/** Number of requests that the server has received, by second. */
	private final Map<Long, Integer> requests = new HashMap<>();

	ShardSimulation(long seed, int replicas, int slots) {
		this.seed = seed;
		this.random = new Random(seed);
		this.slots = slots;
		this.watchDelay = (replicas > 20) ? SECOND : SECOND / 10;
		for (int i = 0; i < replicas; i++) {
			this.replicas.add(new SimulatedReplica(this, i));
		}
	}

	long acquired() {
		return this.replicas.stream().mapToLong(SimulatedReplica::acquired).sum();
	}

	long lost() {
		return this.replicas.stream().mapToLong(SimulatedReplica::lost).sum();
	}

	long work() {
		return this.replicas.stream().mapToLong(SimulatedReplica::work).sum();
	}

	/**
	 * Note that the server has received a request.
	 */
	void requested() {
		this.requests.merge(this.time.now() / SECOND, 1, Integer::sum);
	}

	/**
	 * Return the largest number of requests in a second, which includes the start of all
	 * replicas and the faults.
	 */
	int mostRequests() {
		return Collections.max(this.requests.values());
	}

	/**
	 * Run for a time with faults, then without, until each slot has an owner.
	 * @return the requests per second without faults
	 */
	double run(long seconds, int faults) {
		this.replicas.forEach((replica) -> this.time.after(this.random.nextLong(SECOND), replica::start));
		for (int i = 0; i < faults; i++) {
			this.time.after(this.random.nextLong(seconds * SECOND), this::fault);
		}
		this.time.runUntil(seconds * SECOND);
		this.replicas.forEach(SimulatedReplica::recover);
		// leases of replicas that are gone expire; suspended ones have continued
		this.time.runUntil(this.time.now() + 2 * SimulatedProcess.LEASE + 40 * SECOND);
		requireOwners("at the end");
		long first = this.time.now() / SECOND;
		this.time.runUntil(this.time.now() + 20 * SECOND);
		long sum = 0;
		for (long second = first; second < first + 20; second++) {
			sum += this.requests.getOrDefault(second, 0);
		}
		return sum / 20.0;
	}

	void observeLater() {
		this.replicas.forEach(SimulatedReplica::observeLater);
	}

	private int owners(int slot) {
		return (int) this.replicas.stream().filter((replica) -> replica.mayBegin(slot)).count();
	}

	/**
	 * Fail if a replica other than the given one may work on a slot.
	 */
	void requireSingle(SimulatedReplica replica, int slot, String action) {
		for (SimulatedReplica other : this.replicas) {
			if (other != replica && !replica.cannotKnow(other) && !other.cannotKnow(replica)
					&& (other.mayBegin(slot) || other.isRunning(slot))) {
				fail("%s %s slot %d at %d ms of seed %d, which %s %s", replica.identity(), action, slot,
						this.time.now() / 1_000_000, this.seed, other.identity(),
						other.mayBegin(slot) ? "owns" : "works on");
			}
		}
	}

	private void removeLabelFromWrites(String lease) {
		this.server.removeLabelFromWrites(lease, true);
		this.time.after(this.random.nextLong(40 * SECOND), () -> this.server.removeLabelFromWrites(lease, false));
	}

	/**
	 * Let the watch of a replica fail alone, and require that the others own its slots
	 * until it works again.
	 */
	void failWatch() {
		SimulatedReplica replica = this.replicas.get(0);
		replica.delayWatch(300 * SECOND);
		// it leaves, or starts again and does not see its Lease
		this.time.runUntil(this.time.now() + 3 * SimulatedProcess.LEASE);
		for (int i = 0; i < 10; i++) {
			this.time.runUntil(this.time.now() + 10 * SECOND);
			requireOwners("without the watch of one replica");
			for (int slot = 0; slot < this.slots; slot++) {
				assertThat(replica.mayBegin(slot)).isFalse();
			}
		}
		replica.recover();
		this.time.runUntil(this.time.now() + 3 * SimulatedProcess.LEASE);
		requireOwners("after the failure of a watch");
		assertThat(IntStream.range(0, this.slots).filter(replica::mayBegin).count()).isPositive();
	}

	/**
	 * Deny the watch of some replicas.
	 */
	void denyWatches(int number) {
		this.replicas.subList(0, number).forEach(SimulatedReplica::denyWatch);
	}

	/**
	 * Kill one replica after the other but the first one. After each, no slot may be
	 * without an owner for longer than the lease duration and some time.
	 */
	void killAllButOne(long bound) {
		for (int i = this.replicas.size() - 1; i > 0; i--) {
			this.time.runUntil(this.time.now() + this.random.nextLong(5 * SECOND));
			this.replicas.get(i).kill();
			this.time.runUntil(this.time.now() + SimulatedProcess.LEASE + bound);
			requireOwners("after the end of replica " + i);
			this.time.runUntil(this.time.now() + 20 * SECOND, () -> requireOwners("later"));
		}
	}

	private void requireOwners(String when) {
		for (int slot = 0; slot < this.slots; slot++) {
			assertThat(owners(slot)).as("owners of slot %d %s of seed %d", slot, when, this.seed).isEqualTo(1);
		}
	}

	private void fault() {
		SimulatedReplica replica = this.replicas.get(this.random.nextInt(this.replicas.size()));
		switch (this.random.nextInt(12)) {
			case 0 -> replica.partition(this.random.nextLong(25 * SECOND));
			case 1, 2 -> replica.suspend(this.random.nextLong(30 * SECOND));
			case 3 -> replica.changeClock(this.random.nextInt(7200) - 3600);
			case 4 -> replica.leave();
			case 5 -> replica.slow(this.random.nextLong(20 * SECOND));
			case 6 -> replica.delayWatch(this.random.nextLong(40 * SECOND));
			case 7 -> replica.delayWatch(this.random.nextLong(120 * SECOND));
			case 8 -> this.server.removeLabel(replica.lease());
			case 9 -> this.server.removeSlots(replica.lease());
			case 10 -> removeLabelFromWrites(replica.lease());
			default -> replica.crash();
		}
	}

}
