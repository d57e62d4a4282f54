/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.BitSet;

import dev.informer.InvalidOptionException;
import dev.informer.replicas.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ShardingOptions} and {@link SlotClaim}.
 */
class ShardingOptionsTests {

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1, 3, 63, 8192 })
	void slotsThatAreNoPowerOfTwo_areRejected(int slots) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> options("shop", "a", slots, SlotKey.OBJECT))
			.withMessageContaining("must be a power of two between 2 and 4096, but is " + slots);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Shop", "-shop", "shop_1", "shop.eu" })
	void groupThatIsNoLabel_isRejected(String group) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> options(group, "a", 64, SlotKey.OBJECT))
			.withMessageContaining("but is '" + group + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Shop", "a b", "shop_1", "shop.eu", "@current" })
	void namespaceThatIsNoLabel_isRejected(String namespace) {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> new ShardingOptions("shop", namespace, "a", 64, SlotKey.OBJECT, Duration.ofSeconds(15),
					Duration.ofSeconds(10), Duration.ofSeconds(2)))
			.withMessageContaining("but is '" + namespace + "'")
			.satisfies((ex) -> assertThat(ex.option()).isEqualTo("lease-namespace"));
	}

	@Test
	void emptyIdentity_isRejected() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> options("shop", " ", 64, SlotKey.OBJECT));
	}

	@Test
	void namesThatDifferInTheLastCharacter_areSpreadOverTheSlots() {
		ShardingOptions options = options("shop", "a", 64, SlotKey.OBJECT);
		BitSet slots = new BitSet();
		for (char letter = 'a'; letter <= 'z'; letter++) {
			slots.set(options.slotOf("default", "pod-" + letter));
		}
		assertThat(slots.cardinality()).isGreaterThan(12);
		assertThat(slots.length()).isLessThanOrEqualTo(64);
	}

	@Test
	void namespaceAsKey_hasOneSlotForItsObjects() {
		ShardingOptions options = options("shop", "a", 64, SlotKey.NAMESPACE);
		assertThat(options.slotOf("default", "one")).isEqualTo(options.slotOf("default", "two"));
		assertThat(options.slotOf(null, "one")).isNotEqualTo(options.slotOf(null, "two"));
	}

	@Test
	void nameOfLease_isValidForAnyIdentity() {
		assertThat(options("shop", "Host_Name/with:anything", 64, SlotKey.OBJECT).location().name())
			.matches("shop-[0-9a-f]{16}");
	}

	@Test
	void identityThatOthersWouldNotKeep_isRejected() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> options("shop", "x".repeat(501), 64, SlotKey.OBJECT))
			.withMessageContaining("must have at most 500 characters, but has 501");
	}

	@Test
	void hash_isThatOfTheSpecification() {
		assertThat(SlotHash.fnv1a("")).isEqualTo(0xcbf29ce484222325L);
		assertThat(SlotHash.fnv1a("a")).isEqualTo(0xaf63dc4c8601ec8cL);
		assertThat(SlotHash.fnv1a("foobar")).isEqualTo(0x85944171f73967e8L);
		assertThat(SlotHash.slot(-1L, 64)).isEqualTo(63);
		assertThat(SlotHash.slot(0x8000000000000000L, 2)).isEqualTo(1);
	}

	@Test
	void claim_isReadAsItWasWritten() {
		BitSet slots = new BitSet();
		slots.set(0);
		slots.set(6);
		slots.set(15);
		SlotClaim claim = new SlotClaim(16, slots);
		assertThat(claim.text()).isEqualTo("16:8201");
		assertThat(SlotClaim.parse("16:8201")).isEqualTo(claim);
		assertThat(claim.includes(6, 16)).isTrue();
		assertThat(claim.includes(7, 16)).isFalse();
		assertThat(claim.includes(7, 8)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "16", ":", "16:", "16:82011", "16:82g1", "x:8201", "0:", "-4:f" })
	void textOfOthers_isNoClaim(String text) {
		assertThat(SlotClaim.parse(text)).isNull();
	}

	private static ShardingOptions options(String group, String identity, int slots, SlotKey by) {
		return new ShardingOptions(group, "default", identity, slots, by, Duration.ofSeconds(15),
				Duration.ofSeconds(10), Duration.ofSeconds(2));
	}

}
