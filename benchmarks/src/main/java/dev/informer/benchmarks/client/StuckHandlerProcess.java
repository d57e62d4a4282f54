/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.concurrent.CountDownLatch;

import dev.informer.InformerFactory;
import dev.informer.QueuePolicy;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.models.V1ConfigMap;

/**
 * Main class of a run whose handler does not return from its first invocation, during
 * many updates of small objects, and then during many creations and deletions of other
 * objects.
 */
public final class StuckHandlerProcess {

	private static final String CONFIG_MAPS = "/api/v1/configmaps";

	private StuckHandlerProcess() {
	}

	/**
	 * Run an informer.
	 * @param arguments see {@link ClientSettings#of}; creations and deletions are each as
	 * many as updates
	 * @throws Exception if the informer fails
	 */
	public static void main(String[] arguments) throws Exception {
		ClientSettings settings = ClientSettings.of(arguments);
		Report report = new Report(System.out);
		CountDownLatch never = new CountDownLatch(1);
		InformerFactory factory = InformerSetup.factory(settings, (event) -> {
		});
		SharedIndexInformer<V1ConfigMap> informer = factory.informer(V1ConfigMap.class);
		informer.addHandler((event) -> never.await(), (options) -> options.queue(QueuePolicy.COALESCE));
		factory.start();
		factory.awaitSynced(InformerSetup.PATIENCE);
		report.figure(Figure.LIST_LIVE_MEGABYTES, ProcessFigures.liveMegabytes());
		ServerControl control = new ServerControl(settings.server());
		await(informer, control.events(CONFIG_MAPS, settings.updates()));
		report.figure(Figure.PENDING_UPDATES_MEGABYTES, ProcessFigures.liveMegabytes());
		await(informer, control.events(CONFIG_MAPS, 2L * settings.updates()));
		report.figure(Figure.PENDING_PASSING_MEGABYTES, ProcessFigures.liveMegabytes());
		report.figure(Figure.PEAK_MEGABYTES, ProcessFigures.peakMegabytes());
		System.exit(0);
	}

	private static void await(SharedIndexInformer<V1ConfigMap> informer, String version) throws InterruptedException {
		if (!informer.awaitAtLeast(version, InformerSetup.PATIENCE)) {
			throw new IllegalStateException("Not all events were received after " + InformerSetup.PATIENCE);
		}
	}

}
