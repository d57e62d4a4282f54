/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.informer.client.TimeSource;
import dev.informer.leader.LeaderElector;
import dev.informer.lease.LeaseFailure;
import dev.informer.shard.ShardMember;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} of leader elections or of the membership in the group of
 * replicas, for alerts. {@code DOWN} if their Leases could not be read or written for
 * longer than a threshold. Not to be leader, or to own no slot, is no failure. Never
 * contacts the server.
 */
class ReplicasHealthIndicator extends AbstractHealthIndicator {

	private final List<LeaderElector> electors;

	private final List<ShardMember> members;

	private final Duration failingThreshold;

	ReplicasHealthIndicator(List<LeaderElector> electors, List<ShardMember> members, Duration failingThreshold) {
		super("Cannot determine the health of leader elections or of the group of replicas");
		this.electors = electors;
		this.members = members;
		this.failingThreshold = failingThreshold;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		for (LeaderElector elector : this.electors) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("isLeader", elector.isLeader());
			details.put("identity", elector.identity());
			elector.leader().ifPresent((leader) -> details.put("leader", leader));
			elector.transitions().ifPresent((transitions) -> details.put("transitions", transitions));
			add(elector.election(), details, elector.failure(), builder);
		}
		for (ShardMember member : this.members) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("identity", member.identity());
			details.put("members", member.members().stream().sorted().toList());
			details.put("slots", member.slots());
			details.put("ownedSlots", List.copyOf(member.owned()));
			add(member.group(), details, member.failure(), builder);
		}
	}

	private void add(String name, Map<String, Object> details, Optional<LeaseFailure> failure, Health.Builder builder) {
		failure.ifPresent((current) -> {
			details.put("reason", current.message());
			details.put("failingSince", current.since().time());
			if (current.since().age(TimeSource.SYSTEM).compareTo(this.failingThreshold) >= 0) {
				builder.down();
			}
		});
		builder.withDetail(name, details);
	}

}
