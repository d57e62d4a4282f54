/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.time.Duration;

import dev.informer.leader.LeaderElector;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.LeadershipListener;
import dev.informer.spring.config.Replicas;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Meters of the leader elections.
 */
class LeaderElectionMetrics implements LeadershipListener {

	private static final String LEADER = InformerMeters.PREFIX + "leader";

	private final MeterRegistry registry;

	LeaderElectionMetrics(MeterRegistry registry, Replicas replicas) {
		this.registry = registry;
		replicas.electors().forEach(this::register);
	}

	private void register(LeaderElector elector) {
		Gauge.builder(LEADER, elector, (each) -> each.isLeader() ? 1 : 0)
			.description("Whether this application is leader")
			.tags(tags(elector))
			.register(this.registry);
		transitions(elector, "acquired");
		transitions(elector, "lost");
	}

	@Override
	public void acquired(Leadership leadership) {
		transitions(leadership, "acquired").increment();
	}

	@Override
	public void lost(Leadership leadership, String reason) {
		transitions(leadership, "lost").increment();
	}

	@Override
	public void requested(Leadership leadership, Duration duration, boolean success) {
		Timer.builder(LEADER + ".renewals")
			.description("Time of requests that acquire, renew or release the leadership")
			.tags(tags(leadership).and("outcome", InformerMeters.outcome(success)))
			.register(this.registry)
			.record(duration);
	}

	private Counter transitions(Leadership leadership, String event) {
		return Counter.builder(LEADER + ".transitions")
			.baseUnit("transitions")
			.description("Number of times that this application has become leader or has lost the leadership")
			.tags(tags(leadership).and("event", event))
			.register(this.registry);
	}

	private static Tags tags(Leadership leadership) {
		return Tags.of("election", leadership.election());
	}

}
