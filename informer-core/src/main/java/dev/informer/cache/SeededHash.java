/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.security.SecureRandom;

/**
 * Family of hash functions of texts with a secret seed. The names of objects and the
 * values of their labels are chosen by users of the cluster, who can compute any number
 * of texts with one {@link String#hashCode()}, but no texts that collide here.
 * <p>
 * A text is evaluated as a polynomial at a secret point, modulo a prime. Two texts of at
 * most n characters collide for at most n of its 2^61 points. Modulo a power of two there
 * are texts that collide for every point.
 *
 * @see <a href=
 * "https://en.wikipedia.org/wiki/Universal_hashing#Hashing_strings">Universal hashing of
 * strings</a>
 */
final class SeededHash {

	private static final int BITS = 61;

	private static final long PRIME = (1L << BITS) - 1;

	private static final long SEED = new SecureRandom().nextLong();

	private SeededHash() {
	}

	/**
	 * Return the hash of a text by one function of the family.
	 */
	static int of(CharSequence text, int number) {
		long point = mix(SEED + number) & PRIME;
		long hash = text.length();
		for (int i = 0; i < text.length(); i++) {
			hash = modulo(multiply(hash, point) + text.charAt(i));
		}
		return Long.hashCode(hash);
	}

	/**
	 * Return the product of two numbers below 2^61, modulo the prime and below 2^62.
	 */
	private static long multiply(long one, long other) {
		long low = one * other;
		long high = Math.multiplyHigh(one, other);
		return (low & PRIME) + ((high << (Long.SIZE - BITS)) | (low >>> BITS));
	}

	private static long modulo(long number) {
		long sum = (number & PRIME) + (number >>> BITS);
		return (sum >= PRIME) ? sum - PRIME : sum;
	}

	/** Finalizer of SplitMix64: seeds that differ by one give unrelated points. */
	private static long mix(long seed) {
		long mixed = (seed ^ (seed >>> 30)) * 0xBF58476D1CE4E5B9L;
		mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
		return mixed ^ (mixed >>> 31);
	}

}
