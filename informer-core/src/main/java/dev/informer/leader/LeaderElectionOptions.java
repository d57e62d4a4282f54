/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;

import dev.informer.InvalidOptionException;
import dev.informer.TimeSource;

/**
 * Options of a leader election. Immutable.
 *
 * @param name the name of the election, for logs and thread names
 * @param leaseName the name of the Lease
 * @param leaseNamespace the namespace of the Lease
 * @param identity the identity of this process, unique for each process
 * @param leaseDuration the time after which another process may take over a Lease that
 * its holder has not renewed
 * @param renewDeadline the time after which a leader that could not renew gives up
 * @param retryPeriod the time between renewals, and before a failed request is repeated
 */
public record LeaderElectionOptions(String name, String leaseName, String leaseNamespace, String identity,
		Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	/** Maximum random addition to the retry period, relative to it, as in client-go. */
	static final double JITTER = 0.2;

	/** Seconds are an {@code int32} in the Lease. */
	private static final Duration MAX_LEASE_DURATION = Duration.ofSeconds(Integer.MAX_VALUE);

	/**
	 * Validate the values.
	 * @throws InvalidOptionException if the durations contradict each other, or a text is
	 * empty
	 */
	public LeaderElectionOptions {
		requireText("lease-name", leaseName);
		requireText("lease-namespace", leaseNamespace);
		requireText("identity", identity);
		if (retryPeriod.compareTo(Duration.ofMillis(1)) < 0) {
			throw new InvalidOptionException("retry-period", "must be positive, but is " + millis(retryPeriod));
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

	private static void requireText(String option, String value) {
		if (value.isBlank()) {
			throw new InvalidOptionException(option, "must not be empty");
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
	 */
	int leaseSeconds() {
		return (int) this.leaseDuration.plusNanos(999_999_999).toSeconds();
	}

	/**
	 * Return the time after which a request is given up, so that another one is possible
	 * before the renew deadline.
	 */
	Duration requestTimeout() {
		return this.renewDeadline.dividedBy(2);
	}

}
