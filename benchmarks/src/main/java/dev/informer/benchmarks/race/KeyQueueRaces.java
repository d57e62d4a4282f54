/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.race;

import dev.informer.reconcilers.RacedKey;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * jcstress tests of reconcilers: calls end while the object of their key changes.
 */
public final class KeyQueueRaces {

	private KeyQueueRaces() {
	}

	/**
	 * Test that the last call sees the last change, and that calls do not overlap.
	 */
	@JCStressTest
	@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "seen by the last call")
	@Outcome(expect = Expect.FORBIDDEN, desc = "lost, or two calls at once")
	@State
	public static class LastChange {

		private final RacedKey key = new RacedKey();

		/**
		 * Create the state with a key in a call.
		 */
		public LastChange() {
			this.key.trigger();
			this.key.begin();
		}

		/**
		 * End the call, and make another one.
		 */
		@Actor
		public void call() {
			this.key.end();
			this.key.call();
		}

		/**
		 * Change the object, and make a call if there is one.
		 */
		@Actor
		public void change() {
			this.key.change(1);
			this.key.call();
		}

		/**
		 * Make the rest of the calls.
		 * @param result the state that the last call has seen, and the largest number of
		 * calls at the same time
		 */
		@Arbiter
		public void rest(II_Result result) {
			this.key.call();
			result.r1 = this.key.seen();
			result.r2 = this.key.most();
		}

	}

	/**
	 * Test that the key of an object that is deleted and created again is called once at
	 * a time, whenever its call ends.
	 */
	@JCStressTest
	@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "one call at a time")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no call, or two at once")
	@State
	public static class Successor {

		private final RacedKey key = new RacedKey();

		/**
		 * Create the state with a waiting key.
		 */
		public Successor() {
			this.key.trigger();
		}

		/**
		 * Make a call.
		 */
		@Actor
		public void call() {
			this.key.call();
		}

		/**
		 * Delete the object, create it again, and make a call.
		 */
		@Actor
		public void recreate() {
			this.key.delete();
			this.key.trigger();
			this.key.call();
		}

		/**
		 * Make the rest of the calls.
		 * @param result the largest number of calls at the same time
		 */
		@Arbiter
		public void rest(I_Result result) {
			this.key.call();
			result.r1 = this.key.most();
		}

	}

}
