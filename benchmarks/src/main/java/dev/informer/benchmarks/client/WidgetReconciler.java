/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.time.Duration;
import java.util.Map;

import dev.informer.InformerFactory;
import dev.informer.reconcilers.ReconcileContext;
import dev.informer.reconcilers.Reconciler;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Controller with this project: a ConfigMap per widget, and a status.
 */
final class WidgetReconciler implements Reconciler<Widget> {

	private final ObjectWriter writer;

	private WidgetReconciler(ObjectWriter writer) {
		this.writer = writer;
	}

	static void start(InformerFactory factory, ControllerTally tally) {
		ObjectWriter writer = ObjectWriter.of(factory, "widgets");
		Reconcilers reconcilers = Reconcilers.of(factory, writer, (call) -> {
			tally.call();
			call.proceed();
		});
		reconcilers.add(factory.informer(Widget.class), new WidgetReconciler(writer),
				(options) -> options.owns(factory.informer(V1ConfigMap.class)));
		reconcilers.start();
	}

	@Override
	public @Nullable Duration reconcile(Widget widget, ReconcileContext context) throws ObjectWriteException {
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(widget.getMetadata().getNamespace())
			.name(widget.getMetadata().getName());
		this.writer.apply(new V1ConfigMap().metadata(metadata).data(Map.of("text", widget.getSpec().text())), widget);
		widget.setStatus(new Widget.Status(widget.getSpec().number()));
		this.writer.updateStatus(widget);
		return null;
	}

}
