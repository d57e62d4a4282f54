/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseFailure;
import dev.informer.lease.LeaseLifecycle;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Sharding;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership of this process in a group of replicas that divide work by slots. Can be
 * started again after a stop.
 * <p>
 * <b>Concurrency.</b> Thread-safe. The thread that calls the observer of a run writes the
 * volatile state, and a start before that thread begins; {@link #begin} reads it without
 * a lock. The {@link LeaseLifecycle} lets starts and stops exclude each other.
 */
public final class ShardMember implements Sharding {

	private static final Logger logger = LoggerFactory.getLogger(ShardMember.class);

	private final ShardingOptions options;

	private final LeaseLifecycle lifecycle;

	/** By slot, the number of pieces of work that have begun and not ended. */
	private final AtomicIntegerArray running;

	private volatile Work work = new Work(null);

	/**
	 * Create a membership, which does nothing until it is started.
	 * @param options the options of the group
	 * @param apiClient the supplier of the client of the API server
	 * @param threads the factory of the threads, whose names are set
	 */
	public ShardMember(ShardingOptions options, Supplier<ApiClient> apiClient, ThreadFactory threads) {
		this.options = options;
		this.lifecycle = new LeaseLifecycle(logger, "Sharding '" + options.group() + "'",
				Map.of("group", options.group()), options.location(), options.durations(), apiClient, threads);
		this.running = new AtomicIntegerArray(options.slots());
	}

	/**
	 * Return the options.
	 * @return the options
	 */
	public ShardingOptions options() {
		return this.options;
	}

	@Override
	public String group() {
		return this.options.group();
	}

	@Override
	public String identity() {
		return this.options.identity();
	}

	@Override
	public int slots() {
		return this.options.slots();
	}

	@Override
	public int slotOf(@Nullable String namespace, String name) {
		return this.options.slotOf(namespace, name);
	}

	@Override
	public boolean owns(int slot) {
		return current().get(slot);
	}

	@Override
	public Set<Integer> owned() {
		return toSet(current());
	}

	@Override
	public @Nullable Set<Integer> assigned() {
		return this.work.assigned;
	}

	/**
	 * Return the slots on which work may begin now, which are not to be modified.
	 */
	private BitSet current() {
		Permit latest = this.work.permit;
		return this.lifecycle.permitsWork(latest.renewedAt()) ? latest.slots() : new BitSet();
	}

	static Set<Integer> toSet(BitSet slots) {
		return slots.stream().boxed().collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Return the identities of the members of the group, as far as this process has
	 * observed them.
	 * @return the identities, with that of this process once it has joined
	 */
	public Set<String> members() {
		return this.work.members;
	}

	/**
	 * Return the failure of the requests and of the watch for the Leases since they were
	 * last successful.
	 * @return the failure; empty if there is none
	 */
	public Optional<LeaseFailure> failure() {
		return this.lifecycle.failure();
	}

	@Override
	public boolean begin(int slot) {
		// first, so that a release either sees the work or prevents it
		this.running.incrementAndGet(slot);
		boolean permitted = owns(slot);
		if (!permitted) {
			end(slot);
		}
		return permitted;
	}

	@Override
	public void end(int slot) {
		if (this.running.decrementAndGet(slot) == 0) {
			this.lifecycle.workEnded(!this.work.permit.slots().get(slot));
		}
	}

	/**
	 * Return the number of pieces of work on slots that have begun and not ended.
	 */
	int running(BitSet slots) {
		return slots.stream().map(this.running::get).sum();
	}

	private boolean isIdle() {
		BitSet all = new BitSet();
		all.set(0, this.options.slots());
		return running(all) == 0;
	}

	@Override
	public void addListener(ReplicaListener listener) {
		this.lifecycle.addListener(listener);
	}

	@Override
	public void removeListener(ReplicaListener listener) {
		this.lifecycle.removeListener(listener);
	}

	/**
	 * Join the group. Returns immediately. Does nothing if it was started.
	 */
	public void start() {
		this.lifecycle.start(() -> {
			this.work = new Work(this.work.assigned);
			logger.info("Sharding '{}': '{}' started, with Lease {}/{}", group(), identity(), this.options.namespace(),
					this.options.location().name());
			return new Membership(this.options, this.work, TimeSource.SYSTEM.nanoTime(),
					() -> ThreadLocalRandom.current().nextDouble());
		}, (membership) -> new MembershipObserver(this, this.work, membership, TimeSource.SYSTEM));
	}

	/**
	 * Wait until this process is a member and knows the others, or cannot know them.
	 * @param timeout the maximum time to wait
	 * @return whether this is the case
	 * @throws InterruptedException if the waiting thread is interrupted
	 */
	public boolean awaitAnswer(Duration timeout) throws InterruptedException {
		return this.lifecycle.awaitAnswer(() -> this.work.settled, timeout);
	}

	/**
	 * Stop. No work begins from now on. If all work ends in time, this process leaves the
	 * group, so that others take its slots over at once; otherwise its Lease expires.
	 * @param timeout the maximum time to wait for work to end
	 * @throws InterruptedException if the waiting thread is interrupted; this process
	 * does not leave the group then
	 */
	public void stop(Duration timeout) throws InterruptedException {
		this.lifecycle.stop(timeout, this::isIdle, () -> logger.warn(
				"Sharding '{}' stopped while invocations on its slots are running; the Lease expires after {} ms",
				group(), TimeSource.millis(this.options.leaseDuration())));
	}

	void notify(ReplicaEvent event) {
		this.lifecycle.notify(event);
	}

	/**
	 * Slots on which work may begin until the renew deadline. One value, so that slots of
	 * a former term are not combined with a renewal of the next one.
	 *
	 * @param slots the slots, which are not modified
	 * @param renewedAt the time at which the last successful renewal was sent
	 */
	private record Permit(BitSet slots, long renewedAt) {

	}

	/**
	 * Work of a run that is counted by {@link #begin} and {@link #end}, and the state of
	 * the run. Each run has its own, so that a former one whose listener is slow changes
	 * nothing.
	 */
	final class Work implements SlotWork {

		private volatile Permit permit = new Permit(new BitSet(), 0);

		private volatile Set<String> members = Set.of();

		private volatile @Nullable Set<Integer> assigned;

		private volatile boolean settled;

		private Work(@Nullable Set<Integer> assigned) {
			this.assigned = assigned;
		}

		/**
		 * Publish the state.
		 * @param renewedAt the time at which the last successful renewal was sent
		 * @param known the identities of the members
		 * @param complete whether the members are known
		 */
		void publish(long renewedAt, Set<String> known, boolean complete) {
			this.permit = new Permit(this.permit.slots(), renewedAt);
			this.members = known;
			this.settled = complete;
		}

		void publishAssigned(Set<Integer> slots) {
			this.assigned = slots;
			ShardMember.this.notify(new ReplicaEvent.SlotsAssigned(ShardMember.this, slots));
		}

		@Override
		public void permit(BitSet owned) {
			this.permit = new Permit(owned, this.permit.renewedAt());
		}

		@Override
		public boolean isRunning(int slot) {
			return ShardMember.this.running.get(slot) > 0;
		}

	}

}
