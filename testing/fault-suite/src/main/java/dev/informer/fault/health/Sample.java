/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.health;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.informer.fault.journal.WatchedResource;
import org.jspecify.annotations.Nullable;

/**
 * Reports of the endpoints, from one poll. The times are in nanoseconds.
 *
 * @param start the time at which the poll began
 * @param end the time at which it ended
 * @param informers the reports by resource, empty if the client did not answer
 * @param problem the reason why the client did not answer, {@code null} if it did
 * @param timedOut whether the request of the suite timed out
 */
public record Sample(long start, long end, Map<WatchedResource, Report> informers, @Nullable String problem,
		boolean timedOut) {

	/**
	 * Return the samples that timed out though the samples before and after did not: the
	 * suite itself may have been too slow.
	 */
	public static List<Sample> timedOutAlone(List<Sample> samples) {
		return IntStream.range(0, samples.size())
			.filter((index) -> samples.get(index).timedOut())
			.filter((index) -> index == 0 || samples.get(index - 1).problem() == null)
			.filter((index) -> index == samples.size() - 1 || samples.get(index + 1).problem() == null)
			.mapToObj(samples::get)
			.toList();
	}

	/**
	 * Return whether an informer relisted after a 410.
	 */
	public static boolean expired(List<Sample> samples) {
		Map<WatchedResource, Double> first = new EnumMap<>(WatchedResource.class);
		for (Sample sample : samples) {
			for (Map.Entry<WatchedResource, Report> report : sample.informers().entrySet()) {
				// not registered before the first one
				double count = Double.isNaN(report.getValue().expirations()) ? 0 : report.getValue().expirations();
				Double before = first.putIfAbsent(report.getKey(), count);
				if (before != null && count > before) {
					return true;
				}
			}
		}
		return false;
	}

	/**
	 * Report on an informer.
	 *
	 * @param status the status of the health
	 * @param phase the phase
	 * @param failing whether a time of the first failure is reported
	 * @param storeSize the number of cached objects in the metrics
	 * @param activityAge the seconds since the last activity in the metrics
	 * @param expirations the number of relists after a 410 in the metrics
	 */
	public record Report(String status, String phase, boolean failing, double storeSize, double activityAge,
			double expirations) {

		boolean isUp() {
			return "UP".equals(this.status);
		}

		boolean isDown() {
			return "DOWN".equals(this.status);
		}

		boolean isWatching() {
			return "WATCHING".equals(this.phase);
		}

	}

}
