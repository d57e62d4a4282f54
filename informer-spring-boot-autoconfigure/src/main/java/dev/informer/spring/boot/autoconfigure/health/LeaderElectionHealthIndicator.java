/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.TimeSource;
import dev.informer.lease.LeaseFailure;
import dev.informer.leader.LeaderElector;
import dev.informer.spring.config.DefaultLeaderElections;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * {@link AbstractHealthIndicator} of the leader elections, for alerts. {@code DOWN} if
 * the Lease of an election could not be read or written for longer than a threshold. Not
 * being leader is no failure. Never contacts the server.
 */
class LeaderElectionHealthIndicator extends AbstractHealthIndicator {

	private final DefaultLeaderElections elections;

	private final Duration failingThreshold;

	LeaderElectionHealthIndicator(DefaultLeaderElections elections, Duration failingThreshold) {
		super("Cannot determine the health of the leader elections");
		this.elections = elections;
		this.failingThreshold = failingThreshold;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		for (LeaderElector elector : this.elections.electors()) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("isLeader", elector.isLeader());
			details.put("identity", elector.identity());
			elector.leader().ifPresent((leader) -> details.put("leader", leader));
			elector.transitions().ifPresent((transitions) -> details.put("transitions", transitions));
			elector.failure().ifPresent((failure) -> {
				details.put("reason", failure.message());
				details.put("failingSince", failure.since().time());
				if (isDown(failure)) {
					builder.down();
				}
			});
			builder.withDetail(elector.election(), details);
		}
	}

	private boolean isDown(LeaseFailure failure) {
		return failure.since().age(TimeSource.SYSTEM).compareTo(this.failingThreshold) >= 0;
	}

}
