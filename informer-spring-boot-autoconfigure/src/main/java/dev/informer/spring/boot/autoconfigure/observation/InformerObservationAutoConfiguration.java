/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.observation;

import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.metrics.InformerMetricsAutoConfiguration;
import dev.informer.spring.observation.InformerObservationConvention;
import dev.informer.spring.observation.ObservedHandlers;
import dev.informer.spring.observation.ObservedReconcilers;
import dev.informer.spring.observation.ObservedWrites;
import dev.informer.spring.observation.ReconcileObservationConvention;
import dev.informer.spring.observation.WriteObservationConvention;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for observations of handler invocations, calls of reconcilers and
 * writes.
 */
@AutoConfiguration(before = { InformerAutoConfiguration.class, InformerMetricsAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnProperty("informer.observation-enabled")
@ConditionalOnBean(ObservationRegistry.class)
public final class InformerObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ObservedHandlers informerObservedHandlers(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<InformerObservationConvention> convention) {
		return new ObservedHandlers(SingletonSupplier.of(registry::getObject), convention::getIfAvailable);
	}

	@Bean
	@ConditionalOnMissingBean
	ObservedWrites informerObservedWrites(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<WriteObservationConvention> convention) {
		return new ObservedWrites(SingletonSupplier.of(registry::getObject), convention::getIfAvailable);
	}

	@Bean
	@ConditionalOnMissingBean
	ObservedReconcilers informerObservedReconcilers(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<ReconcileObservationConvention> convention) {
		return new ObservedReconcilers(SingletonSupplier.of(registry::getObject), convention::getIfAvailable);
	}

}
