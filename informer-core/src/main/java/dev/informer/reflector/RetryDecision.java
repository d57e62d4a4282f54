/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerState.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Decision about the next attempt of a {@link Reflector}.
 */
sealed interface RetryDecision {

	/**
	 * Return the state that the next decision is based on.
	 */
	RetryState state();

	/**
	 * Make the next attempt at once.
	 *
	 * @param relistReason the reason to list again; {@code null} if there is none to
	 * report
	 * @param failure the failure to report; {@code null} if there is none
	 */
	record Proceed(Attempt next, @Nullable RelistReason relistReason, @Nullable FailureClassification failure,
			RetryState state) implements RetryDecision {
	}

	/**
	 * Report a failure and make the next attempt after a delay.
	 *
	 * @param phase the phase during the delay
	 * @param relistReason the reason to list again; {@code null} if there is none to
	 * report
	 */
	record Retry(Duration delay, Phase phase, Attempt next, @Nullable RelistReason relistReason,
			FailureClassification failure, RetryState state) implements RetryDecision {
	}

	/**
	 * Report a failure and make no further attempt.
	 */
	record GiveUp(FailureClassification failure, RetryState state) implements RetryDecision {
	}

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
