/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.BitSet;

import org.jspecify.annotations.Nullable;

/**
 * Slots that a member claims, as its Lease contains them.
 *
 * @param slots the number of slots of the member
 * @param claimed the slots that it claims, which are not modified
 */
record SlotClaim(int slots, BitSet claimed) {

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
		StringBuilder text = new StringBuilder().append(this.slots).append(':');
		for (int slot = 0; slot < this.slots; slot += 4) {
			int digit = 0;
			for (int bit = 0; bit < 4; bit++) {
				digit = digit * 2 + (this.claimed.get(slot + bit) ? 1 : 0);
			}
			text.append(Character.forDigit(digit, 16));
		}
		return text.toString();
	}

	/**
	 * Parse the text of a Lease; return {@code null} if the Lease is not that of a
	 * member.
	 */
	static @Nullable SlotClaim parse(String text) {
		int colon = text.indexOf(':');
		try {
			int slots = Integer.parseInt(text.substring(0, Math.max(colon, 0)));
			String digits = text.substring(colon + 1);
			if (slots < 2 || slots > ShardingOptions.MAX_SLOTS || digits.length() != (slots + 3) / 4) {
				return null;
			}
			BitSet claimed = new BitSet();
			for (int i = 0; i < digits.length(); i++) {
				int digit = Character.digit(digits.charAt(i), 16);
				if (digit < 0) {
					return null;
				}
				for (int bit = 0; bit < 4; bit++) {
					if ((digit & (8 >> bit)) != 0) {
						claimed.set(4 * i + bit);
					}
				}
			}
			return new SlotClaim(slots, claimed);
		}
		catch (NumberFormatException ex) {
			return null;
		}
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
