/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.informer.client.ObjectState;
import dev.informer.replicas.Shard.Key;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link SlotSelector}.
 */
class SlotSelectorTests {

	@Test
	void parameter_namesTheRangesOfTheSlots() {
		assertThat(SlotSelector.of(Key.UID, 2, Set.of(0)).parameters()).containsExactly(
				entry("shardSelector", "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"));
		assertThat(SlotSelector.of(Key.UID, 64, Set.of(1, 2, 62, 63)).parameters()).containsEntry("shardSelector",
				"shardRange(object.metadata.uid, '0x0400000000000000', '0x0c00000000000000')"
						+ " || shardRange(object.metadata.uid, '0xf800000000000000', '0x10000000000000000')");
		assertThat(SlotSelector.of(Key.NAMESPACE, 64, Set.of(1)).parameters()).isEmpty();
	}

	@Test
	void slot_isTheUpperPartOfTheHash() {
		// FNV-1a: "a" is af63dc4c8601ec8c, "foobar" is 85944171f73967e8
		assertThat(SlotSelector.slotOf(Key.UID, 16, new ObjectState("ns", "name", "a", "1"))).isEqualTo(0xa);
		assertThat(SlotSelector.slotOf(Key.UID, 256, new ObjectState("ns", "name", "foobar", "1"))).isEqualTo(0x85);
	}

	@Test
	void excludedObject_isInNoneOfTheSlots() {
		SlotSelector selector = SlotSelector.of(Key.UID, 16, Set.of(0xa));
		assertThat(selector.excludes(new ObjectState("ns", "name", "a", null))).isFalse();
		assertThat(selector.excludes(new ObjectState("ns", "name", "foobar", null))).isTrue();
		// nothing is known about its slot
		assertThat(selector.excludes(new ObjectState("ns", "name", null, null))).isFalse();
	}

	@Test
	void equalSelectors_haveTheSameSlots() {
		SlotSelector selector = SlotSelector.of(Key.UID, 64, Set.of(3, 4));
		assertThat(selector).isEqualTo(SlotSelector.of(Key.UID, 64, Set.of(4, 3)))
			.hasSameHashCodeAs(SlotSelector.of(Key.UID, 64, Set.of(4, 3)))
			.hasToString("2 of 64 slots by UID");
		assertThat(selector).isNotEqualTo(SlotSelector.of(Key.UID, 64, Set.of(4)));
	}

	@Test
	void namesThatDifferAtTheirEnds_areSpread_unlikeByTheServer() {
		assertThat(slots((name) -> SlotSelector.slotOf(Key.NAMESPACE, 64, new ObjectState(name, null, null, null))))
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
