/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import dev.informer.leader.LeaderElector;
import dev.informer.replicas.Coordination;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaEvent.LeadershipAcquired;
import dev.informer.replicas.ReplicaEvent.LeadershipLost;
import dev.informer.replicas.ReplicaEvent.Requested;
import dev.informer.replicas.ReplicaEvent.SlotsAcquired;
import dev.informer.replicas.ReplicaEvent.SlotsLost;
import dev.informer.replicas.ReplicaEvent.SlotsReleased;
import dev.informer.replicas.ReplicaListener;
import dev.informer.shard.ShardMember;
import dev.informer.spring.config.Replicas;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/**
 * Meters of the leader elections and of the membership in the group of replicas.
 */
class ReplicaMetrics implements ReplicaListener {

	private final Map<Coordination, RemovableMeters<?>> meters = new HashMap<>();

	ReplicaMetrics(MeterRegistry registry, Replicas replicas) {
		replicas.electors().forEach((elector) -> register(registry, elector));
		replicas.member().ifPresent((member) -> register(registry, member));
	}

	private void register(MeterRegistry registry, LeaderElector elector) {
		RemovableMeters<LeaderElector> leader = new RemovableMeters<>(registry, elector,
				Tags.of("election", elector.election()));
		this.meters.put(elector, leader);
		leader.gauge("leader", "Whether this application is leader", null, (each) -> each.isLeader() ? 1 : 0);
		transitions(elector, "acquired");
		transitions(elector, "lost");
	}

	private void register(MeterRegistry registry, ShardMember member) {
		RemovableMeters<ShardMember> sharding = new RemovableMeters<>(registry, member,
				Tags.of("group", member.group()));
		this.meters.put(member, sharding);
		sharding.gauge("sharding.slots", "Number of slots that this application owns", "slots",
				(each) -> each.owned().size());
		sharding.gauge("sharding.group.slots", "Number of all slots of the group, owned or not", "slots",
				ShardMember::slots);
		sharding.gauge("sharding.members", "Number of live members of the group that this application has observed",
				"members", (each) -> each.members().size());
		transitions(member, "acquired");
		transitions(member, "released");
		transitions(member, "lost");
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
		boolean leader = requested.coordination() instanceof Leadership;
		meters(requested.coordination())
			.timer(leader ? "leader.renewals" : "sharding.renewals",
					leader ? "Time of requests that acquire, renew or release the leadership"
							: "Time of requests that begin, renew or end the membership",
					"outcome", InformerMeters.outcome(requested.success()))
			.record(requested.duration());
	}

	private Counter transitions(Coordination coordination, String event) {
		boolean leader = coordination instanceof Leadership;
		return meters(coordination).counter(leader ? "leader.transitions" : "sharding.transitions",
				leader ? "Number of times that this application has become leader or has lost the leadership"
						: "Number of slots that this application has acquired, released to another replica or lost",
				"event", event);
	}

	private RemovableMeters<?> meters(Coordination coordination) {
		return Objects.requireNonNull(this.meters.get(coordination));
	}

}
