/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.reflector.RetryDecision.Attempt;
import org.jspecify.annotations.Nullable;

/**
 * Failures of a run of a {@link Reflector} up to now, as far as they decide about the
 * next attempt.
 *
 * @param backoff the delay of the next failure that is no 410
 * @param expired the delay of the next 410. It is apart, because the delays of an outage
 * must not delay the list after it
 * @param failingSince the nano time at which the last working watch ended, or of the
 * first failure; {@code null} if there is neither
 * @param synced whether a list of this run is complete
 * @param resumable whether the watch can continue from the last version although a list
 * is the next attempt
 * @param outage whether the server was unavailable, so that another one may be in its
 * place
 * @param unverified whether the last watch ended otherwise than it should, so that
 * another server may be at the other end of the next connection
 * @param veryShortInRow the number of very short watches in a row
 * @param malformedInRow the number of malformed responses in a row
 * @param lastList the nano time of the last list that is complete, or was only attempted
 * because the watch was denied
 */
record RetryState(Backoff backoff, Backoff expired, @Nullable Long failingSince, boolean synced, boolean resumable,
		boolean outage, boolean unverified, int veryShortInRow, int malformedInRow, long lastList) {

	/**
	 * Return the state without a failure.
	 * @param policy the delays
	 */
	static RetryState initial(BackoffPolicy policy) {
		Backoff backoff = Backoff.of(policy);
		return new RetryState(backoff, backoff, null, false, false, false, false, 0, 0, 0);
	}

	/**
	 * Return the time since which the informer does not follow the server.
	 * @param now the nano time
	 */
	long nanosFailing(long now) {
		return (this.failingSince != null) ? now - this.failingSince : 0;
	}

	/**
	 * Return the attempt that continues from the last version.
	 */
	Attempt resume() {
		if (this.outage) {
			return Attempt.COMPARE;
		}
		return this.unverified ? Attempt.VERIFY_AND_WATCH : Attempt.WATCH;
	}

	RetryState backoff(Backoff next) {
		return new RetryState(next, this.expired, this.failingSince, this.synced, this.resumable, this.outage,
				this.unverified, this.veryShortInRow, this.malformedInRow, this.lastList);
	}

	RetryState expired(Backoff next) {
		return new RetryState(this.backoff, next, this.failingSince, this.synced, this.resumable, this.outage,
				this.unverified, this.veryShortInRow, this.malformedInRow, this.lastList);
	}

	RetryState failing(long now) {
		return (this.failingSince != null) ? this : new RetryState(this.backoff, this.expired, now, this.synced,
				this.resumable, this.outage, this.unverified, this.veryShortInRow, this.malformedInRow, this.lastList);
	}

	RetryState outage(boolean outage) {
		return new RetryState(this.backoff, this.expired, this.failingSince, this.synced, this.resumable, outage,
				this.unverified, this.veryShortInRow, this.malformedInRow, this.lastList);
	}

	RetryState unverified(boolean unverified) {
		return new RetryState(this.backoff, this.expired, this.failingSince, this.synced, this.resumable, this.outage,
				unverified, this.veryShortInRow, this.malformedInRow, this.lastList);
	}

	/**
	 * Return the state after a failed request.
	 */
	RetryState after(FailureClassification failure) {
		return (this.outage || !failure.mayBeReplaced()) ? this : outage(true);
	}

	RetryState veryShort(int inRow) {
		return new RetryState(this.backoff, this.expired, this.failingSince, this.synced, this.resumable, this.outage,
				this.unverified, inRow, this.malformedInRow, this.lastList);
	}

	RetryState malformed(int inRow) {
		return new RetryState(this.backoff, this.expired, this.failingSince, this.synced, this.resumable, this.outage,
				this.unverified, this.veryShortInRow, inRow, this.lastList);
	}

	/**
	 * Return the state before a list.
	 * @param reason the reason to list
	 * @param now the nano time
	 */
	RetryState relisting(RelistReason reason, long now) {
		boolean denied = reason == RelistReason.WATCH_DENIED;
		return new RetryState(this.backoff, this.expired, this.failingSince, this.synced, denied, this.outage,
				this.unverified, this.veryShortInRow, this.malformedInRow, denied ? now : this.lastList);
	}

	/**
	 * Return the state after a complete list.
	 * @param now the nano time
	 */
	RetryState listed(long now) {
		return new RetryState(this.backoff, this.expired, this.failingSince, true, false, false, false,
				this.veryShortInRow, 0, now);
	}

	/**
	 * Return the state after a watch.
	 * @param progress the progress that it made
	 * @param now the nano time
	 */
	RetryState watched(WatchOutcome.Progress progress, long now) {
		Backoff initial = Backoff.of(this.backoff.policy());
		boolean continuing = this.failingSince != null && !progress.following();
		return new RetryState(progress.steady() ? initial : this.backoff, progress.lasting() ? initial : this.expired,
				continuing ? this.failingSince : Long.valueOf(now), this.synced, this.resumable, this.outage,
				this.unverified, progress.proven() ? 0 : this.veryShortInRow,
				progress.advanced() ? 0 : this.malformedInRow, this.lastList);
	}

}
