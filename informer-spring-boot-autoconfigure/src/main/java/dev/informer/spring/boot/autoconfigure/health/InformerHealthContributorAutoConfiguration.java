/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.util.List;

import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.config.DefaultInformerRegistry;
import dev.informer.spring.config.InformerProperties;
import dev.informer.spring.config.Replicas;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the health of informers: {@code informers},
 * {@code informerReconcilers}, {@code informerLeader} and {@code informerSharding} for
 * alerts, and {@code informerSync} for the readiness group.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class)
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(InformerRegistry.class)
public final class InformerHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "informersHealthContributor", "informersHealthIndicator" })
	@ConditionalOnEnabledHealthIndicator("informers")
	InformersHealthContributor informersHealthContributor(InformerRegistry registry, InformerProperties properties) {
		return new InformersHealthContributor(registry, properties.health());
	}

	@Bean
	@ConditionalOnMissingBean(name = { "informerReconcilersHealthContributor", "informerReconcilersHealthIndicator" })
	@ConditionalOnEnabledHealthIndicator("informerreconcilers")
	ReconcilersHealthContributor informerReconcilersHealthContributor(Reconcilers reconcilers,
			InformerProperties properties) {
		return new ReconcilersHealthContributor(reconcilers, properties.health().stuckHandlerThreshold());
	}

	@Bean
	@ConditionalOnMissingBean(name = { "informerLeaderHealthIndicator", "informerLeaderHealthContributor" })
	@ConditionalOnBooleanProperty("informer.leader.enabled")
	@ConditionalOnEnabledHealthIndicator("informerleader")
	ReplicasHealthIndicator informerLeaderHealthIndicator(Replicas replicas, InformerProperties properties) {
		return new ReplicasHealthIndicator(replicas.electors(), List.of(), properties.health().failingThreshold());
	}

	@Bean
	@ConditionalOnMissingBean(name = { "informerShardingHealthIndicator", "informerShardingHealthContributor" })
	@ConditionalOnBooleanProperty("informer.sharding.enabled")
	@ConditionalOnEnabledHealthIndicator("informersharding")
	ReplicasHealthIndicator informerShardingHealthIndicator(Replicas replicas, InformerProperties properties) {
		return new ReplicasHealthIndicator(List.of(), replicas.member().stream().toList(),
				properties.health().failingThreshold());
	}

	@Bean
	@ConditionalOnMissingBean(name = { "informerSyncHealthIndicator", "informerSyncHealthContributor" })
	@ConditionalOnEnabledHealthIndicator("informersync")
	InformerSyncHealthIndicator informerSyncHealthIndicator(DefaultInformerRegistry registry) {
		return new InformerSyncHealthIndicator(registry);
	}

}
