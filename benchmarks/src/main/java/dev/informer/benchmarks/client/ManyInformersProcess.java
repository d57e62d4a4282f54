/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

import dev.informer.InformerFactory;
import dev.informer.client.ResourceType;

/**
 * Main class of a run that starts many informers of different resources at once, each
 * with a handler, and counts the threads.
 */
public final class ManyInformersProcess {

	private static final int INFORMERS = 200;

	private ManyInformersProcess() {
	}

	/**
	 * Run informers.
	 * @param arguments see {@link ClientSettings#of}
	 * @throws Exception if an informer fails
	 */
	public static void main(String[] arguments) throws Exception {
		ClientSettings settings = ClientSettings.of(arguments);
		Report report = new Report(System.out);
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		report.figure(Figure.OWN_THREADS, threads.getThreadCount());
		Tally tally = new Tally();
		InformerFactory factory = InformerSetup.factory(settings, (event) -> {
		}, VirtualThreads.factory());
		for (int informer = 0; informer < INFORMERS; informer++) {
			factory.informer(ResourceType.dynamic("bench.example.com", "v1", "things" + informer, "Thing", true),
					(options) -> {
					})
				.addHandler((event) -> tally.event());
		}
		long began = System.nanoTime();
		factory.start();
		if (!factory.awaitSynced(InformerSetup.PATIENCE)) {
			throw new IllegalStateException("Not synced after " + InformerSetup.PATIENCE);
		}
		report.figure(Figure.SYNC_SECONDS, (System.nanoTime() - began) / 1e9);
		report.figure(Figure.THREADS, threads.getThreadCount());
		report.figure(Figure.PEAK_THREADS, threads.getPeakThreadCount());
		System.exit(0);
	}

}
