/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.spring.config.Outage;
import dev.informer.spring.config.ShardStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link HealthIndicator} of one informer, for alerts. {@code DOWN} if the informer has
 * failed permanently, has not followed the server for longer than a threshold, or has a
 * handler that is stuck in an invocation for longer than another threshold.
 * {@code UNKNOWN} if it is stopped, if it is optional and its resource is not served, or
 * if none of its objects could be read: who may write the only object cannot set an
 * application {@code DOWN}. Never contacts the server.
 */
class InformerHealthIndicator extends AbstractHealthIndicator {

	private final SharedIndexInformer<?> informer;

	private final boolean required;

	private final Duration failingThreshold;

	private final @Nullable Duration stuckHandlerThreshold;

	private final TimeSource time;

	InformerHealthIndicator(SharedIndexInformer<?> informer, boolean required, Duration failingThreshold,
			@Nullable Duration stuckHandlerThreshold, TimeSource time) {
		super("Cannot determine the health of an informer");
		this.informer = informer;
		this.required = required;
		this.failingThreshold = failingThreshold;
		this.stuckHandlerThreshold = stuckHandlerThreshold;
		this.time = time;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		InformerState state = this.informer.state();
		Optional<Outage> outage = Outage.of(this.informer, this.required);
		List<StuckHandler> stuck = stuckHandlers();
		builder.status(stuck.isEmpty() ? status(state, outage) : Status.DOWN)
			.withDetail("resource", this.informer.resourceType().toString())
			.withDetail("phase", state.phase())
			.withDetail("since", state.since().time())
			.withDetail("synced", this.informer.hasSynced());
		this.informer.lastActivity().ifPresent((moment) -> builder.withDetail("lastActivity", moment.time()));
		addNamespaces(builder);
		ShardStatus.of(this.informer).ifPresent((shard) -> builder.withDetail("shard", shard));
		addFailure(state, outage, builder);
		if (!stuck.isEmpty()) {
			builder.withDetail("stuckHandlers", stuck)
				.withDetail("stuckHandlerThreshold", Objects.requireNonNull(this.stuckHandlerThreshold));
		}
	}

	private List<StuckHandler> stuckHandlers() {
		Duration threshold = this.stuckHandlerThreshold;
		if (threshold == null) {
			return List.of();
		}
		return this.informer.handlers()
			.stream()
			.flatMap((handler) -> handler.invocations()
				.stream()
				.filter((invocation) -> invocation.duration().compareTo(threshold) > 0)
				.map((invocation) -> new StuckHandler(handler.name(), invocation.key(), invocation.type(),
						invocation.duration())))
			.toList();
	}

	private Status status(InformerState state, Optional<Outage> outage) {
		if (outage.filter((current) -> current.nanosToReport(this.failingThreshold, this.time) <= 0).isPresent()) {
			return Status.DOWN;
		}
		InformerFailure failure = state.failure();
		boolean unreadable = failure != null && failure.kind() == InformerFailure.Kind.UNDECODABLE_OBJECT;
		return (unreadable || Outage.isIdle(state, this.required)) ? Status.UNKNOWN : Status.UP;
	}

	private void addNamespaces(Health.Builder builder) {
		Map<String, Phase> phases = new TreeMap<>();
		this.informer.statesByNamespace().forEach((namespace, state) -> phases.put(namespace, state.phase()));
		String selector = this.informer.options().namespaceSelector();
		if (selector != null) {
			builder.withDetail("namespaceSelector", selector).withDetail("namespaceCount", phases.size());
			int omitted = this.informer.omittedNamespaces().size();
			if (omitted > 0) {
				builder.withDetail("omittedNamespaceCount", omitted);
			}
		}
		if (!phases.containsKey("")) {
			builder.withDetail("namespaces", phases);
		}
	}

	/**
	 * Add the outage, or the reason for which an optional informer waits for its
	 * resource, which is no outage.
	 */
	private void addFailure(InformerState state, Optional<Outage> outage, Health.Builder builder) {
		outage.ifPresentOrElse((current) -> builder.withDetail("reason", current.reason())
			.withDetail("failingSince", current.since().time())
			.withDetail("failingThreshold", this.failingThreshold), () -> {
				if (state.failure() != null) {
					builder.withDetail("reason", state.failure().message());
				}
			});
		if (state.nextAttempt() != null) {
			builder.withDetail("nextAttempt", state.nextAttempt());
		}
	}

	/**
	 * Handler that is stuck in an invocation.
	 *
	 * @param object the key of the object
	 * @param busy the time since the invocation began
	 */
	record StuckHandler(String handler, String object, ResourceEvent.Type event, Duration busy) {

	}

}
