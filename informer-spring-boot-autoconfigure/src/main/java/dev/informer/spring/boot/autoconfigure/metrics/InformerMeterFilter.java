/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.informer.client.TimeSource;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Histogram buckets of the timers of handlers, reconcilers and writes, and descriptions
 * of the meters that observations record. The properties
 * {@code management.metrics.distribution} take precedence.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InformerMeterFilter implements MeterFilter {

	static final String CALLS_DESCRIPTION = "Time of handler invocations";

	static final String WRITES_DESCRIPTION = "Time of writes";

	static final String RECONCILES_DESCRIPTION = "Time of calls of reconcilers";

	private static final Map<String, String> OBSERVED = Map.of(HandlerMeters.CALLS, CALLS_DESCRIPTION,
			HandlerMeters.CALLS + ".active", "Time of handler invocations that are running", WriteMeters.WRITES,
			WRITES_DESCRIPTION, WriteMeters.WRITES + ".active", "Time of writes that are running",
			ReconcilerMetrics.CALLS, RECONCILES_DESCRIPTION, ReconcilerMetrics.CALLS + ".active",
			"Time of calls of reconcilers that are running");

	private static final Set<String> TIMERS = Set.of(HandlerMeters.CALLS, HandlerMeters.LAG, WriteMeters.WRITES,
			ReconcilerMetrics.CALLS, ReconcilerMetrics.HELD);

	private static final DistributionStatisticConfig BUCKETS = DistributionStatisticConfig.builder()
		.serviceLevelObjectives(
				Stream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000)
					.mapToDouble((millis) -> TimeSource.nanos(Duration.ofMillis(millis)))
					.toArray())
		.build();

	@Override
	public Meter.Id map(Meter.Id id) {
		String description = OBSERVED.get(id.getName());
		return (description != null && id.getDescription() == null)
				? new Meter.Id(id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), description, id.getType()) : id;
	}

	@Override
	public @Nullable DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
		return TIMERS.contains(id.getName()) ? BUCKETS.merge(config) : config;
	}

}
