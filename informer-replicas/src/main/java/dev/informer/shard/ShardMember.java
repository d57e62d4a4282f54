/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseParticipant;
import dev.informer.lease.Term;
import dev.informer.replicas.ReplicaEvent.SlotsAcquired;
import dev.informer.replicas.ReplicaEvent.SlotsAssigned;
import dev.informer.replicas.ReplicaEvent.SlotsLost;
import dev.informer.replicas.ReplicaEvent.SlotsReleased;
import dev.informer.replicas.Sharding;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership of this process in a group of replicas that divide work by slots. Can be
 * started again after a stop. Thread-safe.
 */
public final class ShardMember extends LeaseParticipant implements Sharding {

	private static final Logger logger = LoggerFactory.getLogger(ShardMember.class);

	private final ShardingOptions options;

	/** By slot, the number of pieces of work that have begun and not ended. */
	private final AtomicIntegerArray running;

	private volatile Work work;

	/**
	 * Create a membership, which does nothing until it is started.
	 * @param options the options of the group
	 * @param apiClient the supplier of the client of the API server
	 * @param threads the factory of the threads, whose names are set
	 */
	public ShardMember(ShardingOptions options, Supplier<ApiClient> apiClient, ThreadFactory threads) {
		super("Sharding '" + options.group() + "'", "invocations on its slots", Map.of("group", options.group()),
				options.location(), apiClient, threads);
		this.options = options;
		this.running = new AtomicIntegerArray(options.slots());
		this.work = new Work(options, null);
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
		return permitsWork(latest.renewedAt()) ? latest.slots() : new BitSet();
	}

	private static BitSet difference(BitSet slots, BitSet without) {
		BitSet difference = (BitSet) slots.clone();
		difference.andNot(without);
		return difference;
	}

	private static Set<Integer> toSet(BitSet slots) {
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
			workEnded(!this.work.permit.slots().get(slot));
		}
	}

	private int running(BitSet slots) {
		return slots.stream().map(this.running::get).sum();
	}

	@Override
	protected int running() {
		BitSet all = new BitSet();
		all.set(0, this.options.slots());
		return running(all);
	}

	@Override
	protected State newState() {
		Work next = new Work(this.options, this.work.assigned);
		this.work = next;
		logger.info("Sharding '{}': '{}' started, with Lease {}/{}", group(), identity(), this.options.namespace(),
				this.options.location().name());
		return next;
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
	 * the run.
	 */
	private final class Work extends State implements SlotWork {

		private final Membership membership;

		private volatile Permit permit = new Permit(new BitSet(), 0);

		private volatile Set<String> members = Set.of();

		private volatile @Nullable Set<Integer> assigned;

		/** Last state of the membership; confined to the thread of decisions. */
		private BitSet lastOwned = new BitSet();

		private @Nullable BitSet lastAssigned;

		private boolean excluded;

		Work(ShardingOptions options, @Nullable Set<Integer> assigned) {
			this.membership = new Membership(options, this, TimeSource.SYSTEM.nanoTime(),
					() -> ThreadLocalRandom.current().nextDouble());
			this.assigned = assigned;
		}

		@Override
		protected Membership protocol() {
			return this.membership;
		}

		@Override
		public void permit(BitSet owned) {
			this.permit = new Permit(owned, this.permit.renewedAt());
		}

		@Override
		public boolean isRunning(int slot) {
			return ShardMember.this.running.get(slot) > 0;
		}

		@Override
		protected void publish(@Nullable Term lost, @Nullable Term acquired, String lostBecause) {
			if (lost != null) {
				lose(lostBecause);
			}
			if (acquired != null) {
				logger.info("Sharding '{}': '{}' has joined", group(), identity());
			}
			Set<String> known = new TreeSet<>(this.membership.identitiesOfOthers());
			Term current = term();
			if (current != null) {
				known.add(identity());
				this.permit = new Permit(this.permit.slots(), current.renewedAt());
			}
			this.members = known;
			assign(this.membership.assigned());
			move(this.membership.owned());
			reportExclusion();
		}

		private void lose(String reason) {
			BitSet lost = this.lastOwned;
			this.lastOwned = new BitSet();
			if (lost.isEmpty()) {
				return;
			}
			lost(this.permit.renewedAt(), () -> running(lost));
			ShardMember.this.notify(new SlotsLost(ShardMember.this, toSet(lost), reason));
			logger.info("Sharding '{}': '{}' has lost {} slots: {}", group(), identity(), lost.cardinality(), reason);
		}

		private void assign(@Nullable BitSet now) {
			if (now != null && !now.equals(this.lastAssigned)) {
				this.lastAssigned = now;
				Set<Integer> slots = toSet(now);
				this.assigned = slots;
				ShardMember.this.notify(new SlotsAssigned(ShardMember.this, slots));
			}
		}

		private void move(BitSet now) {
			BitSet acquired = difference(now, this.lastOwned);
			BitSet released = difference(this.lastOwned, now);
			this.lastOwned = now;
			if (acquired.isEmpty() && released.isEmpty()) {
				return;
			}
			if (!released.isEmpty()) {
				ShardMember.this.notify(new SlotsReleased(ShardMember.this, toSet(released)));
			}
			if (!acquired.isEmpty()) {
				ShardMember.this.notify(new SlotsAcquired(ShardMember.this, toSet(acquired)));
			}
			logger.info("Sharding '{}': '{}' owns {} of {} slots ({} acquired, {} released)", group(), identity(),
					now.cardinality(), slots(), acquired.cardinality(), released.cardinality());
		}

		private void reportExclusion() {
			boolean other = this.membership.isExcluded();
			if (other && !this.excluded) {
				logger.warn("Sharding '{}': '{}' owns no slots while members with more than {} slots are running; "
						+ "configure the same number of slots on all replicas", group(), identity(), slots());
			}
			this.excluded = other;
		}

		@Override
		protected void logOverdue(int count) {
			logger.error("Sharding '{}': {} invocations on lost slots ignore their interrupt, while another process "
					+ "may own the slots", group(), count);
		}

	}

}
