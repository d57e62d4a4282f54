/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Duration;

import dev.informer.InvalidOptionException;
import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Durations of the holder of a Lease. Immutable.
 *
 * @param leaseDuration the time after which a Lease that its holder has not renewed has
 * expired
 * @param renewDeadline the time after which a holder that could not renew gives up
 * @param retryPeriod the time between renewals, and before a failed request is repeated
 */
public record LeaseDurations(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	/** Maximum random addition to the retry period, relative to it, as in client-go. */
	private static final double JITTER = 0.2;

	/**
	 * Maximum time for which the Lease of another process is respected, by own durations.
	 */
	private static final int MAX_HELD_FACTOR = 10;

	/** Minimum of that maximum: a process with longer durations may be right. */
	private static final Duration MIN_MAX_HELD = Duration.ofMinutes(5);

	/** Each period is a request: a number without a unit is one of milliseconds. */
	private static final Duration MIN_RETRY_PERIOD = Duration.ofMillis(100);

	/** Seconds are an {@code int32} in the Lease. */
	private static final Duration MAX_LEASE_DURATION = Duration.ofSeconds(Integer.MAX_VALUE);

	/**
	 * Validate the values.
	 * @throws InvalidOptionException if the durations contradict each other
	 */
	public LeaseDurations {
		if (retryPeriod.compareTo(MIN_RETRY_PERIOD) < 0) {
			throw new InvalidOptionException("retry-period",
					"must be at least " + millis(MIN_RETRY_PERIOD) + ", but is " + millis(retryPeriod));
		}
		if (renewDeadline.compareTo(jittered(retryPeriod)) <= 0) {
			throw new InvalidOptionException("renew-deadline",
					"must be longer than 1.2 times the option 'retry-period', which is " + millis(retryPeriod)
							+ ", but is " + millis(renewDeadline));
		}
		if (leaseDuration.compareTo(renewDeadline) <= 0) {
			throw new InvalidOptionException("lease-duration",
					"must be longer than the option 'renew-deadline', which is " + millis(renewDeadline) + ", but is "
							+ millis(leaseDuration));
		}
		if (leaseDuration.compareTo(MAX_LEASE_DURATION) > 0) {
			throw new InvalidOptionException("lease-duration", "must not be longer than "
					+ MAX_LEASE_DURATION.toSeconds() + " s, but is " + millis(leaseDuration));
		}
	}

	private static Duration jittered(Duration retryPeriod) {
		return Duration.ofNanos((long) (TimeSource.nanos(retryPeriod) * (1 + JITTER)));
	}

	private static String millis(Duration duration) {
		return TimeSource.millis(duration) + " ms";
	}

	/**
	 * Return the lease duration as it is written into the Lease, in whole seconds.
	 * @return the seconds, rounded up
	 */
	public int leaseSeconds() {
		return (int) this.leaseDuration.plusNanos(999_999_999).toSeconds();
	}

	/**
	 * Return the time for which the Lease of another process is respected without a
	 * change: that which it contains, at most ten times the own lease duration or five
	 * minutes, if that is longer. Without a positive duration it is the own one.
	 * @param record the content of the Lease
	 * @return the time in nanoseconds
	 */
	public long heldNanos(LeaseRecord record) {
		long seconds = (record.durationSeconds() > 0) ? record.durationSeconds() : leaseSeconds();
		return Math.min(TimeSource.nanos(Duration.ofSeconds(seconds)), maxHeldNanos());
	}

	/**
	 * Return the problem of a Lease with a longer duration than is respected.
	 * @param name the name of the Lease
	 * @param record the content of the Lease
	 * @return the end of a sentence; {@code null} if it is not longer
	 */
	public @Nullable String tooLong(String name, LeaseRecord record) {
		if (TimeSource.nanos(Duration.ofSeconds(record.durationSeconds())) <= maxHeldNanos()) {
			return null;
		}
		return "respects the Lease " + name + " for " + maxHeldNanos() / 1_000_000_000L
				+ " s without a change, not for " + record.durationSeconds()
				+ " s as it contains. Use similar lease durations on all replicas, or "
				+ "set its holderIdentity to \"\" if none of them has written it.";
	}

	private long maxHeldNanos() {
		long own = Math.min(TimeSource.nanos(this.leaseDuration), Long.MAX_VALUE / MAX_HELD_FACTOR);
		return Math.max(TimeSource.nanos(MIN_MAX_HELD), MAX_HELD_FACTOR * own);
	}

	/**
	 * Return the time after which a request is given up, so that another one is possible
	 * before the renew deadline.
	 * @return the time
	 */
	public Duration requestTimeout() {
		return this.renewDeadline.dividedBy(2);
	}

	/**
	 * Return the time until a failed request is repeated.
	 * @param random a random number between 0 and 1
	 * @return the time in nanoseconds
	 */
	public long retryNanos(double random) {
		return (long) (TimeSource.nanos(this.retryPeriod) * (1 + JITTER * random));
	}

}
