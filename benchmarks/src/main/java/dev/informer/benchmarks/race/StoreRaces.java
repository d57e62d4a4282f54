/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.race;

import java.util.List;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * jcstress tests of readers of the store while it is changed.
 */
public final class StoreRaces {

	private StoreRaces() {
	}

	/**
	 * Test that a batch is visible as a whole: in a list, and in an index.
	 */
	@JCStressTest
	@Outcome(id = { "1, 1, 1", "2, 2, 1" }, expect = Expect.ACCEPTABLE, desc = "before or after the batch")
	@Outcome(expect = Expect.FORBIDDEN, desc = "half of the batch")
	@State
	public static class Batch {

		private final RacedStore store = new RacedStore();

		/**
		 * Change both pods.
		 */
		@Actor
		public void write() {
			this.store.write(2);
		}

		/**
		 * List the pods.
		 * @param result the versions of the pods, and the number of versions in the index
		 */
		@Actor
		public void read(III_Result result) {
			List<Integer> versions = this.store.versions();
			result.r1 = versions.get(0);
			result.r2 = versions.get(1);
			result.r3 = this.store.indexed();
		}

	}

	/**
	 * Test that a reader of the store's version sees all objects of that version.
	 */
	@JCStressTest
	@Outcome(id = { "1, 1", "1, 2", "2, 2" }, expect = Expect.ACCEPTABLE, desc = "in order")
	@Outcome(id = "2, 1", expect = Expect.FORBIDDEN, desc = "the store is behind its version")
	@State
	public static class VersionFirst {

		private final RacedStore store = new RacedStore();

		/**
		 * Change both pods.
		 */
		@Actor
		public void write() {
			this.store.write(2);
		}

		/**
		 * Read the version of the store before a pod.
		 * @param result both versions
		 */
		@Actor
		public void read(II_Result result) {
			result.r1 = this.store.version();
			result.r2 = this.store.version("a");
		}

	}

	/**
	 * Test that a reader of one pod of a batch sees the other pod, and the version.
	 */
	@JCStressTest
	@Outcome(id = { "1, 1, 1", "1, 1, 2", "1, 2, 2", "2, 2, 2" }, expect = Expect.ACCEPTABLE, desc = "in order")
	@Outcome(expect = Expect.FORBIDDEN, desc = "back in time")
	@State
	public static class PodFirst {

		private final RacedStore store = new RacedStore();

		/**
		 * Change both pods.
		 */
		@Actor
		public void write() {
			this.store.write(2);
		}

		/**
		 * Read one pod, then the other one, then the version.
		 * @param result all three versions
		 */
		@Actor
		public void read(III_Result result) {
			result.r1 = this.store.version("b");
			result.r2 = this.store.version("a");
			result.r3 = this.store.version();
		}

	}

}
