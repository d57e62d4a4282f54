/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.leader.LeaderElector;
import dev.informer.spring.config.Replicas;

import org.springframework.boot.health.contributor.Health;

/**
 * {@link AbstractLeaseHealthIndicator} of the leader elections, for alerts. {@code DOWN}
 * if the Lease of an election could not be read or written for longer than a threshold.
 * Not being leader is no failure. Never contacts the server.
 */
class LeaderElectionHealthIndicator extends AbstractLeaseHealthIndicator {

	private final Replicas replicas;

	LeaderElectionHealthIndicator(Replicas replicas, Duration failingThreshold) {
		super("Cannot determine the health of the leader elections", failingThreshold);
		this.replicas = replicas;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		for (LeaderElector elector : this.replicas.electors()) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("isLeader", elector.isLeader());
			details.put("identity", elector.identity());
			elector.leader().ifPresent((leader) -> details.put("leader", leader));
			elector.transitions().ifPresent((transitions) -> details.put("transitions", transitions));
			elector.failure().ifPresent((failure) -> addFailure(failure, details, builder));
			builder.withDetail(elector.election(), details);
		}
	}

}
