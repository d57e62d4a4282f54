/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.time.Duration;
import java.util.Optional;

import dev.informer.fault.journal.Violation;
import org.jspecify.annotations.Nullable;

/**
 * Effect of a fault, or of its end.
 *
 * @param outcome the expected outcome
 * @param bar the maximum time; {@code null} if nothing is to be taken over
 * @param happened whether another replica has taken over
 * @param after the time that it took
 * @param moved the number of slots with another owner
 * @param caches the time after which the caches of sharded informers were those of the
 * owners; {@code null} if they were not compared
 */
record Effect(Outcome outcome, @Nullable Duration bar, boolean happened, Duration after, int moved,
		@Nullable Duration caches) {

	/**
	 * Find the difference to the expected outcome.
	 */
	Optional<Violation> violation() {
		if (this.bar == null && this.happened) {
			return Optional.of(new Violation("taken over without need", "after " + this.after.toMillis() + " ms"));
		}
		if (this.bar != null && this.happened && this.after.compareTo(this.bar) > 0) {
			return Optional.of(new Violation("took over too late",
					"after %d ms, expected at most %d ms".formatted(this.after.toMillis(), this.bar.toMillis())));
		}
		if (!this.happened && this.outcome.requiresTakeover()) {
			return Optional.of(new Violation("no replica took over", this.outcome.toString()));
		}
		return Optional.empty();
	}

	@Override
	public String toString() {
		String takeover = this.happened ? "taken over after " + this.after.toMillis() + " ms"
				+ ((this.moved > 0) ? ", moved " + this.moved : "") : "kept";
		return takeover + ((this.caches != null) ? ", caches after " + this.caches.toMillis() + " ms" : "");
	}

}
