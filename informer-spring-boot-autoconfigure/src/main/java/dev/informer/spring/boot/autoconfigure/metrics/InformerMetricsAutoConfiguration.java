/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.config.DefaultLeaderElections;
import dev.informer.spring.config.ShardMembership;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the metrics of informers.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, InformerRegistry.class })
public final class InformerMetricsAutoConfiguration {

	/**
	 * Bean whose class may be missing.
	 */
	private static final String OBSERVED_HANDLERS = "informerObservedHandlers";

	@Bean
	static InformerMeterFilter informerMeterFilter() {
		return new InformerMeterFilter();
	}

	@Bean
	@ConditionalOnMissingBean
	LeaderElectionMetrics informerLeaderElectionMetrics(MeterRegistry meterRegistry, DefaultLeaderElections elections) {
		return new LeaderElectionMetrics(meterRegistry, elections);
	}

	@Bean
	@ConditionalOnMissingBean
	ShardingMetrics informerShardingMetrics(MeterRegistry meterRegistry, ShardMembership membership) {
		return new ShardingMetrics(meterRegistry, membership);
	}

	@Bean
	@ConditionalOnMissingBean
	InformerMetrics informerMetrics(MeterRegistry meterRegistry, InformerRegistry informerRegistry,
			BeanFactory beanFactory) {
		return new InformerMetrics(meterRegistry, informerRegistry, beanFactory.containsBean(OBSERVED_HANDLERS));
	}

}
