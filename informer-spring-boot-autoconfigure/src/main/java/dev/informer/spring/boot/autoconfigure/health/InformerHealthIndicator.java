/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import dev.informer.spring.config.Outage;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link HealthIndicator} of one informer, for alerts. {@code DOWN} if the informer has
 * failed permanently, or has not followed the server for longer than a threshold.
 * {@code UNKNOWN} if it is stopped, or if it is optional and its resource is not served.
 * Never contacts the server.
 */
class InformerHealthIndicator extends AbstractHealthIndicator {

	private final SharedIndexInformer<?> informer;

	private final boolean required;

	private final Duration failingThreshold;

	private final TimeSource time;

	InformerHealthIndicator(SharedIndexInformer<?> informer, boolean required, Duration failingThreshold,
			TimeSource time) {
		super("Cannot determine the health of an informer");
		this.informer = informer;
		this.required = required;
		this.failingThreshold = failingThreshold;
		this.time = time;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		InformerState state = this.informer.state();
		Optional<Outage> outage = Outage.of(this.informer, this.required);
		builder.status(status(state, outage))
			.withDetail("resource", this.informer.resourceType().toString())
			.withDetail("phase", state.phase())
			.withDetail("since", state.since().time())
			.withDetail("synced", this.informer.hasSynced());
		this.informer.lastActivity().ifPresent((moment) -> builder.withDetail("lastActivity", moment.time()));
		addNamespaces(builder);
		outage.ifPresent((current) -> addOutage(state, current, builder));
	}

	private Status status(InformerState state, Optional<Outage> outage) {
		if (outage.filter((current) -> current.nanosToReport(this.failingThreshold, this.time) <= 0).isPresent()) {
			return Status.DOWN;
		}
		boolean absent = state.phase() == Phase.DORMANT && !this.required;
		boolean running = state.phase() != Phase.NOT_STARTED && state.phase() != Phase.STOPPED;
		return (running && !absent) ? Status.UP : Status.UNKNOWN;
	}

	private void addNamespaces(Health.Builder builder) {
		List<String> namespaces = this.informer.options().namespaces();
		if (!namespaces.isEmpty()) {
			Map<String, Phase> phases = new TreeMap<>();
			this.informer.statesByNamespace().forEach((namespace, state) -> phases.put(namespace, state.phase()));
			builder.withDetail("namespaces", phases);
		}
	}

	private void addOutage(InformerState state, Outage outage, Health.Builder builder) {
		builder.withDetail("reason", outage.reason())
			.withDetail("failingSince", outage.since().time())
			.withDetail("failingThreshold", this.failingThreshold);
		if (state.nextAttempt() != null) {
			builder.withDetail("nextAttempt", state.nextAttempt());
		}
	}

}
