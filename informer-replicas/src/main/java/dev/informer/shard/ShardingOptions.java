/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.Map;

import dev.informer.InvalidOptionException;
import dev.informer.lease.LeaseDurations;
import dev.informer.lease.LeaseLocation;
import dev.informer.lease.LeaseRecord;
import dev.informer.replicas.SlotHash;
import org.jspecify.annotations.Nullable;

/**
 * Options of the division of work between replicas. Immutable.
 *
 * @param group the name of the group of replicas: a DNS label
 * @param namespace the namespace of the Leases
 * @param identity the identity of this process, unique for each process, of at most 500
 * characters
 * @param slots the number of slots, a power of two. Of members with different numbers,
 * only those with the largest one own slots
 * @param by the part of the name of an object that its slot follows from
 * @param leaseDuration the time after which other replicas may take over the slots of one
 * that has not renewed its Lease
 * @param renewDeadline the time after which a replica that could not renew gives up its
 * slots
 * @param retryPeriod the time between renewals, and before a failed request is repeated
 */
public record ShardingOptions(String group, String namespace, String identity, int slots, SlotKey by,
		Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	/** Default number of slots. */
	public static final int DEFAULT_SLOTS = 64;

	static final int MAX_SLOTS = 4096;

	private static final String GROUP_LABEL = "informer.dev/shard-group";

	/**
	 * Validate the values.
	 * @throws InvalidOptionException if the durations contradict each other, or another
	 * value is not valid
	 */
	public ShardingOptions {
		LeaseRecord.requireLabel("group", group);
		LeaseRecord.requireLabel("lease-namespace", namespace);
		LeaseRecord.requireIdentity(identity);
		if (slots < 2 || slots > MAX_SLOTS || Integer.bitCount(slots) != 1) {
			throw new InvalidOptionException("slots",
					"must be a power of two between 2 and " + MAX_SLOTS + ", but is " + slots);
		}
		new LeaseDurations(leaseDuration, renewDeadline, retryPeriod);
	}

	LeaseDurations durations() {
		return new LeaseDurations(this.leaseDuration, this.renewDeadline, this.retryPeriod);
	}

	/**
	 * Return the Lease of this process. Its name follows from the identity, which need
	 * not be a valid name.
	 */
	LeaseLocation location() {
		String name = this.group + "-" + String.format("%016x", SlotHash.fnv1a(this.identity));
		return new LeaseLocation("shard-" + this.group, this.namespace, name, Map.of(GROUP_LABEL, this.group),
				durations());
	}

	int slotOf(@Nullable String objectNamespace, String objectName) {
		String key = objectName;
		if (objectNamespace != null) {
			key = (this.by == SlotKey.NAMESPACE) ? objectNamespace : objectNamespace + "/" + objectName;
		}
		return SlotHash.slot(SlotHash.mix(SlotHash.fnv1a(key)), this.slots);
	}

}
