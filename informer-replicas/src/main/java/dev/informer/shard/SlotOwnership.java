/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Instant;
import java.util.BitSet;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;

/**
 * Slots of this process. A slot is claimed in the Lease first, then owned, then released:
 * work on it no longer begins, but may be running. The claim is withdrawn only after all
 * work has ended.
 * <p>
 * <b>Concurrency.</b> Confined to the thread of the {@link Membership}.
 */
final class SlotOwnership {

	private final int slots;

	private final SlotWork work;

	private final BitSet claimed = new BitSet();

	private final BitSet owned = new BitSet();

	private final BitSet releasing = new BitSet();

	private @Nullable BitSet assigned;

	/**
	 * By slot, the renew time of the first write of the Lease with the current claim. All
	 * later writes contain it, too.
	 */
	private final @Nullable Instant[] claimedSince;

	SlotOwnership(int slots, SlotWork work) {
		this.slots = slots;
		this.work = work;
		this.claimedSince = new Instant[slots];
	}

	/**
	 * Return the claim for the next write of the Lease.
	 */
	SlotClaim claim() {
		return new SlotClaim(this.slots, copy(this.claimed));
	}

	BitSet owned() {
		return copy(this.owned);
	}

	/**
	 * Return the slots that this process was assigned last, also in a former term;
	 * {@code null} before the first time. They are not to be modified.
	 */
	@Nullable BitSet assigned() {
		return this.assigned;
	}

	private static BitSet copy(BitSet slots) {
		return (BitSet) slots.clone();
	}

	/**
	 * Note that the Lease is written with all claims.
	 */
	void written(Instant renewTime) {
		for (int slot = 0; slot < this.slots; slot++) {
			if (this.claimed.get(slot) && this.claimedSince[slot] == null) {
				this.claimedSince[slot] = renewTime;
			}
		}
	}

	/**
	 * Release all slots. Claims that no work needs are withdrawn.
	 */
	void releaseAll() {
		release(copy(this.owned));
		BitSet unused = copy(this.claimed);
		unused.andNot(this.releasing);
		unused.stream().forEach(this::withdraw);
		withdrawReleased();
	}

	/**
	 * Approach the assignment.
	 * @param seen the renew time of the Lease of this process as it was observed
	 * @param others returns whether another member claims a slot. Evaluated for a state
	 * of the API server that includes the claim of this process
	 */
	void approach(BitSet assigned, Instant seen, IntPredicate others) {
		this.assigned = assigned;
		BitSet moving = copy(this.owned);
		moving.andNot(assigned);
		release(moving);
		withdrawReleased();
		BitSet acquired = new BitSet();
		for (int slot = 0; slot < this.slots; slot++) {
			if (this.owned.get(slot) || this.releasing.get(slot)) {
				continue;
			}
			if (!assigned.get(slot)) {
				withdraw(slot);
			}
			else {
				this.claimed.set(slot);
				acquired.set(slot, isSeen(slot, seen) && !others.test(slot));
			}
		}
		if (!acquired.isEmpty()) {
			this.owned.or(acquired);
			this.work.permit(copy(this.owned));
		}
	}

	private boolean isSeen(int slot, Instant seen) {
		Instant since = this.claimedSince[slot];
		return since != null && !seen.isBefore(since);
	}

	private void release(BitSet slots) {
		if (!slots.isEmpty()) {
			this.releasing.or(slots);
			this.owned.andNot(slots);
			this.work.permit(copy(this.owned));
		}
	}

	/**
	 * Withdraw the claims of released slots without running work. No work can begin: that
	 * was forbidden before.
	 */
	void withdrawReleased() {
		for (int slot = this.releasing.nextSetBit(0); slot >= 0; slot = this.releasing.nextSetBit(slot + 1)) {
			if (!this.work.isRunning(slot)) {
				this.releasing.clear(slot);
				withdraw(slot);
			}
		}
	}

	private void withdraw(int slot) {
		this.claimed.clear(slot);
		this.claimedSince[slot] = null;
	}

}
