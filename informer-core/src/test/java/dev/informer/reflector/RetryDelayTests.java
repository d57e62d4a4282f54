/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.InformerOptions;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.reflector.AttemptOutcome.Result;
import dev.informer.reflector.RetryDecider.Decision;
import dev.informer.reflector.RetryDecider.RetryState;
import dev.informer.testing.FakeTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.reflector.AttemptOutcomes.ADVANCED;
import static dev.informer.reflector.AttemptOutcomes.OPENED;
import static dev.informer.reflector.AttemptOutcomes.QUIET;
import static dev.informer.reflector.AttemptOutcomes.UNOPENED;
import static dev.informer.reflector.AttemptOutcomes.UNSET;
import static dev.informer.reflector.AttemptOutcomes.status;
import static dev.informer.reflector.AttemptOutcomes.watch;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the delays of {@link RetryDecider}.
 */
class RetryDelayTests {

	private static final Duration FIRST_DELAY = Duration.ofMillis(800);

	/** Maximum delay of 7 s, of which half is jitter. */
	private static final Duration REFUSAL_DELAY = Duration.ofMillis(3500);

	private final FakeTime time = FakeTime.manual();

	private final ReflectorSettings settings = TestSettings.of(InformerOptions.DEFAULT);

	private final RetryDecider decider = new RetryDecider(this.settings, this.time, () -> 0);

	private RetryState state = new RetryState(InformerOptions.DEFAULT.backoff());

	@ParameterizedTest
	@MethodSource("unavailable")
	void unavailableServer_backsOffFiveSecondsAtMost(Throwable failure) {
		RetryDecider worst = new RetryDecider(this.settings, this.time, () -> 1);
		for (int i = 0; i < 100; i++) {
			Duration delay = delay(worst, AttemptOutcome.of(Result.FIRST_PAGE_FAILED, failure));
			assertThat(delay)
				.isLessThanOrEqualTo((this.time.nanoTime() < 40e9) ? Duration.ofMillis(2500) : Duration.ofSeconds(5));
			this.time.advance(delay);
		}
	}

	@Test
	void unknownHost_backsOffOneSecondAtMost() {
		RetryDecider worst = new RetryDecider(this.settings, this.time, () -> 1);
		for (int i = 0; i < 100; i++) {
			Duration delay = delay(worst, watch(UNOPENED, new UnknownHostException("host")));
			assertThat(delay).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
			this.time.advance(delay);
		}
	}

	static Stream<Throwable> unavailable() {
		return Stream.of(new ConnectException("refused"), new SocketException("reset"), new EOFException(),
				new SocketTimeoutException("connect"), new UnknownHostException("host"), status(500), status(502),
				status(503), status(504));
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 429 })
	void refusal_backsOffSevenSecondsAtMost(int code) {
		RetryDecider worst = new RetryDecider(this.settings, this.time, () -> 1);
		for (int i = 0; i < 100; i++) {
			Duration delay = delay(worst, watch(UNOPENED, status(code)));
			assertThat(delay).isLessThanOrEqualTo(Duration.ofSeconds(7));
			this.time.advance(delay);
		}
	}

	/**
	 * A server that has just started knows neither roles nor custom resources.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 404, 429 })
	void refusalOfStartingServer_backsOffAsInTheOutage(int code) {
		RetryDecider worst = new RetryDecider(this.settings, this.time, () -> 1);
		List<AttemptOutcome<?>> refusals = List.of(watch(UNOPENED, status(code)),
				AttemptOutcome.of(Result.CHECK_FAILED, status(code)),
				AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(code)),
				AttemptOutcome.of(Result.LIST_INTERRUPTED, status(code)));
		for (int i = 0; i < 10; i++) {
			delay(watch(UNOPENED, new ConnectException("refused")));
		}
		for (AttemptOutcome<?> refusal : refusals) {
			assertThat(worst.decide(refusal, this.state).delay()).isEqualTo(Duration.ofMillis(2500));
		}
		this.time.advance(Duration.ofMinutes(1));
		for (AttemptOutcome<?> refusal : refusals) {
			assertThat(worst.decide(refusal, this.state).delay()).isEqualTo(Duration.ofSeconds(5));
		}
	}

	@Test
	void refusalOfServerThatRefusedTheFirstList_backsOffAsInTheOutage() {
		for (int i = 0; i < 10; i++) {
			delay(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, new ConnectException("refused")));
		}
		assertThat(delay(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(403)))).isEqualTo(Duration.ofMillis(1250));
	}

	@Test
	void missingResource_isPolledOftenForFiveMinutes() {
		for (int i = 0; i < 10; i++) {
			delay(watch(UNOPENED, status(404)));
		}
		assertThat(delay(watch(UNOPENED, status(404)))).isEqualTo(REFUSAL_DELAY);
		for (int i = 1; i < 5; i++) {
			this.time.advance(Duration.ofMinutes(1));
			assertThat(delay(watch(UNOPENED, status(404)))).isEqualTo(REFUSAL_DELAY);
		}
		this.time.advance(Duration.ofMinutes(1));
		assertThat(delay(watch(UNOPENED, status(404)))).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void expired_isNotDelayedByAnOutage() {
		for (int i = 0; i < 10; i++) {
			delay(watch(UNOPENED, new ConnectException("refused")));
		}
		assertThat(delay(watch(OPENED, status(410)))).isEqualTo(FIRST_DELAY);
		assertThat(delay(watch(OPENED, status(410)))).isEqualTo(FIRST_DELAY.multipliedBy(2));
	}

	@ParameterizedTest
	@MethodSource
	void steadyWatch_resetsTheBackoff(AttemptOutcome.Progress progress) {
		for (int i = 0; i < 10; i++) {
			delay(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(429)));
		}
		assertThat(delay(watch(progress, status(429)))).isEqualTo(FIRST_DELAY);
	}

	static Stream<AttemptOutcome.Progress> steadyWatch_resetsTheBackoff() {
		return Stream.of(ADVANCED, UNSET,
				new AttemptOutcome.Progress(true, false, false, Duration.ofSeconds(5), true, true, true));
	}

	@Test
	void watchThatIsNotSteady_keepsTheBackoff() {
		for (int i = 0; i < 10; i++) {
			delay(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(429)));
		}
		assertThat(delay(watch(QUIET, status(429)))).isEqualTo(REFUSAL_DELAY);
	}

	@Test
	void retryAfter_isTheMinimumDelay() {
		ServerStatus overloaded = new ServerStatus(429, "TooManyRequests", "", List.of(), Duration.ofSeconds(7));
		assertThat(delay(watch(UNOPENED, new ServerStatusException(overloaded)))).isEqualTo(Duration.ofSeconds(7));
		assertThat(delay(watch(UNOPENED, status(429)))).isEqualTo(Duration.ofMillis(1600));
	}

	@Test
	void retryAfter_isSpread() {
		ServerStatus overloaded = new ServerStatus(429, "TooManyRequests", "", List.of(), Duration.ofSeconds(7));
		RetryDecider spread = new RetryDecider(this.settings, this.time, () -> 0.5);
		assertThat(delay(spread, watch(UNOPENED, new ServerStatusException(overloaded))))
			.isEqualTo(Duration.ofMillis(7400));
	}

	private Duration delay(AttemptOutcome<?> outcome) {
		return delay(this.decider, outcome);
	}

	private Duration delay(RetryDecider decider, AttemptOutcome<?> outcome) {
		Decision decision = decider.decide(outcome, this.state);
		this.state = decision.state();
		return decision.delay();
	}

}
