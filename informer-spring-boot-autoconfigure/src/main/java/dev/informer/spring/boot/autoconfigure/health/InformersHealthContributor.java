/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.time.Duration;
import java.util.stream.Stream;

import dev.informer.SharedIndexInformer;
import dev.informer.TimeSource;
import dev.informer.spring.InformerRegistry;
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

	private final Duration failingThreshold;

	InformersHealthContributor(InformerRegistry registry, Duration failingThreshold) {
		this.registry = registry;
		this.failingThreshold = failingThreshold;
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
		return new InformerHealthIndicator(informer, this.registry.isRequired(informer), this.failingThreshold,
				TimeSource.SYSTEM);
	}

}
