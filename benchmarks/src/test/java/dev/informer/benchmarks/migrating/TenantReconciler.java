/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.migrating;

import java.util.List;
import java.util.Optional;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;

@ControllerConfiguration
class TenantReconciler implements Reconciler<Tenant> {

	@Override
	public List<EventSource<?, Tenant>> prepareEventSources(EventSourceContext<Tenant> context) {
		InformerEventSourceConfiguration<ConfigMap> configuration = InformerEventSourceConfiguration
			.from(ConfigMap.class, Tenant.class)
			.withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(Tenant.class))
			.build();
		return List.of(new InformerEventSource<>(configuration, context));
	}

	@Override
	public UpdateControl<Tenant> reconcile(Tenant tenant, Context<Tenant> context) {
		Optional<ConfigMap> settings = context.getSecondaryResource(ConfigMap.class);
		// ...
		return UpdateControl.noUpdate();
	}

}
