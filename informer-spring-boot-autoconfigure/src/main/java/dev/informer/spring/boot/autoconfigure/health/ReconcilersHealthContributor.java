/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.Reconcilers;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * {@link CompositeHealthContributor} with one {@link HealthIndicator} for each
 * reconciler, for alerts. {@code DOWN} if a call has been running for longer than a
 * threshold, {@code UNKNOWN} until all informers have synced. A call that fails and is
 * repeated is no failure.
 */
class ReconcilersHealthContributor implements CompositeHealthContributor {

	private final Reconcilers reconcilers;

	private final @Nullable Duration stuckThreshold;

	ReconcilersHealthContributor(Reconcilers reconcilers, @Nullable Duration stuckThreshold) {
		this.reconcilers = reconcilers;
		this.stuckThreshold = stuckThreshold;
	}

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return this.reconcilers.find(name).map(Indicator::new).orElse(null);
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return this.reconcilers.registrations()
			.stream()
			.map((registration) -> new HealthContributors.Entry(registration.name(), new Indicator(registration)));
	}

	private final class Indicator extends AbstractHealthIndicator {

		private final ReconcilerRegistration registration;

		private Indicator(ReconcilerRegistration registration) {
			super("Cannot determine the health of a reconciler");
			this.registration = registration;
		}

		@Override
		protected void doHealthCheck(Health.Builder builder) {
			List<String> awaited = this.registration.informers()
				.stream()
				.filter((informer) -> !informer.hasSynced())
				.map(SharedIndexInformer::name)
				.toList();
			builder.status(awaited.isEmpty() ? Status.UP : Status.UNKNOWN)
				.withDetail("informers", this.registration.informers().stream().map(SharedIndexInformer::name).toList())
				.withDetail("paused", this.registration.isPaused())
				.withDetail("objects", this.registration.counts());
			if (!awaited.isEmpty()) {
				builder.withDetail("waitingFor", awaited);
			}
			Duration threshold = ReconcilersHealthContributor.this.stuckThreshold;
			if (threshold != null) {
				addStuck(threshold, builder);
			}
		}

		private void addStuck(Duration threshold, Health.Builder builder) {
			List<StuckCall> stuck = this.registration.calls()
				.stream()
				.filter((call) -> call.duration().compareTo(threshold) > 0)
				.map((call) -> new StuckCall(call.key(), call.duration()))
				.toList();
			if (!stuck.isEmpty()) {
				builder.down().withDetail("stuckCalls", stuck).withDetail("stuckHandlerThreshold", threshold);
			}
		}

	}

	/**
	 * Call that is stuck.
	 *
	 * @param object the key of the object
	 * @param busy the time since the call began
	 */
	record StuckCall(String object, Duration busy) {
	}

}
