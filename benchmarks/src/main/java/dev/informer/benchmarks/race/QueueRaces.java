/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.race;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * jcstress tests of changes that are queued while others are taken.
 */
public final class QueueRaces {

	private static final long LONG = 30_000_000_000L;

	private QueueRaces() {
	}

	/**
	 * Test that changes of one key are taken once each and in order, whenever they are
	 * queued.
	 */
	@JCStressTest
	@Outcome(id = "12", expect = Expect.ACCEPTABLE, desc = "once and in order")
	@Outcome(expect = Expect.FORBIDDEN, desc = "lost, twice or overtaken")
	@State
	public static class Order {

		private final RacedQueue queue = new RacedQueue();

		/**
		 * Change an object twice.
		 */
		@Actor
		public void produce() {
			this.queue.add("one", "a", 1);
			this.queue.add("one", "a", 2);
		}

		/**
		 * Take the queued batches.
		 */
		@Actor
		public void consume() {
			this.queue.take(0);
		}

		/**
		 * Take the rest.
		 * @param result the changes that were taken
		 */
		@Arbiter
		public void rest(L_Result result) {
			this.queue.take(0);
			this.queue.take(0);
			result.r1 = this.queue.taken();
		}

	}

	/**
	 * Test that two producers lose no change of each other.
	 */
	@JCStressTest
	@Outcome(id = { "12, 2", "21, 2" }, expect = Expect.ACCEPTABLE, desc = "both")
	@Outcome(expect = Expect.FORBIDDEN, desc = "lost")
	@State
	public static class Producers {

		private final RacedQueue queue = new RacedQueue();

		/**
		 * Add an object in one namespace.
		 */
		@Actor
		public void one() {
			this.queue.add("one", "one/a", 1);
		}

		/**
		 * Add an object in another namespace.
		 */
		@Actor
		public void two() {
			this.queue.add("two", "two/a", 2);
		}

		/**
		 * Take both objects.
		 * @param result the changes that were taken, and the number of objects in the
		 * store
		 */
		@Arbiter
		public void take(LI_Result result) {
			this.queue.take(0);
			this.queue.take(0);
			result.r1 = this.queue.taken();
			result.r2 = this.queue.stored();
		}

	}

	/**
	 * Test that a deletion is applied, whether its object is queued, being processed, or
	 * stored.
	 */
	@JCStressTest
	@Outcome(id = "12, 0", expect = Expect.ACCEPTABLE, desc = "added and deleted")
	@Outcome(expect = Expect.FORBIDDEN, desc = "the deletion is lost")
	@State
	public static class Deletion {

		private final RacedQueue queue = new RacedQueue();

		/**
		 * Create the state with a queued object.
		 */
		public Deletion() {
			this.queue.add("one", "a", 1);
		}

		/**
		 * Store the queued object.
		 */
		@Actor
		public void process() {
			this.queue.take(0);
		}

		/**
		 * Delete the object.
		 */
		@Actor
		public void delete() {
			this.queue.delete("one", "a", 2);
		}

		/**
		 * Take the rest.
		 * @param result the changes that were taken, and the number of objects in the
		 * store
		 */
		@Arbiter
		public void rest(LI_Result result) {
			this.queue.take(0);
			result.r1 = this.queue.taken();
			result.r2 = this.queue.stored();
		}

	}

	/**
	 * Test that a change wakes a waiting thread.
	 */
	@JCStressTest
	@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "woken")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken")
	@State
	public static class WakeUp {

		private final RacedQueue queue = new RacedQueue();

		/**
		 * Add an object.
		 */
		@Actor
		public void produce() {
			this.queue.add("one", "a", 1);
		}

		/**
		 * Wait for the object.
		 * @param result the changes that were taken
		 */
		@Actor
		public void consume(L_Result result) {
			this.queue.take(LONG);
			result.r1 = this.queue.taken();
		}

	}

	/**
	 * Test that closing a queue ends the wait, and that changes queued before can still
	 * be taken.
	 */
	@JCStressTest
	@Outcome(id = { "1", "nothing" }, expect = Expect.ACCEPTABLE, desc = "taken, or rejected")
	@Outcome(expect = Expect.FORBIDDEN, desc = "anything else")
	@State
	public static class Close {

		private final RacedQueue queue = new RacedQueue();

		/**
		 * Add an object, perhaps too late.
		 */
		@Actor
		public void produce() {
			this.queue.add("one", "a", 1);
		}

		/**
		 * Close the queue.
		 */
		@Actor
		public void close() {
			this.queue.close();
		}

		/**
		 * Take the queued batches without waiting for more.
		 * @param result the changes that were taken
		 */
		@Arbiter
		public void rest(L_Result result) {
			this.queue.take(LONG);
			result.r1 = this.queue.taken().isEmpty() ? "nothing" : this.queue.taken();
		}

	}

}
