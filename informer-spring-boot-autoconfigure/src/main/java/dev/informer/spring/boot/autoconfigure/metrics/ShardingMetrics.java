/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.time.Duration;
import java.util.Set;

import dev.informer.replicas.Sharding;
import dev.informer.replicas.ShardingListener;
import dev.informer.shard.ShardMember;
import dev.informer.spring.config.Replicas;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Meters of the membership in the group of replicas.
 */
class ShardingMetrics implements ShardingListener {

	private static final String SHARDING = InformerMeters.PREFIX + "sharding";

	private final MeterRegistry registry;

	ShardingMetrics(MeterRegistry registry, Replicas replicas) {
		this.registry = registry;
		replicas.member().ifPresent(this::register);
	}

	private void register(ShardMember member) {
		Gauge.builder(SHARDING + ".slots", member, (each) -> each.owned().size())
			.description("Number of slots that this application owns")
			.baseUnit("slots")
			.tags(tags(member))
			.register(this.registry);
		Gauge.builder(SHARDING + ".group.slots", member, ShardMember::slots)
			.description("Number of all slots of the group, owned or not")
			.baseUnit("slots")
			.tags(tags(member))
			.register(this.registry);
		Gauge.builder(SHARDING + ".members", member, (each) -> each.members().size())
			.description("Number of live members of the group that this application has observed")
			.baseUnit("members")
			.tags(tags(member))
			.register(this.registry);
		transitions(member, "acquired");
		transitions(member, "released");
		transitions(member, "lost");
	}

	@Override
	public void acquired(Sharding sharding, Set<Integer> slots) {
		transitions(sharding, "acquired").increment(slots.size());
	}

	@Override
	public void released(Sharding sharding, Set<Integer> slots) {
		transitions(sharding, "released").increment(slots.size());
	}

	@Override
	public void lost(Sharding sharding, Set<Integer> slots, String reason) {
		transitions(sharding, "lost").increment(slots.size());
	}

	@Override
	public void requested(Sharding sharding, Duration duration, boolean success) {
		Timer.builder(SHARDING + ".renewals")
			.description("Time of requests that begin, renew or end the membership")
			.tags(tags(sharding).and("outcome", InformerMeters.outcome(success)))
			.register(this.registry)
			.record(duration);
	}

	private Counter transitions(Sharding sharding, String event) {
		return Counter.builder(SHARDING + ".transitions")
			.baseUnit("transitions")
			.description("Number of slots that this application has acquired, released to another replica or lost")
			.tags(tags(sharding).and("event", event))
			.register(this.registry);
	}

	private static Tags tags(Sharding sharding) {
		return Tags.of("group", sharding.group());
	}

}
