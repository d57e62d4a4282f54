/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.informer.fault.Scenario.Trait;
import dev.informer.fault.health.HealthOracle;
import dev.informer.fault.health.Sample;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.Violation;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario in a session.
 */
final class Trial {

	private static final Duration WARM_UP = Duration.ofSeconds(3);

	/** Health is judged until some seconds after the recovery. */
	private static final Duration AFTERMATH = Duration.ofSeconds(7);

	/** The retries of a failing handler take up to 25 s with default settings. */
	private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(60);

	private final Session session;

	private final Scenario scenario;

	Trial(Session session, Scenario scenario) {
		this.session = session;
		this.scenario = scenario;
	}

	TrialResult run() throws Exception {
		TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
		this.session.monitor().take();
		this.session.workload().takeRate();
		if (this.scenario.has(Trait.ROLLBACK)) {
			this.session.oracle().allowRollback();
		}
		Stage stage = new Stage(this.session, this.scenario);
		this.scenario.action().run(stage);
		List<Violation> differences = List.of();
		List<Violation> growth = List.of();
		if (this.scenario.has(Trait.ENDS_CLIENT)) {
			this.session.oracle().replay();
		}
		else {
			stage.recover();
			TimeUnit.NANOSECONDS.sleep(AFTERMATH.toNanos());
			differences = drain();
			growth = this.session.growth();
		}
		List<Violation> violations = new ArrayList<>(differences);
		violations.addAll(growth);
		violations.addAll(this.session.oracle().takeViolations());
		List<Sample> samples = this.session.monitor().take();
		TrialResult result = new TrialResult(this.scenario, stage.worstRecovery(), this.session.workload().takeRate(),
				this.session.oracle().entries(), health(samples, stage), violations, differences.isEmpty(),
				Sample.expired(samples), null);
		return result.isBreach() ? result : result.withFailure(failure(samples));
	}

	/**
	 * Return the reason why health is not known at a time.
	 */
	private @Nullable String failure(List<Sample> samples) {
		if (this.scenario.has(Trait.FROZEN_CLIENT) || this.scenario.has(Trait.ENDS_CLIENT)) {
			return null;
		}
		int unknown = Sample.timedOutAlone(samples).size();
		return (unknown > 0) ? "polls of the endpoints timed out, but not two in succession: " + unknown : null;
	}

	private List<String> health(List<Sample> samples, Stage stage) {
		if (this.scenario.has(Trait.ENDS_CLIENT)) {
			return List.of();
		}
		return new HealthOracle(stage.outages(), this.scenario.has(Trait.FROZEN_CLIENT)).violations(samples);
	}

	/**
	 * Wait until cache and handlers agree with the server, without further changes.
	 */
	private List<Violation> drain() throws IOException, InterruptedException {
		this.session.workload().pause();
		try {
			long end = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
			while (true) {
				this.session.oracle().replay();
				try {
					List<Violation> differences = differences();
					if (differences.isEmpty() || System.nanoTime() > end) {
						return differences;
					}
				}
				catch (IOException ex) {
					// A busy server; the suite fails if it stays so
					if (System.nanoTime() > end) {
						throw ex;
					}
				}
				TimeUnit.MILLISECONDS.sleep(200);
			}
		}
		finally {
			this.session.workload().resume();
		}
	}

	private List<Violation> differences() throws IOException, InterruptedException {
		ObjectStates server = this.session.cluster().api().list();
		try {
			return this.session.oracle().differences(server, this.session.client().cache());
		}
		catch (IOException ex) {
			return List.of(new Violation("client does not answer", ex.toString()));
		}
	}

}
