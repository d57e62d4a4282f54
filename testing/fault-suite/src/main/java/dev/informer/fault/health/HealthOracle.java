/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.health.Sample.Report;
import dev.informer.fault.journal.WatchedResource;

/**
 * Oracle that decides whether health, phases and metrics were accurate.
 */
public final class HealthOracle {

	/** Default of {@code informer.health.failing-threshold}. */
	public static final Duration THRESHOLD = Duration.ofMinutes(1);

	private static final double TOLERANCE = 5;

	/** Seconds that a poll and the clocks of two processes may differ. */
	private static final double SLACK = 2;

	private static final double THRESHOLD_SECONDS = THRESHOLD.toSeconds();

	private final List<Outage> outages;

	private final boolean frozenClient;

	/**
	 * Create an oracle.
	 * @param frozenClient whether the client may not answer during an outage
	 */
	public HealthOracle(List<Outage> outages, boolean frozenClient) {
		this.outages = outages;
		this.frozenClient = frozenClient;
	}

	/**
	 * Judge samples.
	 * @return one line for each kind of violation, with its first occurrence
	 */
	public List<String> violations(List<Sample> samples) {
		Map<String, Occurrences> found = new LinkedHashMap<>();
		List<Sample> excused = Sample.timedOutAlone(samples);
		for (Sample sample : samples) {
			String problem = sample.problem();
			if (problem != null && !this.frozenClient && !excused.contains(sample)) {
				double elapsed = seconds(samples.get(0).start(), sample.start());
				add(found, "endpoints did not answer", "%.0f s after the first sample: %s".formatted(elapsed, problem));
			}
			sample.informers().forEach((resource, report) -> judge(sample, resource, report, found));
		}
		List<String> violations = new ArrayList<>();
		found.forEach((violation, occurrences) -> violations
			.add("%s in %d samples, at first %s".formatted(violation, occurrences.count, occurrences.first)));
		return violations;
	}

	private void judge(Sample sample, WatchedResource resource, Report report, Map<String, Occurrences> found) {
		String name = resource.plural();
		Optional<Outage> outage = this.outages.stream()
			.filter((candidate) -> candidate.resource() == resource)
			.filter((candidate) -> seconds(candidate.start(), sample.end()) >= -SLACK
					&& seconds(candidate.recovered(), sample.start()) <= TOLERANCE)
			.findFirst();
		if (Double.isNaN(report.storeSize())) {
			add(found, name + " has no store size", "");
		}
		if (outage.isEmpty()) {
			if (!report.isUp()) {
				add(found, name + " is not UP though it is current", report.toString());
			}
			if (!report.isWatching() || report.failing()) {
				add(found, name + " is not WATCHING, or failing, though it is current", report.toString());
			}
		}
		else {
			judge(sample, name, report, outage.get(), found);
		}
	}

	private void judge(Sample sample, String name, Report report, Outage outage, Map<String, Occurrences> found) {
		double blind = seconds(outage.start(), sample.start());
		boolean recovered = seconds(outage.recovered(), sample.end()) > -SLACK;
		boolean servable = seconds(outage.servable(), sample.end()) > -SLACK;
		String at = "after %.0f s: %s".formatted(blind, report);
		if (report.isDown() && seconds(outage.start(), sample.end()) < THRESHOLD_SECONDS - SLACK) {
			add(found, name + " is DOWN before the threshold", at);
		}
		if (!report.isDown() && blind > THRESHOLD_SECONDS + TOLERANCE && !recovered) {
			add(found, name + " is not DOWN though blind for longer than the threshold", at);
		}
		double noticed = outage.noticed() ? TOLERANCE : THRESHOLD_SECONDS + TOLERANCE;
		// A server that starts serves watches before it accepts a write.
		boolean served = !outage.silent() && report.activityAge() < TOLERANCE;
		if (report.isWatching() && !report.failing() && blind > noticed && !servable && !served) {
			add(found, name + " is WATCHING though blind", at);
		}
		if (outage.silent() && !servable && blind > TOLERANCE && report.activityAge() < blind - TOLERANCE) {
			add(found, name + " has a last activity in the outage", at);
		}
	}

	private static double seconds(long from, long to) {
		return (to - from) / (double) TimeUnit.SECONDS.toNanos(1);
	}

	private static void add(Map<String, Occurrences> found, String violation, String first) {
		found.computeIfAbsent(violation, (key) -> new Occurrences(first)).count++;
	}

	private static final class Occurrences {

		private final String first;

		private int count;

		Occurrences(String first) {
			this.first = first;
		}

	}

}
