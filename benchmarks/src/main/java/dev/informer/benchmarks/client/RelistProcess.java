/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Main class of a run that repeats a warm list of unchanged pods, and counts the objects
 * that the list replaced.
 */
public final class RelistProcess {

	private static final int WARM_UP = 4;

	private static final int ROUNDS = 5;

	private static final String PODS = "/api/v1/pods";

	private final ClientSettings settings;

	private final List<Double> seconds = new ArrayList<>();

	private final List<Double> cpuSeconds = new ArrayList<>();

	private RelistProcess(ClientSettings settings) {
		this.settings = settings;
	}

	/**
	 * Run an informer, or the floor.
	 * @param arguments see {@link ClientSettings#of}
	 * @throws Exception if a list fails
	 */
	public static void main(String[] arguments) throws Exception {
		RelistProcess process = new RelistProcess(ClientSettings.of(arguments));
		Report report = new Report(System.out);
		if (process.settings.client() == ClientType.FLOOR) {
			process.relistByFloor();
		}
		else {
			report.figure(Figure.RELIST_REPLACED, process.relistByInformer());
		}
		report.figure(Figure.RELIST_SECONDS, median(process.seconds));
		report.figure(Figure.RELIST_CPU_SECONDS, median(process.cpuSeconds));
		System.exit(0);
	}

	private void relistByFloor() throws IOException {
		TokenizerFloor floor = new TokenizerFloor(this.settings, new Tally());
		for (int round = 0; round < WARM_UP + ROUNDS; round++) {
			double cpu = ProcessFigures.cpuSeconds();
			long began = System.nanoTime();
			floor.list("resourceVersion=0");
			note(round, began, cpu);
		}
	}

	private int relistByInformer() throws Exception {
		RelistStart start = new RelistStart();
		try (InformerFactory factory = InformerSetup.factory(this.settings, start)) {
			SharedIndexInformer<V1Pod> informer = factory.informer(V1Pod.class);
			informer.addHandler((event) -> {
			});
			factory.start();
			factory.awaitSynced(InformerSetup.PATIENCE);
			Set<V1Pod> before = Collections.newSetFromMap(new IdentityHashMap<>());
			before.addAll(informer.lister().list());
			ServerControl control = new ServerControl(this.settings.server());
			for (int round = 0; round < WARM_UP + ROUNDS; round++) {
				String version = control.expire(PODS);
				if (!informer.awaitAtLeast(version, InformerSetup.PATIENCE)) {
					throw new IllegalStateException("No relist took place");
				}
				note(round, start.nanos, start.cpu);
			}
			List<V1Pod> after = informer.lister().list();
			this.settings.verify(informer.encoding().orElse("none"), after.size());
			return this.settings.objects() - (int) after.stream().filter(before::contains).count();
		}
	}

	private void note(int round, long began, double cpu) {
		if (round >= WARM_UP) {
			this.seconds.add((System.nanoTime() - began) / 1e9);
			this.cpuSeconds.add(ProcessFigures.cpuSeconds() - cpu);
		}
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
	}

	/**
	 * Time at which a list began, without the delay before it.
	 */
	private static final class RelistStart implements InformerListener {

		private volatile long nanos;

		private volatile double cpu;

		@Override
		public void onEvent(InformerEvent event) {
			if (event instanceof InformerEvent.Relisting) {
				this.cpu = ProcessFigures.cpuSeconds();
				this.nanos = System.nanoTime();
			}
		}

	}

}
