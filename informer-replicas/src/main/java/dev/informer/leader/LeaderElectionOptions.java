/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.util.Map;

import dev.informer.InvalidOptionException;
import dev.informer.lease.LeaseDurations;
import dev.informer.lease.LeaseLocation;
import dev.informer.lease.LeaseRecord;

/**
 * Options of a leader election. Immutable.
 *
 * @param name the name of the election, for logs and thread names
 * @param leaseName the name of the Lease
 * @param leaseNamespace the namespace of the Lease
 * @param identity the identity of this process, unique for each process, of at most 500
 * characters
 * @param leaseDuration the time after which another process may take over a Lease that
 * its holder has not renewed
 * @param renewDeadline the time after which a leader that could not renew gives up
 * @param retryPeriod the time between renewals, and before a failed request is repeated
 */
public record LeaderElectionOptions(String name, String leaseName, String leaseNamespace, String identity,
		Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	/**
	 * Validate the values.
	 * @throws InvalidOptionException if the durations contradict each other, or a text is
	 * empty
	 */
	public LeaderElectionOptions {
		LeaseRecord.requireText("lease-name", leaseName);
		LeaseRecord.requireText("lease-namespace", leaseNamespace);
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
