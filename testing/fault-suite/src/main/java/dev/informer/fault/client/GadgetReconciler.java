/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.time.Duration;

import dev.informer.InformerFactory;
import dev.informer.InvocationGate;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.fault.client.ReplicaApplication.Work;
import dev.informer.fault.server.Cluster;
import dev.informer.reconcilers.ReconcileContext;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;

/**
 * Reconciler that writes: each gadget is to have one Secret, whose name the server
 * generates. One that is too many stays, so that the suite sees it.
 */
final class GadgetReconciler {

	/** Retries with short delays, so that no round waits for minutes. */
	private static final RetryPolicy RETRY = new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMillis(500), 2,
			Duration.ofSeconds(10), Duration.ofMillis(500));

	private final InformerFactory factory;

	private final ObjectWriter writer;

	GadgetReconciler(InformerFactory factory, ObjectWriter writer) {
		this.factory = factory;
		this.writer = writer;
	}

	/**
	 * Add this reconciler.
	 * @param recorder records the calls
	 */
	void addTo(Reconcilers reconcilers, InvocationGate gate, Recorder recorder) {
		SharedIndexInformer<V1Secret> secrets = this.factory.informer(V1Secret.class,
				(options) -> options.name("gadgetsecrets").namespaces(Cluster.GADGETS));
		SharedIndexInformer<Gadget> gadgets = this.factory.informer(Gadget.class,
				(options) -> options.namespaces(Cluster.GADGETS));
		reconcilers.add(gadgets, (gadget, context) -> {
			recorder.record(gadget, context, (begin) -> reconcile(gadget, context, begin));
			return null;
		}, (options) -> options.owns(secrets).gate(gate).retry(RETRY).cleanup(Cluster.FINALIZER, (gadget, context) -> {
			recorder.record(gadget, context, (begin) -> cleanUp(context));
			return null;
		}));
	}

	/**
	 * Create the Secret if there is none.
	 * @param begin the time at which the call began, which the Secret names
	 */
	private void reconcile(Gadget gadget, ReconcileContext context, long begin) throws ObjectWriteException {
		if (context.owned(V1Secret.class).list().isEmpty()) {
			V1ObjectMeta metadata = gadget.getMetadata();
			this.writer.create(new V1Secret().metadata(new V1ObjectMeta().namespace(metadata.getNamespace())
				.generateName(metadata.getName() + "-")
				.putAnnotationsItem(Cluster.CALL, Long.toString(begin))), gadget);
		}
	}

	/**
	 * Delete each Secret, as there is no garbage collector.
	 */
	private void cleanUp(ReconcileContext context) throws ObjectWriteException {
		for (V1Secret secret : context.owned(V1Secret.class).list()) {
			this.writer.delete(secret);
		}
	}

	/**
	 * Record of the calls.
	 */
	interface Recorder {

		/**
		 * Run the work of a call, and record it.
		 */
		void record(Gadget gadget, ReconcileContext context, Work<ObjectWriteException> work)
				throws ObjectWriteException;

	}

}
