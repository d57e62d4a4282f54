/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;

/**
 * The same controller with the Java Operator SDK, as its samples show it: it compares
 * what it owns before it applies it.
 */
@ControllerConfiguration
final class SdkWidgetReconciler implements Reconciler<SdkWidget> {

	private final ControllerTally tally;

	private SdkWidgetReconciler(ControllerTally tally) {
		this.tally = tally;
	}

	static void start(KubernetesClient client, ControllerTally tally) {
		Operator operator = new Operator((configuration) -> configuration.withKubernetesClient(client));
		operator.register(new SdkWidgetReconciler(tally));
		operator.start();
	}

	@Override
	public List<EventSource<?, SdkWidget>> prepareEventSources(EventSourceContext<SdkWidget> context) {
		return List.of(new InformerEventSource<>(InformerEventSourceConfiguration.from(ConfigMap.class, SdkWidget.class)
			.withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(SdkWidget.class))
			.build(), context));
	}

	@Override
	public UpdateControl<SdkWidget> reconcile(SdkWidget widget, Context<SdkWidget> context) {
		this.tally.call();
		Map<String, String> data = Map.of("text", widget.getSpec().text());
		Optional<ConfigMap> actual = context.getSecondaryResource(ConfigMap.class);
		if (actual.filter((configMap) -> data.equals(configMap.getData())).isEmpty()) {
			ConfigMap desired = new ConfigMapBuilder().withNewMetadata()
				.withNamespace(widget.getMetadata().getNamespace())
				.withName(widget.getMetadata().getName())
				.endMetadata()
				.withData(data)
				.build();
			desired.addOwnerReference(widget);
			context.resourceOperations().serverSideApply(desired);
		}
		SdkWidget.Status status = new SdkWidget.Status(widget.getSpec().number());
		if (status.equals(widget.getStatus())) {
			return UpdateControl.noUpdate();
		}
		SdkWidget patch = new SdkWidget();
		patch.setMetadata(new ObjectMetaBuilder().withNamespace(widget.getMetadata().getNamespace())
			.withName(widget.getMetadata().getName())
			.build());
		patch.setStatus(status);
		return UpdateControl.patchStatus(patch);
	}

}
