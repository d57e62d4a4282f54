/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

import dev.informer.InvalidOptionException;
import dev.informer.lease.LeaseDurations;
import dev.informer.lease.LeaseLocation;
import dev.informer.lease.LeaseRecord;

/**
 * Options of a leader election. Immutable.
 *
 * @param name the name of the election, for logs and thread names
 * @param leaseName the name of the Lease: a DNS subdomain
 * @param leaseNamespace the namespace of the Lease: a DNS label
 * @param identity the identity of this process, unique for each process, of at most 500
 * characters
 * @param leaseDuration the time after which another process may take over a Lease that
 * its holder has not renewed
 * @param renewDeadline the time after which a leader that could not renew gives up
 * @param retryPeriod the time between renewals, and before a failed request is repeated
 */
public record LeaderElectionOptions(String name, String leaseName, String leaseNamespace, String identity,
		Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	/** The name of a Lease: a DNS subdomain. */
	private static final Pattern DNS_SUBDOMAIN = Pattern
		.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	/**
	 * Validate the values.
	 * @throws InvalidOptionException if the durations contradict each other, or another
	 * value is not valid
	 */
	public LeaderElectionOptions {
		if (!DNS_SUBDOMAIN.matcher(leaseName).matches()) {
			throw new InvalidOptionException("lease-name", "must consist of at most 253 lower case letters, digits, "
					+ "hyphens and dots, and begin and end with a letter or digit, but is '" + leaseName + "'");
		}
		LeaseRecord.requireLabel("lease-namespace", leaseNamespace);
		LeaseRecord.requireIdentity(identity);
		new LeaseDurations(leaseDuration, renewDeadline, retryPeriod);
	}

	LeaseDurations durations() {
		return new LeaseDurations(this.leaseDuration, this.renewDeadline, this.retryPeriod);
	}

	LeaseLocation location() {
		return new LeaseLocation("leader-" + this.name, this.leaseNamespace, this.leaseName, Map.of(), durations());
	}

}
