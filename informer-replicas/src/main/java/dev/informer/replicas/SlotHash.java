/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.nio.charset.StandardCharsets;

/**
 * Hash function for slots: 64-bit FNV-1a, as the API server uses it for its shard ranges.
 *
 * @see <a href="https://datatracker.ietf.org/doc/html/rfc9923">RFC 9923</a>
 */
public final class SlotHash {

	private static final long OFFSET_BASIS = 0xcbf29ce484222325L;

	private static final long PRIME = 0x100000001b3L;

	private SlotHash() {
	}

	/**
	 * Return the 64-bit FNV-1a hash of a text.
	 */
	public static long fnv1a(String text) {
		long hash = OFFSET_BASIS;
		for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
			hash = (hash ^ (octet & 0xff)) * PRIME;
		}
		return hash;
	}

	/**
	 * Spread a hash over all bits. The last characters of a text hardly change the upper
	 * bits of its FNV-1a hash, and names often differ in these only.
	 */
	public static long mix(long hash) {
		// finalizer of SplitMix64
		long mixed = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
		return mixed ^ (mixed >>> 31);
	}

	/**
	 * Return the slot of a hash: slots are ranges of equal size, in ascending order.
	 */
	public static int slot(long hash, int slots) {
		return (int) (hash >>> (Long.SIZE - Integer.numberOfTrailingZeros(slots)));
	}

}
