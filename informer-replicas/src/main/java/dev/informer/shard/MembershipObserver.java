/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseObserver;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.replicas.ReplicaEvent.Requested;
import dev.informer.replicas.ReplicaEvent.SlotsAcquired;
import dev.informer.replicas.ReplicaEvent.SlotsLost;
import dev.informer.replicas.ReplicaEvent.SlotsReleased;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observer that publishes the state of a {@link Membership}, and logs and reports its
 * changes. Confined to the thread of its run.
 */
final class MembershipObserver implements LeaseObserver {

	private static final Logger logger = LoggerFactory.getLogger(ShardMember.class);

	private final ShardMember member;

	private final ShardMember.Work work;

	private final Membership membership;

	private final TimeSource time;

	private @Nullable Instant term;

	private BitSet owned = new BitSet();

	private @Nullable BitSet assigned;

	private boolean excluded;

	/** Lost slots with running work, until another process may own them. */
	private BitSet overdue = new BitSet();

	private long overdueAt;

	private long renewedAt;

	MembershipObserver(ShardMember member, ShardMember.Work work, Membership membership, TimeSource time) {
		this.member = member;
		this.work = work;
		this.membership = membership;
		this.time = time;
	}

	@Override
	public void update() {
		Instant current = this.membership.term();
		if (this.term != null && !this.term.equals(current)) {
			String reason = this.membership.lostBecause();
			lost((reason != null) ? reason : "its membership has ended");
		}
		boolean joined = current != null && !current.equals(this.term);
		this.term = current;
		if (joined) {
			logger.info("Sharding '{}': '{}' has joined", this.member.group(), this.member.identity());
		}
		this.renewedAt = this.membership.renewedAt();
		Set<String> members = new TreeSet<>(this.membership.identitiesOfOthers());
		if (current != null) {
			members.add(this.member.identity());
		}
		this.work.publish(this.renewedAt, members, this.membership.isSettled());
		assigned(this.membership.assigned());
		moved(this.membership.owned());
		reportProblems();
		reportOverdue();
	}

	@Override
	public void ended() {
		this.work.publish(this.renewedAt, Set.of(), false);
		lost("it was stopped");
	}

	private void lost(String reason) {
		BitSet lost = this.owned;
		this.owned = new BitSet();
		if (lost.isEmpty()) {
			return;
		}
		this.overdueAt = this.renewedAt + TimeSource.nanos(this.member.options().leaseDuration());
		this.overdue = (this.member.running(lost) > 0) ? lost : new BitSet();
		// the log last: it may throw
		this.member.notify(new SlotsLost(this.member, ShardMember.toSet(lost), reason));
		logger.info("Sharding '{}': '{}' has lost {} slots: {}", this.member.group(), this.member.identity(),
				lost.cardinality(), reason);
	}

	private void assigned(@Nullable BitSet now) {
		if (now != null && !now.equals(this.assigned)) {
			this.assigned = now;
			this.work.publishAssigned(ShardMember.toSet(now));
		}
	}

	private void moved(BitSet now) {
		BitSet acquired = difference(now, this.owned);
		BitSet released = difference(this.owned, now);
		this.owned = now;
		if (acquired.isEmpty() && released.isEmpty()) {
			return;
		}
		if (!released.isEmpty()) {
			this.member.notify(new SlotsReleased(this.member, ShardMember.toSet(released)));
		}
		if (!acquired.isEmpty()) {
			this.member.notify(new SlotsAcquired(this.member, ShardMember.toSet(acquired)));
		}
		logger.info("Sharding '{}': '{}' owns {} of {} slots ({} acquired, {} released)", this.member.group(),
				this.member.identity(), now.cardinality(), this.member.slots(), acquired.cardinality(),
				released.cardinality());
	}

	private static BitSet difference(BitSet slots, BitSet without) {
		BitSet difference = (BitSet) slots.clone();
		difference.andNot(without);
		return difference;
	}

	private void reportProblems() {
		boolean other = this.membership.isExcluded();
		if (other && !this.excluded) {
			logger.warn(
					"Sharding '{}': '{}' owns no slots while members with more than {} slots are running; configure the same "
							+ "number of slots on all replicas",
					this.member.group(), this.member.identity(), this.member.slots());
		}
		this.excluded = other;
	}

	/**
	 * Report work that has ignored its interrupt until another process may own its slots.
	 */
	private void reportOverdue() {
		if (!this.overdue.isEmpty() && this.time.nanoTime() - this.overdueAt >= 0) {
			int left = this.member.running(this.overdue);
			this.overdue = new BitSet();
			if (left > 0) {
				logger.error(
						"Sharding '{}': {} invocations on lost slots ignore their interrupt, while another process may own "
								+ "the slots",
						this.member.group(), left);
			}
		}
	}

	@Override
	public long nanosToNext(long now) {
		return this.overdue.isEmpty() ? Long.MAX_VALUE : Math.max(0, this.overdueAt - now);
	}

	@Override
	public void requested(Purpose purpose, Duration duration, boolean success) {
		if (purpose != Purpose.READ && purpose != Purpose.COLLECT) {
			this.member.notify(new Requested(this.member, duration, success));
		}
	}

}
