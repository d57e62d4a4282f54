/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.informer.replicas.SlotHash;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SlotAssignment}.
 */
class SlotAssignmentTests {

	private static final int[] SIZES = { 1, 2, 3, 4, 5, 8, 10, 16, 20, 50, 100, 500 };

	@Test
	void everySlot_isAssignedToOneMemberAndNoneHasMuchMoreThanItsShare() {
		for (int size : SIZES) {
			for (int slots : new int[] { 64, 1024 }) {
				int[] owners = owners(members(0, size), slots);
				int limit = (int) Math.max(Math.ceil((double) slots / size), slots * (1.0 / size + 0.05));
				int[] counts = new int[size];
				for (int owner : owners) {
					counts[owner]++;
				}
				assertThat(IntStream.of(counts).max().orElseThrow()).as("%d members, %d slots", size, slots)
					.isLessThanOrEqualTo(limit);
			}
		}
	}

	@Test
	void memberJoinsOrLeaves_movesAboutItsShare() {
		for (int size : SIZES) {
			int groups = (size < 100) ? 20 : 4;
			double moved = 0;
			for (int group = 0; group < groups; group++) {
				int[] before = owners(members(group, size), 64);
				int[] after = owners(members(group, size + 1), 64);
				moved += IntStream.range(0, 64).filter((slot) -> before[slot] != after[slot]).count() / 64.0;
			}
			assertThat(moved / groups).as("part that moves with %d members", size).isLessThan(1.0 / (size + 1) + 0.05);
		}
	}

	@Test
	void memberWithMoreSlots_isTheOnlyOneThatIsAssignedAny() {
		SlotAssignment small = new SlotAssignment("a", 8);
		SlotAssignment large = new SlotAssignment("b", 16);
		assertThat(small.with(Map.of("b", claim(16))).isEmpty()).isTrue();
		assertThat(small.isExcluded()).isTrue();
		assertThat(large.with(Map.of("a", claim(8))).cardinality()).isEqualTo(16);
		assertThat(large.isExcluded()).isFalse();
		assertThat(small.with(Map.of()).cardinality()).isEqualTo(8);
	}

	private static List<String> members(int group, int size) {
		List<String> members = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			members.add("shop-" + Long.toHexString(SlotHash.fnv1a("pod-" + group + "-" + i)));
		}
		return members;
	}

	private static int[] owners(List<String> members, int slots) {
		int[] owners = new int[slots];
		BitSet assigned = new BitSet();
		for (int i = 0; i < members.size(); i++) {
			Map<String, SlotClaim> others = new HashMap<>();
			members.forEach((member) -> others.put(member, claim(slots)));
			others.remove(members.get(i));
			BitSet own = new SlotAssignment(members.get(i), slots).with(others);
			assertThat(own.intersects(assigned)).isFalse();
			assigned.or(own);
			int owner = i;
			own.stream().forEach((slot) -> owners[slot] = owner);
		}
		assertThat(assigned.cardinality()).isEqualTo(slots);
		return owners;
	}

	private static SlotClaim claim(int slots) {
		return new SlotClaim(slots, new BitSet());
	}

}
