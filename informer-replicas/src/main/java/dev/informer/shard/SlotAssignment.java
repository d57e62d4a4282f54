/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.informer.replicas.SlotHash;
import org.jspecify.annotations.Nullable;

/**
 * Slots that a member is assigned. Each member that knows the same members computes the
 * same assignment: by rendezvous hashing, so that about 1/n of the slots move when a
 * member joins or leaves. No member is assigned more than 1/n + 5 % of them.
 * <p>
 * <b>Concurrency.</b> Not thread-safe.
 *
 * @see <a href="https://arxiv.org/abs/1608.01350">Consistent Hashing with Bounded
 * Loads</a>
 */
final class SlotAssignment {

	/** Part of the slots that a member may have besides its share. */
	private static final double TOLERANCE = 0.05;

	private final String member;

	private final int slots;

	/** Members of the last computation; empty if another one has more slots. */
	private @Nullable Set<String> members;

	private BitSet assigned = new BitSet();

	/**
	 * Create an assignment without members, for the slots of {@code member}.
	 */
	SlotAssignment(String member, int slots) {
		this.member = member;
		this.slots = slots;
	}

	/**
	 * Return the slots of the member, not to be modified. Of members with different
	 * numbers of slots, only those with the largest one are assigned any.
	 * @param others the claims of the other members, by name, which are not modified
	 */
	BitSet with(Map<String, SlotClaim> others) {
		Set<String> sharing = sharing(others);
		if (!sharing.equals(this.members)) {
			this.members = sharing;
			this.assigned = sharing.isEmpty() ? new BitSet() : assign(sharing);
		}
		return this.assigned;
	}

	/**
	 * Return whether another member has more slots.
	 */
	boolean isExcluded() {
		return this.members != null && this.members.isEmpty();
	}

	private Set<String> sharing(Map<String, SlotClaim> others) {
		Set<String> sharing = new HashSet<>(Set.of(this.member));
		for (Map.Entry<String, SlotClaim> other : others.entrySet()) {
			if (other.getValue().slots() > this.slots) {
				return Set.of();
			}
			if (other.getValue().slots() == this.slots) {
				sharing.add(other.getKey());
			}
		}
		return sharing;
	}

	private BitSet assign(Set<String> sharing) {
		String[] names = sharing.stream().sorted().toArray(String[]::new);
		long[] hashes = Stream.of(names).mapToLong(SlotHash::fnv1a).toArray();
		double share = (double) this.slots / names.length;
		int limit = (int) Math.max(Math.ceil(share), Math.floor(share + this.slots * TOLERANCE));
		int[] counts = new int[names.length];
		BitSet result = new BitSet();
		for (int slot = 0; slot < this.slots; slot++) {
			int best = best(hashes, slot, counts, limit);
			counts[best]++;
			result.set(slot, names[best].equals(this.member));
		}
		return result;
	}

	private static int best(long[] hashes, int slot, int[] counts, int limit) {
		int best = -1;
		long highest = 0;
		for (int i = 0; i < hashes.length; i++) {
			if (counts[i] < limit) {
				long weight = SlotHash.mix(hashes[i] ^ SlotHash.mix(slot + 1));
				if (best < 0 || Long.compareUnsigned(weight, highest) > 0) {
					best = i;
					highest = weight;
				}
			}
		}
		return best;
	}

}
