/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.health;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.health.Sample.Report;
import dev.informer.fault.journal.WatchedResource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with a client that polls report correctly, and with one mutation each.
 */
class HealthOracleTests {

	private static final Report CURRENT = new Report("UP", "WATCHING", false, 10, 0, 0);

	private static final Outage OUTAGE = new Outage(WatchedResource.PODS, seconds(100), seconds(190), seconds(195),
			true, true);

	private final List<Sample> samples = new ArrayList<>();

	HealthOracleTests() {
		for (int second = 90; second < 210; second++) {
			boolean blind = second >= 100 && second < 195;
			set(second, blind ? new Report((second < 162) ? "UP" : "DOWN", "BACKING_OFF", true, 10, second - 100, 0)
					: CURRENT);
		}
	}

	@Test
	void correctReports_haveNoViolation() {
		assertThat(violations()).isEmpty();
	}

	@Test
	void upAfterThreshold_isViolation() {
		set(170, new Report("UP", "BACKING_OFF", true, 10, 70, 0));
		assertViolation("pods is not DOWN though blind for longer than the threshold");
	}

	@Test
	void downBeforeThreshold_isViolation() {
		set(150, new Report("DOWN", "BACKING_OFF", true, 10, 50, 0));
		assertViolation("pods is DOWN before the threshold");
	}

	@Test
	void downBeforeOutage_isViolation() {
		set(95, new Report("DOWN", "WATCHING", false, 10, 0, 0));
		assertViolation("pods is not UP though it is current");
	}

	@Test
	void downLongAfterRecovery_isViolation() {
		set(202, new Report("DOWN", "WATCHING", false, 10, 0, 0));
		assertViolation("pods is not UP though it is current");
	}

	@Test
	void failingLongAfterRecovery_isViolation() {
		set(202, new Report("UP", "WATCHING", true, 10, 0, 0));
		assertViolation("pods is not WATCHING, or failing, though it is current");
	}

	@Test
	void watchingInOutage_isViolation() {
		set(120, new Report("UP", "WATCHING", false, 10, 20, 0));
		assertViolation("pods is WATCHING though blind");
	}

	@Test
	void watchThatIsServedBeforeWritesAre_isNoViolation() {
		Outage answered = new Outage(WatchedResource.PODS, seconds(100), seconds(190), seconds(195), true, false);
		set(120, new Report("UP", "WATCHING", false, 10, 0.1, 0));
		assertThat(new HealthOracle(List.of(answered), false).violations(this.samples)).isEmpty();
		set(120, new Report("UP", "WATCHING", false, 10, 20, 0));
		assertThat(new HealthOracle(List.of(answered), false).violations(this.samples)).singleElement()
			.asString()
			.startsWith("pods is WATCHING though blind");
	}

	@Test
	void activityInOutage_isViolation() {
		set(120, new Report("UP", "BACKING_OFF", true, 10, 2, 0));
		assertViolation("pods has a last activity in the outage");
	}

	@Test
	void otherInformerDown_isViolation() {
		Map<WatchedResource, Report> reports = new EnumMap<>(this.samples.get(40).informers());
		reports.put(WatchedResource.WIDGETS, new Report("DOWN", "BACKING_OFF", true, 10, 0, 0));
		this.samples.set(40,
				new Sample(this.samples.get(40).start(), this.samples.get(40).end(), reports, null, false));
		assertThat(violations()).anyMatch((violation) -> violation.startsWith("widgets is not UP"));
	}

	@Test
	void storeSizeMissing_isViolation() {
		set(95, new Report("UP", "WATCHING", false, Double.NaN, 0, 0));
		assertViolation("pods has no store size");
	}

	@Test
	void noAnswer_isViolationUnlessClientIsFrozen() {
		this.samples.set(20, new Sample(seconds(110), seconds(110), Map.of(), "refused", false));
		assertViolation("endpoints did not answer in 1 samples, at first 20 s after the first sample: refused");
		assertThat(Sample.timedOutAlone(this.samples)).isEmpty();
		assertThat(new HealthOracle(List.of(OUTAGE), true).violations(this.samples)).isEmpty();
	}

	@Test
	void twoTimeoutsInSuccession_areViolation() {
		this.samples.set(20, timedOut(110));
		this.samples.set(21, timedOut(111));
		assertViolation("endpoints did not answer in 2 samples, at first 20 s after the first sample: timed out");
		assertThat(Sample.timedOutAlone(this.samples)).isEmpty();
	}

	@Test
	void oneTimeout_isFailureOfSuiteInsteadOfViolation() {
		for (int index : new int[] { 0, 20, 22, this.samples.size() - 1 }) {
			this.samples.set(index, timedOut(90 + index));
		}
		assertThat(violations()).isEmpty();
		assertThat(Sample.timedOutAlone(this.samples)).hasSize(4);
	}

	private static Sample timedOut(int second) {
		return new Sample(seconds(second), seconds(second + 3), Map.of(), "timed out", true);
	}

	@Test
	void slowPollThatEndsInTheOutage_isNoViolation() {
		Map<WatchedResource, Report> reports = new EnumMap<>(this.samples.get(15).informers());
		this.samples.add(new Sample(seconds(94), seconds(101), reports, null, false));
		assertThat(violations()).isEmpty();
	}

	private void set(int second, Report pods) {
		Map<WatchedResource, Report> reports = new EnumMap<>(WatchedResource.class);
		for (WatchedResource resource : WatchedResource.ofEveryClient()) {
			reports.put(resource, (resource == WatchedResource.PODS) ? pods : CURRENT);
		}
		Sample sample = new Sample(seconds(second), seconds(second), reports, null, false);
		this.samples.removeIf((old) -> old.start() == sample.start());
		this.samples.add(sample);
	}

	private List<String> violations() {
		return new HealthOracle(List.of(OUTAGE), false).violations(this.samples);
	}

	private void assertViolation(String violation) {
		assertThat(violations()).singleElement().asString().startsWith(violation);
	}

	private static long seconds(long seconds) {
		return TimeUnit.SECONDS.toNanos(seconds);
	}

}
