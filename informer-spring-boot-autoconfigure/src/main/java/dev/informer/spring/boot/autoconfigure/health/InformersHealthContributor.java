/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.util.stream.Stream;

import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.config.InformerProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;

/**
 * {@link CompositeHealthContributor} with one contributor for each informer of the
 * registry.
 */
class InformersHealthContributor implements CompositeHealthContributor {

	private final InformerRegistry registry;

	private final InformerProperties.Health thresholds;

	InformersHealthContributor(InformerRegistry registry, InformerProperties.Health thresholds) {
		this.registry = registry;
		this.thresholds = thresholds;
	}

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return this.registry.findInformer(name).map(this::indicator).orElse(null);
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return this.registry.informers()
			.stream()
			.map((informer) -> new HealthContributors.Entry(informer.name(), indicator(informer)));
	}

	private HealthContributor indicator(SharedIndexInformer<?> informer) {
		return new InformerHealthIndicator(informer, this.registry.isRequired(informer),
				this.thresholds.failingThreshold(), this.thresholds.stuckHandlerThreshold(), TimeSource.SYSTEM);
	}

}
