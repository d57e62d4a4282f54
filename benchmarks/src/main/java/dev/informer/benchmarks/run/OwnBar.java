/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.informer.benchmarks.client.ClientProcess;
import dev.informer.benchmarks.client.Figure;
import dev.informer.benchmarks.client.ManyInformersProcess;
import dev.informer.benchmarks.client.RelistProcess;
import dev.informer.benchmarks.client.StoreReadsProcess;
import dev.informer.benchmarks.client.StuckHandlerProcess;

/**
 * Bars with a separate run.
 */
enum OwnBar {

	RELIST {

		@Override
		List<String> clients() {
			return List.of("informer", "informer-json");
		}

		@Override
		List<BarResult> check(Bench bench, Contender informer) throws IOException, InterruptedException {
			Contender floor = Contender.of("floor");
			Task sync = Task.sync(bench.options());
			Task relist = new Task(RelistProcess.class, sync.server(), sync.flags(), sync.objects(), 0);
			Map<Contender, Measurements> cold = bench.measure(List.of(floor), sync.updates(0));
			Map<Contender, Measurements> warm = bench.measure(List.of(floor, informer), relist);
			double seconds = median(warm, informer, Figure.RELIST_SECONDS);
			boolean protobuf = informer.encoding().equals("protobuf");
			return List.of(
					BarResult.of(
							"relist of an unchanged store, warm, as a multiple of the floor (cold, as above), "
									+ informer.encoding(),
							Limit.atMost(protobuf ? 0.25 : 0.6), seconds / median(cold, floor, Figure.SYNC_SECONDS)),
					new BarResult("the same as a multiple of a floor that is warm, too", "-",
							Limit.format(seconds / median(warm, floor, Figure.RELIST_SECONDS)), true),
					BarResult.of("objects replaced by it", Limit.atMost(0),
							median(warm, informer, Figure.RELIST_REPLACED)));
		}

	},

	BIG_LIST {

		private static final int PODS = 325_000;

		private static final double HEAP = 1.3;

		@Override
		List<BarResult> check(Bench bench, Contender informer) throws IOException, InterruptedException {
			Task task = new Task(ClientProcess.class, "pods=" + PODS, List.of("-Xmx12g"), PODS, 0);
			double live = bench.run(informer, task).getOrDefault(Figure.LIST_LIVE_MEGABYTES, Double.NaN);
			String text = "a list of 3 GB, in a heap of 1.3x its " + Math.round(live) + " MB of live objects";
			try {
				Map<Figure, Double> figures = bench.run(informer, task.flags("-Xmx" + (int) (live * HEAP) + "m"));
				return List.of(new BarResult(text, "syncs",
						"after " + Limit.format(figures.getOrDefault(Figure.SYNC_SECONDS, Double.NaN)) + " s", true));
			}
			catch (ClientFailedException ex) {
				return List.of(new BarResult(text, "syncs", "out of memory", false));
			}
		}

	},

	STUCK_HANDLER {

		private static final int OBJECTS = 1000;

		private static final int UPDATES = 1_000_000;

		private static final String MEGABYTES = "64m";

		@Override
		List<BarResult> check(Bench bench, Contender informer) throws IOException, InterruptedException {
			Task task = new Task(StuckHandlerProcess.class, "small=" + OBJECTS + "&updates=" + UPDATES,
					List.of("-Xmx" + MEGABYTES), OBJECTS, UPDATES);
			String text = "1,000,000 updates to 1,000 small objects, 1,000,000 creations and deletions of others, "
					+ "handler stuck, COALESCE; MB of heap, limited to 64";
			try {
				Map<Figure, Double> figures = bench.run(informer, task);
				double live = Math.max(figures.getOrDefault(Figure.PENDING_UPDATES_MEGABYTES, Double.NaN),
						figures.getOrDefault(Figure.PENDING_PASSING_MEGABYTES, Double.NaN));
				return List.of(BarResult.of(text, Limit.atMost(64), live));
			}
			catch (ClientFailedException ex) {
				return List.of(new BarResult(text, Limit.atMost(64).toString(), "out of memory", false));
			}
		}

	},

	READS {

		@Override
		List<BarResult> check(Bench bench, Contender informer) throws IOException, InterruptedException {
			Contender rival = Contender.of("client-java");
			Task task = new Task(StoreReadsProcess.class, "", List.of("-Xmx1g"), 0, 0);
			Map<Contender, Measurements> measured = bench.measure(List.of(informer, rival), task);
			List<BarResult> results = new ArrayList<>();
			Map<Figure, String> kinds = Map.of(Figure.MIXED_READS, "nine of ten by key, one by index", Figure.KEY_READS,
					"by key", Figure.INDEX_READS, "by index");
			for (Figure figure : List.of(Figure.KEY_READS, Figure.INDEX_READS, Figure.MIXED_READS)) {
				results.add(BarResult.of(
						"reads of the store by 8 threads during 10,000 writes per second, " + kinds.get(figure)
								+ ", as a multiple of client-java's",
						Limit.atLeast(5), median(measured, informer, figure) / median(measured, rival, figure)));
			}
			results.add(BarResult.of("writes per second during that", Limit.atLeast(9500),
					median(measured, informer, Figure.WRITES)));
			return results;
		}

	},

	THREADS {

		@Override
		List<BarResult> check(Bench bench, Contender informer) throws IOException, InterruptedException {
			Task task = new Task(ManyInformersProcess.class, "small=10", List.of("-Xmx1g"), 10, 0);
			Map<Figure, Double> figures = bench.run(informer, task);
			return List.of(BarResult
				.of("200 informers started at once: most platform threads of the process at a time (of which "
						+ Limit.format(figures.getOrDefault(Figure.OWN_THREADS, Double.NaN)) + " are the JVM's own)",
						Limit.atMost(40), figures.getOrDefault(Figure.PEAK_THREADS, Double.NaN)));
		}

	};

	/**
	 * Return the clients to check.
	 */
	List<String> clients() {
		return List.of("informer");
	}

	/**
	 * Measure the figures of the bar.
	 * @param bench the bench that runs clients
	 * @param informer the client to check
	 */
	abstract List<BarResult> check(Bench bench, Contender informer) throws IOException, InterruptedException;

	private static double median(Map<Contender, Measurements> measured, Contender contender, Figure figure) {
		return measured.getOrDefault(contender, new Measurements()).median(figure);
	}

}
