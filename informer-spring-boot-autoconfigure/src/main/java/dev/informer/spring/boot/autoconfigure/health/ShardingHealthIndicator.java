/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.informer.shard.ShardMember;
import dev.informer.spring.config.Replicas;

import org.springframework.boot.health.contributor.Health;

/**
 * {@link AbstractLeaseHealthIndicator} of the membership in the group of replicas, for
 * alerts. {@code DOWN} if the Leases of the group could not be read or written for longer
 * than a threshold. To own no slot is no failure.
 */
class ShardingHealthIndicator extends AbstractLeaseHealthIndicator {

	private final Replicas replicas;

	ShardingHealthIndicator(Replicas replicas, Duration failingThreshold) {
		super("Cannot determine the health of the group of replicas", failingThreshold);
		this.replicas = replicas;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		this.replicas.member().ifPresent((member) -> builder.withDetail(member.group(), details(member, builder)));
	}

	private Map<String, Object> details(ShardMember member, Health.Builder builder) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("identity", member.identity());
		details.put("members", member.members().stream().sorted().toList());
		details.put("slots", member.slots());
		details.put("ownedSlots", List.copyOf(member.owned()));
		member.failure().ifPresent((failure) -> addFailure(failure, details, builder));
		return details;
	}

}
