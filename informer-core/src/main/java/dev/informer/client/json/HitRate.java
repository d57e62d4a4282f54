/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

/**
 * Whether it is worth while to look up the texts of one origin, by how often that was in
 * vain of late. What is of no use is tried now and then all the same, because a cycle
 * that is long looks like no repetition at first. Threads that count at once may lose a
 * count.
 */
final class HitRate {

	private static final int BEST = 64;

	private static final int GAIN = 4;

	private static final int SAMPLED = 8;

	private int score = BEST;

	private int passedOver;

	/**
	 * Whether to look the next text up.
	 */
	boolean isExpected() {
		return this.score > 0 || ++this.passedOver % SAMPLED == 0;
	}

	void hit() {
		if (this.score < BEST) {
			this.score += GAIN;
		}
	}

	void miss() {
		if (this.score > 0) {
			this.score--;
		}
	}

}
