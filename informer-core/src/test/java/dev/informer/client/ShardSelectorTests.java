/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.informer.Shard.Key;
import dev.informer.support.SlotHash;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShardSelector}.
 */
class ShardSelectorTests {

	@Test
	void parameter_namesTheRangesOfTheSlots() {
		assertThat(ShardSelector.of(Key.UID, 2, Set.of(0)).toParameter())
			.isEqualTo("shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')");
		assertThat(ShardSelector.of(Key.UID, 64, Set.of(1, 2, 62, 63)).toParameter())
			.isEqualTo("shardRange(object.metadata.uid, '0x0400000000000000', '0x0c00000000000000')"
					+ " || shardRange(object.metadata.uid, '0xf800000000000000', '0x10000000000000000')");
		assertThat(ShardSelector.of(Key.NAMESPACE, 64, Set.of(1)).toParameter()).isNull();
	}

	@Test
	void slot_isTheUpperPartOfTheHash() {
		// FNV-1a: "a" is af63dc4c8601ec8c, "foobar" is 85944171f73967e8
		assertThat(ShardSelector.slotOf(Key.UID, 16, new ObjectState("ns", "name", "a", "1"))).isEqualTo(0xa);
		assertThat(ShardSelector.slotOf(Key.UID, 256, new ObjectState("ns", "name", "foobar", "1"))).isEqualTo(0x85);
	}

	@Test
	void excludedObject_isInNoneOfTheSlots() {
		ShardSelector selector = ShardSelector.of(Key.UID, 16, Set.of(0xa));
		assertThat(selector.excludes(new ObjectState("ns", "name", "a", null))).isFalse();
		assertThat(selector.excludes(new ObjectState("ns", "name", "foobar", null))).isTrue();
		// nothing is known about its slot
		assertThat(selector.excludes(new ObjectState("ns", "name", null, null))).isFalse();
	}

	@Test
	void difference_hasTheSlotsOfOneSelectorOnly() {
		ShardSelector before = ShardSelector.of(Key.UID, 64, Set.of(1, 2, 3));
		ShardSelector after = ShardSelector.of(Key.UID, 64, Set.of(3, 4));
		assertThat(after.without(before)).isEqualTo(ShardSelector.of(Key.UID, 64, Set.of(4)))
			.hasSameHashCodeAs(ShardSelector.of(Key.UID, 64, Set.of(4)))
			.hasToString("1 of 64 slots by UID");
		assertThat(before.without(before).isEmpty()).isTrue();
		assertThat(before).isNotEqualTo(after);
	}

	@Test
	void namesThatDifferAtTheirEnds_areSpread_unlikeByTheServer() {
		assertThat(slots((name) -> ShardSelector.slotOf(Key.NAMESPACE, 64, new ObjectState(name, null, null, null))))
			.hasSizeGreaterThan(50);
		assertThat(slots((name) -> SlotHash.slot(SlotHash.fnv1a(name), 64))).hasSize(2);
	}

	private static Set<Integer> slots(ToIntFunction<String> slotOf) {
		return IntStream.range(0, 200)
			.mapToObj((number) -> String.format("team-%03d", number))
			.map(slotOf::applyAsInt)
			.collect(Collectors.toSet());
	}

}
