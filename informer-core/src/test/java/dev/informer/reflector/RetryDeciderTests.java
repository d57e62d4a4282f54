/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.stream.Stream;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerOptions;
import dev.informer.InformerState.Phase;
import dev.informer.client.FailureReason;
import dev.informer.client.MalformedResponseException;
import dev.informer.reflector.RetryDecision.Attempt;
import dev.informer.reflector.RetryDecision.GiveUp;
import dev.informer.reflector.RetryDecision.Proceed;
import dev.informer.reflector.RetryDecision.Retry;
import dev.informer.testing.FakeTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.reflector.AttemptOutcomes.ADVANCED;
import static dev.informer.reflector.AttemptOutcomes.EARLY;
import static dev.informer.reflector.AttemptOutcomes.LISTED;
import static dev.informer.reflector.AttemptOutcomes.OPENED;
import static dev.informer.reflector.AttemptOutcomes.QUIET;
import static dev.informer.reflector.AttemptOutcomes.UNOPENED;
import static dev.informer.reflector.AttemptOutcomes.UNSET;
import static dev.informer.reflector.AttemptOutcomes.badRequest;
import static dev.informer.reflector.AttemptOutcomes.status;
import static dev.informer.reflector.AttemptOutcomes.watch;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RetryDecider}.
 */
class RetryDeciderTests {

	private static final Duration FIRST_DELAY = Duration.ofMillis(800);

	private final FakeTime time = FakeTime.manual();

	private final RetryDecider decider = new RetryDecider(TestSettings.of(InformerOptions.DEFAULT), this.time, () -> 0);

	private RetryState state = RetryState.initial(InformerOptions.DEFAULT.backoff());

	static Stream<Row> proceeds() {
		return Stream.of(row(LISTED, Attempt.WATCH, null, null),
				row(new ListOutcome.StreamFailed<>(status(422), false), Attempt.LIST_BY_PAGES, null, Kind.OTHER),
				row(new ListOutcome.StreamFailed<>(status(400), false), Attempt.LIST_BY_PAGES, null, Kind.INVALID),
				row(new ListOutcome.StreamFailed<>(status(403), false), Attempt.LIST_BY_PAGES, null, Kind.FORBIDDEN),
				row(new ListOutcome.StreamFailed<>(new IOException("reset"), true), Attempt.LIST_BY_PAGES, null,
						Kind.UNREACHABLE),
				row(new ListOutcome.Cancelled<>(), Attempt.LIST, null, null),
				row(new RollbackCheck.Outcome.Unchanged(), Attempt.WATCH, null, null),
				row(new RollbackCheck.Outcome.RolledBack(), Attempt.LIST, RelistReason.ROLLBACK, null),
				row(new RollbackCheck.Outcome.Cancelled(), Attempt.LIST, null, null),
				row(watch(ADVANCED, null), Attempt.WATCH, null, null),
				row(watch(QUIET, null), Attempt.CHECK_ROLLBACK, null, null),
				row(watch(UNSET, null), Attempt.LIST, RelistReason.UNUSABLE_WATCH, null),
				row(watch(ADVANCED, new IOException("reset")), Attempt.VERIFY_AND_WATCH, null, Kind.UNREACHABLE),
				row(watch(EARLY, null), Attempt.VERIFY_AND_WATCH, null, null),
				row(watch(QUIET, new IOException("reset")), Attempt.VERIFY_AND_WATCH, null, Kind.UNREACHABLE),
				row(watch(ADVANCED, new SocketTimeoutException("idle")), Attempt.VERIFY_AND_WATCH, null,
						Kind.UNREACHABLE),
				row(watch(UNSET, new IOException("reset")), Attempt.LIST, RelistReason.UNUSABLE_WATCH,
						Kind.UNREACHABLE),
				row(new WatchOutcome.Unverified(OPENED), Attempt.COMPARE, null, null),
				row(new WatchOutcome.Cancelled(OPENED), Attempt.WATCH, null, null),
				row(new WatchOutcome.Cancelled(UNSET), Attempt.LIST, null, null));
	}

	@ParameterizedTest
	@MethodSource
	void proceeds(Row row) {
		Proceed decision = (Proceed) decide(row.outcome());
		assertThat(decision.next()).isEqualTo(row.next());
		assertThat(decision.relistReason()).isEqualTo(row.relistReason());
		assertThat((decision.failure() != null) ? decision.failure().kind() : null).isEqualTo(row.failure());
	}

