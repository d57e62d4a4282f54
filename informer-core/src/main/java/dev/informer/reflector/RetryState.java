/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import dev.informer.BackoffPolicy;

/**
 * Failures of a {@link Reflector} up to now, as far as they decide about the next
 * attempt.
 *
 * @param backoff the delay of the next failure
 * @param veryShortInRow the number of very short watches in a row
 * @param malformedInRow the number of malformed responses in a row
 * @param lastList the nano time of the last complete list
 */
record RetryState(Backoff backoff, int veryShortInRow, int malformedInRow, long lastList) {

	/**
	 * Return the state without a failure.
	 * @param policy the delays
	 */
	static RetryState initial(BackoffPolicy policy) {
		return new RetryState(Backoff.of(policy), 0, 0, 0);
	}

	/**
	 * Return whether an open watch counts as a recovery: not if the last ones opened as
	 * well and failed nevertheless.
	 */
	boolean isWatchProven() {
		return this.veryShortInRow == 0 && this.malformedInRow == 0;
	}

	RetryState backoff(Backoff next) {
		return new RetryState(next, this.veryShortInRow, this.malformedInRow, this.lastList);
	}

	RetryState veryShort(int inRow) {
		return new RetryState(this.backoff, inRow, this.malformedInRow, this.lastList);
	}

	RetryState malformed(int inRow) {
		return new RetryState(this.backoff, this.veryShortInRow, inRow, this.lastList);
	}

	RetryState listed(long now) {
		return new RetryState(this.backoff, this.veryShortInRow, 0, now);
	}

	/**
	 * Return the state after a watch.
	 * @param progress the progress that it made
	 */
	RetryState watched(WatchOutcome.Progress progress) {
		return new RetryState(this.backoff, progress.proven() ? 0 : this.veryShortInRow,
				progress.advanced() ? 0 : this.malformedInRow, this.lastList);
	}

}
