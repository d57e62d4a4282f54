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
 * next attempt. A {@link RetryDecider} changes copies only.
 */
final class RetryState {

	/** Delay of the next failure that is no 410. */
	Backoff backoff;

	/**
	 * Delay of the next 410. It is apart, because the delays of an outage must not delay
	 * the list after it.
	 */
	Backoff expired;

	/**
	 * Nano time at which the last working watch ended, or of the first failure;
	 * {@code null} if there is neither.
	 */
	@Nullable Long failingSince;

	/** Whether a list of this run is complete. */
	boolean synced;

	/**
	 * Whether the watch can continue from the last version although a list is the next
	 * attempt.
	 */
	boolean resumable;

	/** Whether the server was unavailable, so that another one may be in its place. */
	boolean outage;

	/**
	 * Whether the last watch ended otherwise than it should, so that another server may
	 * be at the other end of the next connection.
	 */
	boolean unverified;

	int veryShortInRow;

	int malformedInRow;

	/**
	 * Nano time of the last list that is complete, or was only attempted because the
	 * watch was denied.
	 */
	long lastList;

	/**
	 * Create a state without a failure.
	 */
	RetryState(BackoffPolicy policy) {
		this.backoff = Backoff.of(policy);
		this.expired = this.backoff;
	}

	/**
	 * Create a copy.
	 */
	RetryState(RetryState other) {
		this.backoff = other.backoff;
		this.expired = other.expired;
		this.failingSince = other.failingSince;
		this.synced = other.synced;
		this.resumable = other.resumable;
		this.outage = other.outage;
		this.unverified = other.unverified;
		this.veryShortInRow = other.veryShortInRow;
		this.malformedInRow = other.malformedInRow;
		this.lastList = other.lastList;
	}

	/**
	 * Return the time since which the informer does not follow the server.
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

	/**
	 * Record a reason to list before the next watch.
	 */
	void relisting(RelistReason reason, long now) {
		this.resumable = reason == RelistReason.WATCH_DENIED;
		this.lastList = this.resumable ? now : this.lastList;
	}

	/**
	 * Record a complete list.
	 */
	void listed(long now) {
		this.synced = true;
		this.resumable = false;
		this.outage = false;
		this.unverified = false;
		this.malformedInRow = 0;
		this.lastList = now;
	}

	/**
	 * Record a watch.
	 */
	void watched(AttemptOutcome.Progress progress, long now) {
		Backoff initial = Backoff.of(this.backoff.policy());
		this.backoff = progress.steady() ? initial : this.backoff;
		this.expired = progress.lasting() ? initial : this.expired;
		this.failingSince = (this.failingSince != null && !progress.following()) ? this.failingSince
				: Long.valueOf(now);
		this.veryShortInRow = progress.proven() ? 0 : this.veryShortInRow;
		this.malformedInRow = progress.advanced() ? 0 : this.malformedInRow;
	}

}
