/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import dev.informer.client.connection.ClusterConnection;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.recorder.EventRecorder;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.config.Replicas;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the metrics of informers, reconcilers and writes.
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

	/**
	 * Bean whose class may be missing.
	 */
	private static final String OBSERVED_WRITES = "informerObservedWrites";

	/**
	 * Bean whose class may be missing.
	 */
	private static final String OBSERVED_RECONCILERS = "informerObservedReconcilers";

	@Bean
	static InformerMeterFilter informerMeterFilter() {
		return new InformerMeterFilter();
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(Replicas.class)
	ReplicaMetrics informerReplicaMetrics(MeterRegistry meterRegistry, Replicas replicas) {
		return new ReplicaMetrics(meterRegistry, replicas);
	}

	@Bean
	@ConditionalOnMissingBean
	InformerMetrics informerMetrics(MeterRegistry meterRegistry, InformerRegistry informerRegistry,
			BeanFactory beanFactory, ObjectProvider<ClusterConnection> connections,
			ObjectProvider<EventRecorder> recorders) {
		connections.ifUnique((connection) -> registerCredentials(meterRegistry, connection));
		recorders.ifUnique((recorder) -> registerRecorder(meterRegistry, recorder));
		return new InformerMetrics(meterRegistry, informerRegistry, beanFactory.containsBean(OBSERVED_HANDLERS));
	}

	@Bean
	@ConditionalOnMissingBean(value = WriteMeters.class, name = OBSERVED_WRITES)
	WriteMeters informerWriteMeters(MeterRegistry meterRegistry) {
		return new WriteMeters(meterRegistry);
	}

	@Bean
	@ConditionalOnMissingBean
	ReconcilerMetrics informerReconcilerMetrics(MeterRegistry meterRegistry, BeanFactory beanFactory,
			ObjectProvider<Reconcilers> reconcilers) {
		return new ReconcilerMetrics(meterRegistry, reconcilers, beanFactory.containsBean(OBSERVED_RECONCILERS));
	}

	private static void registerRecorder(MeterRegistry registry, EventRecorder recorder) {
		new RemovableMeters<>(registry, recorder, Tags.empty()).gauge("recorder.pending",
				"Number of recorded Events that are not written yet", "events", EventRecorder::pending);
		FunctionCounter.builder(InformerMeters.PREFIX + "recorder.dropped", recorder, EventRecorder::dropped)
			.description("Number of recorded Events that were given up")
			.baseUnit("events")
			.register(registry);
	}

	private static void registerCredentials(MeterRegistry registry, ClusterConnection connection) {
		new RemovableMeters<>(registry, connection, Tags.empty()).gauge("credentials.failing",
				"Whether the last attempt to renew or read the credentials of the connection has failed", null,
				(each) -> {
					Boolean failing = each.isRenewalFailing();
					return (failing != null) ? (failing ? 1 : 0) : Double.NaN;
				});
	}

}
