/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.time.Clock;

import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.config.DefaultInformerRegistry;
import dev.informer.spring.config.RequiredRights;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the Actuator endpoints of informers.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(InformerRegistry.class)
public final class InformerEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(InformersEndpoint.class)
	HandlerStatistics informerHandlerStatistics() {
		return new HandlerStatistics(Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	InformersEndpoint informersEndpoint(DefaultInformerRegistry registry, HandlerStatistics statistics,
			Reconcilers reconcilers) {
		return new InformersEndpoint(registry, statistics, reconcilers);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint
	InformerRbacEndpoint informerRbacEndpoint(RequiredRights rights) {
		return new InformerRbacEndpoint(rights);
	}

}
