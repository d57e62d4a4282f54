/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Distribution of objects over the members of a group.
 */
final class ObjectDistribution {

	private final int slots;

	/** Number of objects by slot. */
	private final int[] counts;

	private final int objects;

	ObjectDistribution(int objects, int slots) {
		this.slots = slots;
		this.objects = objects;
		this.counts = new int[slots];
		ShardingOptions options = options("a");
		for (int i = 0; i < objects; i++) {
			this.counts[options.slotOf("namespace-" + i % 100, "pod-" + i)]++;
		}
	}

	/**
	 * Return the part of the objects that move when a member joins.
	 * @param group the number of a group, whose members have other identities
	 * @param members the number of members before
	 */
	double movedByJoin(int group, int members) {
		int[] before = owners(group, members);
		int[] after = owners(group, members + 1);
		return IntStream.range(0, this.slots)
			.filter((slot) -> before[slot] != after[slot])
			.mapToLong((slot) -> this.counts[slot])
			.sum() / (double) this.objects;
	}

	/**
	 * Return the part of the objects of the member that has most of them.
	 */
	double largest(int group, int members) {
		long[] sums = new long[members];
		int[] owners = owners(group, members);
		for (int slot = 0; slot < this.slots; slot++) {
			sums[owners[slot]] += this.counts[slot];
		}
		return LongStream.of(sums).max().orElseThrow() / (double) this.objects;
	}

	/**
	 * Return the owner of each slot.
	 */
	int[] owners(int group, int members) {
		Map<String, SlotClaim> all = new HashMap<>();
		String[] names = new String[members];
		for (int i = 0; i < members; i++) {
			names[i] = options("pod-" + group + "-" + i).location().name();
			all.put(names[i], new SlotClaim(this.slots, new BitSet()));
		}
		int[] owners = new int[this.slots];
		for (int i = 0; i < members; i++) {
			Map<String, SlotClaim> others = new HashMap<>(all);
			others.remove(names[i]);
			int owner = i;
			new SlotAssignment(names[i], this.slots).with(others).stream().forEach((slot) -> owners[slot] = owner);
		}
		return owners;
	}

	private ShardingOptions options(String identity) {
		return new ShardingOptions("shop", "default", identity, this.slots, SlotKey.OBJECT, Duration.ofSeconds(15),
				Duration.ofSeconds(10), Duration.ofSeconds(2));
	}

}