	static Stream<Row> retries() {
		return Stream.of(row(new ListOutcome.Interrupted<>(status(429)), Attempt.LIST_BY_PAGES, null, Kind.OVERLOADED),
				row(new ListOutcome.Interrupted<>(status(500)), Attempt.LIST_BY_PAGES, null, Kind.OVERLOADED),
				row(new ListOutcome.StreamFailed<>(status(429), false), Attempt.LIST, null, Kind.OVERLOADED),
				row(new ListOutcome.StreamFailed<>(new ConnectException("refused"), false), Attempt.LIST, null,
						Kind.UNREACHABLE),
				row(new ListOutcome.Failed<>(new ConnectException("refused"), true), Attempt.LIST, null,
						Kind.UNREACHABLE),
				row(new ListOutcome.Failed<>(status(401), true), Attempt.LIST, null, Kind.UNAUTHORIZED),
				row(new ListOutcome.Failed<>(status(403), true), Attempt.LIST, null, Kind.FORBIDDEN),
				row(new ListOutcome.Failed<>(status(404), true), Attempt.LIST, null, Kind.NOT_FOUND),
				row(new ListOutcome.Failed<>(status(410), true), Attempt.LIST, null, Kind.EXPIRED),
				row(new ListOutcome.Failed<>(status(500), true), Attempt.LIST, null, Kind.OVERLOADED),
				row(new ListOutcome.Failed<>(new MalformedResponseException("HTML"), true), Attempt.LIST, null,
						Kind.MALFORMED_RESPONSE),
				row(new ListOutcome.Failed<>(new StackOverflowError(), true), Attempt.LIST, null, Kind.OTHER),
				row(new RollbackCheck.Outcome.Failed(status(503)), Attempt.COMPARE, null, Kind.OVERLOADED),
				row(new RollbackCheck.Outcome.Failed(new ConnectException("refused")), Attempt.COMPARE, null,
						Kind.UNREACHABLE),
				row(new RollbackCheck.Outcome.Failed(status(404)), Attempt.LIST, RelistReason.RECOVERED,
						Kind.NOT_FOUND),
				row(new RollbackCheck.Outcome.Failed(status(410)), Attempt.LIST, RelistReason.EXPIRED, Kind.EXPIRED),
				row(new RollbackCheck.Outcome.Failed(status(418)), Attempt.LIST, RelistReason.FAILURE, Kind.OTHER),
				row(watch(OPENED, null), Attempt.VERIFY_AND_WATCH, null, Kind.UNREACHABLE),
				row(watch(OPENED, new IOException("reset")), Attempt.VERIFY_AND_WATCH, null, Kind.UNREACHABLE),
				row(watch(OPENED, new SocketTimeoutException("idle")), Attempt.VERIFY_AND_WATCH, null,
						Kind.UNREACHABLE),
				row(watch(UNOPENED, new ConnectException("refused")), Attempt.COMPARE, null, Kind.UNREACHABLE),
				row(watch(UNOPENED, status(410)), Attempt.LIST, RelistReason.EXPIRED, Kind.EXPIRED),
				row(watch(ADVANCED, status(410)), Attempt.LIST, RelistReason.EXPIRED, Kind.EXPIRED),
				row(watch(UNOPENED, status(401)), Attempt.WATCH, null, Kind.UNAUTHORIZED),
				row(watch(UNOPENED, status(403)), Attempt.WATCH, null, Kind.FORBIDDEN),
				row(watch(UNOPENED, status(404)), Attempt.LIST, RelistReason.RECOVERED, Kind.NOT_FOUND),
				row(watch(UNOPENED, status(429)), Attempt.WATCH, null, Kind.OVERLOADED),
				row(watch(ADVANCED, status(429)), Attempt.WATCH, null, Kind.OVERLOADED),
				row(watch(UNOPENED, status(500)), Attempt.WATCH, null, Kind.OVERLOADED),
				row(watch(ADVANCED, status(500)), Attempt.VERIFY_AND_WATCH, null, Kind.OVERLOADED),
				row(watch(UNOPENED, status(502)), Attempt.COMPARE, null, Kind.OVERLOADED),
				row(watch(OPENED, status(503)), Attempt.COMPARE, null, Kind.OVERLOADED),
				row(watch(ADVANCED, status(504)), Attempt.COMPARE, null, Kind.OVERLOADED),
				row(watch(UNOPENED, status(418)), Attempt.LIST, RelistReason.FAILURE, Kind.OTHER),
				row(watch(UNSET, status(500)), Attempt.LIST, RelistReason.UNUSABLE_WATCH, Kind.OVERLOADED),
				row(watch(OPENED, new MalformedResponseException("HTML")), Attempt.VERIFY_AND_WATCH, null,
						Kind.MALFORMED_RESPONSE),
				row(watch(OPENED, new NoClassDefFoundError("x")), Attempt.LIST, RelistReason.FAILURE, Kind.OTHER));
	}

