/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.benchmarks.replay.ReplayServer;
import io.kubernetes.client.openapi.models.V1Service;

/**
 * Main class of a run that syncs an informer of services several times in one JVM, until
 * the code is compiled, with any number of handlers, namespaces and indices.
 */
public final class GrowthProcess {

	/** Number of objects that are synced before the measurement. */
	private static final int WARM_UP = 400_000;

	private static final int ROUNDS = 5;

	private final ClientSettings settings;

	private final List<Double> synced = new ArrayList<>();

	private final List<Double> handled = new ArrayList<>();

	private final List<Double> cpu = new ArrayList<>();

	private GrowthProcess(ClientSettings settings) {
		this.settings = settings;
	}

	/**
	 * Run informers.
	 * @param arguments see {@link ClientSettings#of}
	 * @throws Exception if an informer fails
	 */
	public static void main(String[] arguments) throws Exception {
		GrowthProcess process = new GrowthProcess(ClientSettings.of(arguments));
		Report report = new Report(System.out);
		int warmUp = Math.min(100, Math.max(2, WARM_UP / process.settings.objects()));
		for (int round = 0; round < warmUp; round++) {
			process.sync();
		}
		process.forget();
		for (int round = 0; round < ROUNDS; round++) {
			process.sync();
		}
		report.figure(Figure.SYNC_SECONDS, median(process.synced));
		report.figure(Figure.HANDLED_SECONDS, median(process.handled));
		report.figure(Figure.SYNC_CPU_SECONDS, median(process.cpu));
		double before = ProcessFigures.liveMegabytes();
		report.figure(Figure.ADDED_MEGABYTES, process.sync(ProcessFigures::liveMegabytes) - before);
		System.exit(0);
	}

	private void forget() {
		this.synced.clear();
		this.handled.clear();
		this.cpu.clear();
	}

	private void sync() throws Exception {
		sync(() -> 0);
	}

	/**
	 * Sync once, and note the times.
	 * @param figure what to measure while the informer is running
	 */
	private double sync(DoubleSupplier figure) throws Exception {
		Tally[] tallies = IntStream.range(0, this.settings.handlers())
			.mapToObj((handler) -> new Tally())
			.toArray(Tally[]::new);
		double cpuBefore = ProcessFigures.cpuSeconds();
		long began = System.nanoTime();
		try (InformerFactory factory = InformerSetup.factory(this.settings, (event) -> {
		})) {
			SharedIndexInformer<V1Service> informer = factory.informer(V1Service.class,
					(options) -> options.namespaces(namespaces()));
			for (int index = 0; index < this.settings.indices(); index++) {
				int number = index;
				informer.addIndex("index-" + index,
						(service) -> service.getMetadata().getLabels().get("app.kubernetes.io/name") + number);
			}
			for (Tally tally : tallies) {
				informer.addHandler((event) -> tally.event());
			}
			factory.start();
			if (!factory.awaitSynced(InformerSetup.PATIENCE)) {
				throw new IllegalStateException("Not synced after " + InformerSetup.PATIENCE);
			}
			this.synced.add((System.nanoTime() - began) / 1e9);
			for (Tally tally : tallies) {
				tally.await(this.settings.objects(), InformerSetup.PATIENCE);
			}
			this.handled.add((System.nanoTime() - began) / 1e9);
			this.cpu.add(ProcessFigures.cpuSeconds() - cpuBefore);
			this.settings.verify(informer.encoding().orElse("none"), informer.lister().list().size());
			return figure.getAsDouble();
		}
	}

	private String[] namespaces() {
		return IntStream.range(0, this.settings.namespaces())
			.mapToObj((namespace) -> ReplayServer.NAMESPACE + namespace)
			.toArray(String[]::new);
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
	}

}
