/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Instant;
import java.time.OffsetDateTime;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import org.jspecify.annotations.Nullable;

/**
 * Content of a Lease. Its times are those of the clock of its holder: they are compared
 * for equality only.
 *
 * @param holder the identity of the holder; empty for none
 * @param durationSeconds the time that the holder claims the Lease for; 0 if it is absent
 * @param acquireTime the time at which the holder acquired the Lease
 * @param renewTime the time of the last renewal
 * @param transitions the number of changes of the holder
 */
record LeaseRecord(String holder, int durationSeconds, @Nullable Instant acquireTime, @Nullable Instant renewTime,
		int transitions) {

	static LeaseRecord of(V1Lease lease) {
		V1LeaseSpec spec = (lease.getSpec() != null) ? lease.getSpec() : new V1LeaseSpec();
		return new LeaseRecord((spec.getHolderIdentity() != null) ? spec.getHolderIdentity() : "",
				valueOf(spec.getLeaseDurationSeconds()), instant(spec.getAcquireTime()), instant(spec.getRenewTime()),
				valueOf(spec.getLeaseTransitions()));
	}

	private static int valueOf(@Nullable Integer number) {
		return (number != null) ? number : 0;
	}

	private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
		return (time != null) ? time.toInstant() : null;
	}

	boolean isHeldBy(String identity) {
		return this.holder.equals(identity);
	}

}
