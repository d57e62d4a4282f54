/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.time.Duration;

import dev.informer.fault.client.ReplicaDurations;
import org.jspecify.annotations.Nullable;

/**
 * Fault of replicas, their network, clocks or API server.
 *
 * @param name the unique name
 * @param outcome the expected outcome
 * @param action injects the fault
 */
record LeaderFault(String name, Outcome outcome, Action action) {

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * Expected outcome of a fault.
	 */
	enum Outcome {

		/** The Lease expires and another term begins. */
		EXPIRED,

		/** The Lease is released and another term begins. */
		RELEASED,

		/** The term continues. */
		KEPT,

		/** The term continues, or another one begins in time. */
		ANY;

		/**
		 * Return the maximum time until another term begins.
		 * @param durations the durations of the election
		 * @return the time; {@code null} if the term continues
		 */
		@Nullable Duration bar(ReplicaDurations durations) {
			return switch (this) {
				case EXPIRED, ANY -> durations.lease().plusSeconds(2);
				case RELEASED -> Duration.ofSeconds(1);
				case KEPT -> null;
			};
		}

		boolean requiresTakeover() {
			return this == EXPIRED || this == RELEASED;
		}

	}

	/**
	 * Injection of a fault.
	 */
	interface Action {

		/**
		 * Inject the fault, and return when its effects can be judged. What is not undone
		 * then is undone by the suite.
		 * @param stage the replicas and their servers
		 * @throws Exception if the fault cannot be injected
		 */
		void run(LeaderStage stage) throws Exception;

	}

}
