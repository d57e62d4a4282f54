/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.race;

import java.util.concurrent.ThreadLocalRandom;

import dev.informer.client.protobuf.RacedParts;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * jcstress tests of parts of objects that threads look up while others add and displace
 * them. All states of a test use one cache, and displace each other's parts.
 */
public final class PartRaces {

	private static final int HASH = 7;

	private PartRaces() {
	}

	private static int randomPart() {
		return ThreadLocalRandom.current().nextInt(RacedParts.COUNT);
	}

	/**
	 * Test that bytes are found with what they were decoded into, or not at all.
	 */
	@JCStressTest
	@Outcome(id = { "all", "some", "none" }, expect = Expect.ACCEPTABLE, desc = "found as added, or not found")
	@Outcome(expect = Expect.FORBIDDEN, desc = "another part is found")
	@State
	public static class Lookup {

		private static final RacedParts parts = new RacedParts();

		private final int first = randomPart();

		/**
		 * Add parts.
		 */
		@Actor
		public void add() {
			parts.add(this.first, HASH);
		}

		/**
		 * Look up the same parts.
		 * @param result which of them are found
		 */
		@Actor
		public void find(L_Result result) {
			result.r1 = parts.find(this.first, HASH);
		}

	}

	/**
	 * Test that the size of the cache is right after concurrent additions.
	 */
	@JCStressTest
	@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "in bounds, and that of the parts")
	@Outcome(expect = Expect.FORBIDDEN, desc = "wrong")
	@State
	public static class Size {

		private static final RacedParts parts = new RacedParts();

		private final int first = randomPart();

		private boolean oneInBounds;

		private boolean twoInBounds;

		/**
		 * Add parts.
		 */
		@Actor
		public void one() {
			parts.add(this.first, HASH);
			this.oneInBounds = parts.isInBounds();
		}

		/**
		 * Add parts, some of them the same.
		 */
		@Actor
		public void two() {
			parts.add(this.first + 3, HASH << this.first);
			this.twoInBounds = parts.isInBounds();
		}

		/**
		 * Displace all parts.
		 * @param result whether the size was in bounds, and whether it is right
		 */
		@Arbiter
		public void displace(ZZ_Result result) {
			result.r1 = this.oneInBounds && this.twoInBounds;
			result.r2 = parts.isEmptied();
		}

	}

	/**
	 * Test that two threads with one decoder decode their objects right.
	 */
	@JCStressTest
	@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "the objects of these bytes")
	@Outcome(expect = Expect.FORBIDDEN, desc = "another object")
	@State
	public static class Decoding {

		private final int first = randomPart();

		private final int second = randomPart();

		/**
		 * Decode an object.
		 * @param result whether it is right
		 */
		@Actor
		public void one(ZZ_Result result) {
			result.r1 = RacedParts.isDecodedRight(this.first);
		}

		/**
		 * Decode another one.
		 * @param result whether it is right
		 */
		@Actor
		public void two(ZZ_Result result) {
			result.r2 = RacedParts.isDecodedRight(this.second);
		}

	}

}
