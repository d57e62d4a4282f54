/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.informer.benchmarks.replay.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * Main class of a run that measures the time from the server's stamp of an event to the
 * invocation of the handler, at a fixed rate, after a warm-up at the same rate.
 */
public final class LatencyProcess {

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private static final String PODS = "/api/v1/pods";

	private LatencyProcess() {
	}

	/**
	 * Run a client.
	 * @param arguments see {@link ClientSettings#of}; a third of the updates warm up
	 * @throws Exception if the client fails
	 */
	public static void main(String[] arguments) throws Exception {
		ClientSettings settings = ClientSettings.of(arguments);
		Report report = new Report(System.out);
		int warmUp = settings.updates() / 3;
		int measured = settings.updates() - warmUp;
		Arrivals arrivals = new Arrivals(settings.objects() + settings.updates());
		ServerControl control = new ServerControl(settings.server());
		try (BenchmarkClient client = settings.client().create(settings, arrivals)) {
			client.start();
			arrivals.await(settings.objects(), PATIENCE);
			control.pacedEvents(PODS, warmUp, settings.rate());
			arrivals.await(settings.objects() + warmUp, PATIENCE);
			control.pacedEvents(PODS, measured, settings.rate());
			arrivals.await(settings.objects() + settings.updates(), PATIENCE);
			double[] millis = arrivals.latencies(control.stamps(PODS), settings.objects() + warmUp);
			if (millis.length != measured) {
				throw new IllegalStateException(millis.length + " instead of " + measured + " events have a stamp");
			}
			report.figure(Figure.LATENCY_P50, percentile(millis, 0.5));
			report.figure(Figure.LATENCY_P99, percentile(millis, 0.99));
			report.figure(Figure.LATENCY_P999, percentile(millis, 0.999));
			report.figure(Figure.LATENCY_MAX, percentile(millis, 1));
			settings.verify(client.encoding(), client.resourceVersions().size());
		}
		System.exit(0);
	}

	/**
	 * Return a percentile by the nearest rank.
	 */
	private static double percentile(double[] sorted, double share) {
		return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
	}

	/**
	 * Resource versions and times of events in the order of their arrival. Written by the
	 * thread of one handler, read after {@link #await}.
	 */
	private static final class Arrivals extends Tally {

		private final String[] versions;

		private final long[] nanos;

		private int count;

		Arrivals(int capacity) {
			this.versions = new String[capacity];
			this.nanos = new long[capacity];
		}

		@Override
		public void event(@Nullable String resourceVersion) {
			if (this.count < this.nanos.length) {
				this.nanos[this.count] = WallClock.nanos();
				this.versions[this.count++] = (resourceVersion != null) ? resourceVersion : "";
			}
			event();
		}

		/**
		 * Return the sorted milliseconds of events with a stamp.
		 * @param stamps the stamps by resource version
		 * @param first the number of the first event
		 */
		double[] latencies(Map<Long, Long> stamps, int first) {
			double[] millis = new double[this.count - first];
			int known = 0;
			for (int event = first; event < this.count; event++) {
				Long stamp = stamps.remove(Long.valueOf(this.versions[event]));
				if (stamp != null) {
					millis[known++] = (this.nanos[event] - stamp) / (double) TimeUnit.MILLISECONDS.toNanos(1);
				}
			}
			double[] sorted = Arrays.copyOf(millis, known);
			Arrays.sort(sorted);
			return sorted;
		}

	}

}
