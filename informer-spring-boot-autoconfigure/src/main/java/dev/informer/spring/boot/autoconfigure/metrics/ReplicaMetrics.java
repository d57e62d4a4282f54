/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.function.ToDoubleFunction;

import dev.informer.leader.LeaderElector;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaEvent.LeadershipAcquired;
import dev.informer.replicas.ReplicaEvent.LeadershipLost;
import dev.informer.replicas.ReplicaEvent.Requested;
import dev.informer.replicas.ReplicaEvent.SlotsAcquired;
import dev.informer.replicas.ReplicaEvent.SlotsLost;
import dev.informer.replicas.ReplicaEvent.SlotsReleased;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Sharding;
import dev.informer.shard.ShardMember;
import dev.informer.spring.config.Replicas;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Meters of the leader elections and of the membership in the group of replicas.
 */
class ReplicaMetrics implements ReplicaListener {

	private static final String LEADER = InformerMeters.PREFIX + "leader";

	private static final String SHARDING = InformerMeters.PREFIX + "sharding";

	private final MeterRegistry registry;

	ReplicaMetrics(MeterRegistry registry, Replicas replicas) {
		this.registry = registry;
		replicas.electors().forEach(this::register);
		replicas.member().ifPresent(this::register);
	}

	private void register(LeaderElector elector) {
		Gauge.builder(LEADER, elector, (each) -> each.isLeader() ? 1 : 0)
			.description("Whether this application is leader")
			.tags(tags(elector))
			.register(this.registry);
		transitions(elector, "acquired");
		transitions(elector, "lost");
	}

	private void register(ShardMember member) {
		gauge("slots", "Number of slots that this application owns", "slots", member, (each) -> each.owned().size());
		gauge("group.slots", "Number of all slots of the group, owned or not", "slots", member, ShardMember::slots);
		gauge("members", "Number of live members of the group that this application has observed", "members", member,
				(each) -> each.members().size());
		transitions(member, "acquired");
		transitions(member, "released");
		transitions(member, "lost");
	}

	private void gauge(String name, String description, String unit, ShardMember member,
			ToDoubleFunction<ShardMember> value) {
		Gauge.builder(SHARDING + "." + name, member, value)
			.description(description)
			.baseUnit(unit)
			.tags(tags(member))
			.register(this.registry);
	}

	@Override
	public void onEvent(ReplicaEvent event) {
		if (event instanceof LeadershipAcquired acquired) {
			transitions(acquired.leadership(), "acquired").increment();
		}
		else if (event instanceof LeadershipLost lost) {
			transitions(lost.leadership(), "lost").increment();
		}
		else if (event instanceof SlotsAcquired acquired) {
			transitions(acquired.sharding(), "acquired").increment(acquired.slots().size());
		}
		else if (event instanceof SlotsReleased released) {
			transitions(released.sharding(), "released").increment(released.slots().size());
		}
		else if (event instanceof SlotsLost lost) {
			transitions(lost.sharding(), "lost").increment(lost.slots().size());
		}
		else if (event instanceof Requested requested) {
			requested(requested);
		}
	}

	private void requested(Requested requested) {
		if (requested.coordination() instanceof Leadership leadership) {
			renewals(LEADER, "Time of requests that acquire, renew or release the leadership", tags(leadership),
					requested);
		}
		else if (requested.coordination() instanceof Sharding sharding) {
			renewals(SHARDING, "Time of requests that begin, renew or end the membership", tags(sharding), requested);
		}
	}

	private void renewals(String meter, String description, Tags tags, Requested requested) {
		Timer.builder(meter + ".renewals")
			.description(description)
			.tags(tags.and("outcome", InformerMeters.outcome(requested.success())))
			.register(this.registry)
			.record(requested.duration());
	}

	private Counter transitions(Leadership leadership, String event) {
		return transitions(LEADER, "Number of times that this application has become leader or has lost the leadership",
				tags(leadership), event);
	}

	private Counter transitions(Sharding sharding, String event) {
		return transitions(SHARDING,
				"Number of slots that this application has acquired, released to another replica or lost",
				tags(sharding), event);
	}

	private Counter transitions(String meter, String description, Tags tags, String event) {
		return Counter.builder(meter + ".transitions")
			.baseUnit("transitions")
			.description(description)
			.tags(tags.and("event", event))
			.register(this.registry);
	}

	private static Tags tags(Leadership leadership) {
		return Tags.of("election", leadership.election());
	}

	private static Tags tags(Sharding sharding) {
		return Tags.of("group", sharding.group());
	}

}
