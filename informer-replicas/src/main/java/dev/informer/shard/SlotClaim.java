/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Slots that a member claims, as its Lease contains them.
 *
 * @param slots the number of slots of the member
 * @param claimed the slots that it claims, which are not modified
 */
record SlotClaim(int slots, BitSet claimed) {

	private static final Pattern TEXT = Pattern.compile("([0-9]{1,4}):([0-9a-fA-F]+)");

	/** Claim that is not known, so that it may include any slot of any member. */
	static final SlotClaim UNKNOWN = new SlotClaim(0, BitSet.valueOf(new long[] { 1 }));

	/**
	 * Return a claim of all slots of the same member.
	 */
	SlotClaim all() {
		BitSet all = new BitSet();
		all.set(0, Math.max(1, this.slots));
		return new SlotClaim(this.slots, all);
	}

	/**
	 * Return the text for the Lease: the number of slots, and their bits as hexadecimal
	 * digits, the first slot first.
	 */
	String text() {
		int width = width(this.slots);
		// an additional first digit keeps leading zeros
		BigInteger bits = BigInteger.ONE.shiftLeft(width);
		for (int slot = this.claimed.nextSetBit(0); slot >= 0; slot = this.claimed.nextSetBit(slot + 1)) {
			bits = bits.setBit(width - 1 - slot);
		}
		return this.slots + ":" + bits.toString(16).substring(1);
	}

	/**
	 * Return the number of bits, which are whole digits.
	 */
	private static int width(int slots) {
		return Math.max(4, slots);
	}

	/**
	 * Parse the text of a Lease; return {@code null} if the Lease is not that of a
	 * member.
	 */
	static @Nullable SlotClaim parse(String text) {
		Matcher matcher = TEXT.matcher(text);
		int slots = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
		int width = width(slots);
		if (slots < 2 || slots > ShardingOptions.MAX_SLOTS || matcher.group(2).length() * 4 != width) {
			return null;
		}
		BigInteger bits = new BigInteger(matcher.group(2), 16);
		BitSet claimed = new BitSet();
		for (int slot = 0; slot < width; slot++) {
			claimed.set(slot, bits.testBit(width - 1 - slot));
		}
		return new SlotClaim(slots, claimed);
	}

	/**
	 * Return whether the claim includes a slot of a member. One with another number of
	 * slots counts as including all of them.
	 * @param slots the number of slots of the member
	 */
	boolean includes(int slot, int slots) {
		return (this.slots == slots) ? this.claimed.get(slot) : !this.claimed.isEmpty();
	}

}
