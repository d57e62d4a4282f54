/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerState.Phase;
import dev.informer.reflector.RetryDecider.RetryState;
import org.jspecify.annotations.Nullable;

/**
 * Decision about the next attempt of a {@link Reflector}.
 *
 * @param next the next attempt; without a meaning after a permanent failure
 * @param phase the phase during the delay before it; {@link Phase#FAILED} if there is no
 * further attempt, {@code null} if it follows at once
 * @param state the state that the next decision is based on
 */
record RetryDecision(Attempt next, @Nullable Phase phase, Duration delay, @Nullable RelistReason relistReason,
		@Nullable FailureClassification failure, RetryState state) {

	/**
	 * Kind of an attempt.
	 */
	enum Attempt {

		/** List from the start, as a stream where that is enabled and supported. */
		LIST,

		/** List by pages, resuming an interrupted list. */
		LIST_BY_PAGES,

		/** Check whether the server's versions were rolled back, before a watch. */
		CHECK_ROLLBACK,

		/** Compare the server's objects with the cache, before a watch. */
		COMPARE,

		/** Watch from the version before the last changes, which have to come again. */
		VERIFY_AND_WATCH,

		/** Watch from the last version. */
		WATCH;

		boolean isList() {
			return this == LIST || this == LIST_BY_PAGES;
		}

	}

}