	@ParameterizedTest
	@MethodSource
	void retries(Row row) {
		Retry decision = (Retry) decide(row.outcome());
		assertThat(decision.delay()).isEqualTo(FIRST_DELAY);
		assertThat(decision.next()).isEqualTo(row.next());
		assertThat(decision.relistReason()).isEqualTo(row.relistReason());
		assertThat(decision.failure().kind()).isEqualTo(row.failure());
		assertThat(decision.phase()).isEqualTo((row.failure() == Kind.NOT_FOUND) ? Phase.DORMANT : Phase.BACKING_OFF);
	}

	@Test
	void kindsOfFailedRequests_areKindsOfFailures() {
		assertThat(FailureReason.Kind.values()).extracting(Enum::name)
			.isSubsetOf(Stream.of(InformerFailure.Kind.values()).map(Enum::name).toList());
	}

	@Test
	void firstListRejectedByServer_givesUp() {
		assertThat(decide(new ListOutcome.Failed<>(badRequest(), true))).isInstanceOfSatisfying(GiveUp.class,
				(decision) -> assertThat(decision.failure().kind()).isEqualTo(Kind.INVALID));
	}

	static Stream<AttemptOutcome> retriedBadRequests() {
		return Stream.of(new ListOutcome.Failed<>(status(400), true), new ListOutcome.Failed<>(badRequest(), false),
				new RollbackCheck.Outcome.Failed(badRequest()), watch(UNOPENED, badRequest()),
				watch(ADVANCED, badRequest()));
	}

	@ParameterizedTest
	@MethodSource("retriedBadRequests")
	void otherBadRequest_backsOffAndLists(AttemptOutcome outcome) {
		assertThat(((Retry) decide(outcome)).next()).isEqualTo(Attempt.LIST);
	}

	@Test
	void listRejectedByServerAfterASync_backsOff() {
		decide(LISTED);
		decide(watch(ADVANCED, status(410)));
		assertThat(decide(new ListOutcome.Failed<>(badRequest(), true))).isInstanceOf(Retry.class);
	}

	@Test
	void outage_comparesUntilAComparisonSucceeds() {
		assertThat(((Retry) decide(watch(UNOPENED, new ConnectException("refused")))).next())
			.isEqualTo(Attempt.COMPARE);
		assertThat(((Retry) decide(new RollbackCheck.Outcome.Failed(status(429)))).next()).isEqualTo(Attempt.COMPARE);
		assertThat(((Retry) decide(new RollbackCheck.Outcome.Failed(status(403)))).next()).isEqualTo(Attempt.COMPARE);
		assertThat(((Proceed) decide(new RollbackCheck.Outcome.Unchanged())).next()).isEqualTo(Attempt.WATCH);
		assertThat(((Retry) decide(watch(UNOPENED, status(429)))).next()).isEqualTo(Attempt.WATCH);
	}

	@Test
	void outageDuringAListInPlaceOfADeniedWatch_compares() {
		decide(LISTED);
		this.state = this.decider.relisting(RelistReason.WATCH_DENIED, this.state);
		assertThat(((Retry) decide(new ListOutcome.Failed<>(new ConnectException("refused"), true))).next())
			.isEqualTo(Attempt.COMPARE);
	}

