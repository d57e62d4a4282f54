/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.Map;

import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseFailure;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * {@link AbstractHealthIndicator} of a coordination by Leases: {@code DOWN} if requests
 * for a Lease have failed for longer than a threshold. Never contacts the server.
 */
abstract class AbstractLeaseHealthIndicator extends AbstractHealthIndicator {

	private final Duration failingThreshold;

	AbstractLeaseHealthIndicator(String healthCheckFailedMessage, Duration failingThreshold) {
		super(healthCheckFailedMessage);
		this.failingThreshold = failingThreshold;
	}

	void addFailure(LeaseFailure failure, Map<String, Object> details, Health.Builder builder) {
		details.put("reason", failure.message());
		details.put("failingSince", failure.since().time());
		if (failure.since().age(TimeSource.SYSTEM).compareTo(this.failingThreshold) >= 0) {
			builder.down();
		}
	}

}
