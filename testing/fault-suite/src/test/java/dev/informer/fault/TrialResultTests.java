/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.informer.fault.client.ClientException;
import dev.informer.fault.journal.Conclusion;
import dev.informer.fault.journal.Violation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TrialResult}, and for the conclusion and the table of several.
 */
class TrialResultTests {

	private static final Scenario SCENARIO = Scenario.of("scenario", Bar.SHORT, (stage) -> {
	});

	private static final TrialResult PASSED = result(Duration.ofSeconds(2), List.of());

	private static final TrialResult FAILED = incomplete(new HttpTimeoutException("request timed out"), false);

	@Test
	void requestOfSuiteThatTimedOut_isNoBreach() {
		assertThat(FAILED.isFailure()).isTrue();
		assertThat(FAILED.isBreach()).isFalse();
		assertThat(FaultSuite.conclusion(List.of(PASSED, FAILED))).isEqualTo(Conclusion.SUITE_FAILED);
		assertThat(table(PASSED, FAILED))
			.contains("| scenario | 1, SUITE FAILED in 1 | 100 | 2.00 s | 2.00 s | <= 5 s | ok | ok |");
		assertThat(table(FAILED)).contains("| scenario | 0, SUITE FAILED in 1 | - | - | - | - | - | - |");
	}

	@Test
	void clientThatEndedOrDoesNotAnswer_isBreach() {
		for (TrialResult result : List.of(incomplete(new IOException("connection refused"), true),
				incomplete(new ClientException("Client did not answer"), false))) {
			assertThat(result.isFailure()).isFalse();
			assertThat(result.isBreach()).isTrue();
			assertThat(result.oracle()).extracting(Violation::kind).containsExactly("client failed");
		}
	}

	@Test
	void exceptionThatEndsTheSuite_isNoBreachUnlessClientFailed() {
		assertThat(FaultSuite.run(() -> {
			throw new IOException("Client did not start");
		})).isEqualTo(Conclusion.SUITE_FAILED);
		assertThat(FaultSuite.run(() -> {
			throw new ClientException("Client ended at its start");
		})).isEqualTo(Conclusion.BREACHED);
	}

	@Test
	void missedBar_isConcludedAlsoIfSuiteFailedInAnotherRun() {
		TrialResult late = result(Duration.ofSeconds(6), List.of());
		assertThat(late.isBreach()).isTrue();
		assertThat(FaultSuite.conclusion(List.of(FAILED, late))).isEqualTo(Conclusion.BREACHED);
		assertThat(table(late)).contains("| 6.00 s | <= 5 s MISSED | ok | ok |");
	}

	@Test
	void runsWithinBars_pass() {
		assertThat(FaultSuite.conclusion(List.of(PASSED, PASSED))).isEqualTo(Conclusion.PASSED);
		assertThat(table(PASSED, PASSED)).contains("| scenario | 2 | 100 | 2.00 s |");
	}

	@Test
	void healthAndOracle_areBreaches() {
		assertThat(result(Duration.ZERO, List.of("pods is not UP")).isBreach()).isTrue();
		assertThat(PASSED.isBreach()).isFalse();
	}

	private static TrialResult incomplete(Exception reason, boolean ended) {
		return TrialResult.incomplete(SCENARIO, reason, ended);
	}

	private static TrialResult result(Duration recovery, List<String> health) {
		return new TrialResult(SCENARIO, recovery, 100, 1, health, List.of(), true, false, null);
	}

	private static String table(TrialResult... results) {
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		new ResultTable(List.of(results)).print(new PrintStream(output, true, StandardCharsets.UTF_8));
		return output.toString(StandardCharsets.UTF_8);
	}

}