	@Test
	void brokenWatch_isVerifiedUntilThatSucceeds() {
		decide(LISTED);
		assertThat(((Proceed) decide(watch(ADVANCED, new IOException("reset")))).next())
			.isEqualTo(Attempt.VERIFY_AND_WATCH);
		assertThat(((Retry) decide(watch(UNOPENED, status(429)))).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
		assertThat(((Proceed) decide(watch(ADVANCED, null))).next()).isEqualTo(Attempt.WATCH);
	}

	@Test
	void unverifiedWatch_comparesUntilAComparisonSucceeds() {
		assertThat(((Proceed) decide(new WatchOutcome.Unverified(OPENED))).next()).isEqualTo(Attempt.COMPARE);
		assertThat(((Retry) decide(new RollbackCheck.Outcome.Failed(status(429)))).next()).isEqualTo(Attempt.COMPARE);
		assertThat(((Proceed) decide(new RollbackCheck.Outcome.Unchanged())).next()).isEqualTo(Attempt.WATCH);
	}

	@Test
	void veryShortWatches_listAfterTheThirdInARow() {
		assertThat(((Retry) decide(watch(OPENED, null))).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
		assertThat(((Retry) decide(watch(OPENED, null))).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
		assertThat(((Retry) decide(watch(OPENED, null))).relistReason()).isEqualTo(RelistReason.UNUSABLE_WATCH);
		assertThat(((Retry) decide(watch(OPENED, null))).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
	}

	@Test
	void veryShortWatches_withAProvenOneBetween_doNotList() {
		decide(watch(OPENED, null));
		decide(watch(OPENED, null));
		decide(watch(QUIET, null));
		assertThat(((Retry) decide(watch(OPENED, null))).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
	}

	@Test
	void malformedWatches_listAfterTheSecondInARow() {
		decide(watch(OPENED, new MalformedResponseException("frame")));
		assertThat(((Retry) decide(watch(QUIET, new MalformedResponseException("frame")))).relistReason())
			.isEqualTo(RelistReason.UNUSABLE_WATCH);
	}

	@Test
	void malformedWatches_withProgressBetween_doNotList() {
		decide(watch(OPENED, new MalformedResponseException("frame")));
		assertThat(((Retry) decide(watch(ADVANCED, new MalformedResponseException("frame")))).next())
			.isEqualTo(Attempt.VERIFY_AND_WATCH);
	}

	@Test
	void malformedWatches_withAListBetween_doNotList() {
		decide(watch(OPENED, new MalformedResponseException("frame")));
		decide(LISTED);
		assertThat(((Retry) decide(watch(OPENED, new MalformedResponseException("frame")))).next())
			.isEqualTo(Attempt.VERIFY_AND_WATCH);
	}

	@Test
	void watchDenied_listsFiveMinutesAfterTheLastListAndAfterTheLastWatch() {
		decide(LISTED);
		this.time.advance(Duration.ofHours(1));
		decide(watch(ADVANCED, null));
		this.time.advance(Duration.ofMinutes(5).minus(FIRST_DELAY).minusNanos(1));
		assertThat(((Retry) decide(watch(UNOPENED, status(403)))).relistReason()).isNull();
		assertThat(((Retry) decide(watch(UNOPENED, status(403)))).relistReason()).isEqualTo(RelistReason.WATCH_DENIED);
	}

	@Test
	void watchAndListDenied_watchesAgainAndListsAtMostEveryFiveMinutes() {
		decide(LISTED);
		decide(watch(ADVANCED, null));
		int lists = 0;
		for (long elapsed = 0; elapsed < 3600; elapsed += 5) {
			this.time.advance(Duration.ofSeconds(5));
			if (((Retry) decide(watch(UNOPENED, status(403)))).next() == Attempt.LIST) {
				lists++;
				assertThat(((Retry) decide(new ListOutcome.Failed<>(status(403), true))).next())
					.isEqualTo(Attempt.WATCH);
			}
		}
		assertThat(lists).isBetween(10, 12);
	}

	@Test
	void decide_doesNotChangeTheStateThatItIsGiven() {
		RetryState before = this.state;
		RetryDecision first = this.decider.decide(watch(OPENED, null), before);
		assertThat(this.decider.decide(watch(OPENED, null), before).state()).isEqualTo(first.state());
		assertThat(before).isEqualTo(RetryState.initial(InformerOptions.DEFAULT.backoff()));
	}

	private RetryDecision decide(AttemptOutcome outcome) {
		RetryDecision decision = this.decider.decide(outcome, this.state);
		this.state = decision.state();
		return decision;
	}

	private static Row row(AttemptOutcome outcome, Attempt next, @Nullable RelistReason relistReason,
			@Nullable Kind failure) {
		return new Row(outcome, next, relistReason, failure);
	}

	record Row(AttemptOutcome outcome, Attempt next, @Nullable RelistReason relistReason, @Nullable Kind failure) {
	}

}
