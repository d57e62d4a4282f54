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
import dev.informer.reflector.AttemptOutcome.Result;
import dev.informer.reflector.RetryDecider.Attempt;
import dev.informer.reflector.RetryDecider.Decision;
import dev.informer.reflector.RetryDecider.RetryState;
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
import static dev.informer.reflector.AttemptOutcomes.sizeLimit;
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

	private RetryState state = new RetryState(InformerOptions.DEFAULT.backoff());

	static Stream<Row> proceeds() {
		return Stream.of(row(LISTED, Attempt.WATCH, null, null),
				row(AttemptOutcome.of(Result.STREAM_NOT_OPENED, status(422)), Attempt.LIST_BY_PAGES, null, Kind.OTHER),
				row(AttemptOutcome.of(Result.STREAM_NOT_OPENED, status(400)), Attempt.LIST_BY_PAGES, null,
						Kind.INVALID),
				row(AttemptOutcome.of(Result.STREAM_NOT_OPENED, status(403)), Attempt.LIST_BY_PAGES, null,
						Kind.FORBIDDEN),
				row(AttemptOutcome.of(Result.STREAM_FAILED, new IOException("reset")), Attempt.LIST_BY_PAGES, null,
						Kind.UNREACHABLE),
				row(AttemptOutcome.of(Result.CANCELLED), Attempt.LIST, null, null),
				row(AttemptOutcome.of(Result.UNCHANGED), Attempt.WATCH, null, null),
				row(AttemptOutcome.of(Result.ROLLED_BACK), Attempt.LIST, RelistReason.ROLLBACK, null),
				row(AttemptOutcome.of(Result.CANCELLED), Attempt.LIST, null, null),
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
				row(AttemptOutcome.of(Result.UNVERIFIED, OPENED), Attempt.COMPARE, null, null),
				row(AttemptOutcome.of(Result.CANCELLED, OPENED), Attempt.WATCH, null, null),
				row(AttemptOutcome.of(Result.CANCELLED, UNSET), Attempt.LIST, null, null));
	}

	@ParameterizedTest
	@MethodSource
	void proceeds(Row row) {
		Decision decision = proceed(row.outcome());
		assertThat(decision.next()).isEqualTo(row.next());
		assertThat(decision.relistReason()).isEqualTo(row.relistReason());
		assertThat((decision.failure() != null) ? decision.failure().kind() : null).isEqualTo(row.failure());
	}

	static Stream<Row> retries() {
		return Stream.of(
				row(AttemptOutcome.of(Result.LIST_INTERRUPTED, status(429)), Attempt.LIST_BY_PAGES, null,
						Kind.OVERLOADED),
				row(AttemptOutcome.of(Result.LIST_INTERRUPTED, status(500)), Attempt.LIST_BY_PAGES, null,
						Kind.OVERLOADED),
				row(AttemptOutcome.of(Result.STREAM_NOT_OPENED, status(429)), Attempt.LIST, null, Kind.OVERLOADED),
				row(AttemptOutcome.of(Result.STREAM_NOT_OPENED, new ConnectException("refused")), Attempt.LIST, null,
						Kind.UNREACHABLE),
				row(AttemptOutcome.of(Result.STREAM_FAILED, sizeLimit()), Attempt.LIST, null, Kind.SIZE_LIMIT),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, sizeLimit()), Attempt.LIST, null, Kind.SIZE_LIMIT),
				row(AttemptOutcome.of(Result.LIST_FAILED, sizeLimit()), Attempt.LIST, null, Kind.SIZE_LIMIT),
				row(watch(ADVANCED, sizeLimit()), Attempt.LIST, RelistReason.FAILURE, Kind.SIZE_LIMIT),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, new ConnectException("refused")), Attempt.LIST, null,
						Kind.UNREACHABLE),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(401)), Attempt.LIST, null, Kind.UNAUTHORIZED),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(403)), Attempt.LIST, null, Kind.FORBIDDEN),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(404)), Attempt.LIST, null, Kind.NOT_FOUND),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(410)), Attempt.LIST, null, Kind.EXPIRED),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(500)), Attempt.LIST, null, Kind.OVERLOADED),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, new MalformedResponseException("HTML")), Attempt.LIST,
						null, Kind.MALFORMED_RESPONSE),
				row(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, new StackOverflowError()), Attempt.LIST, null,
						Kind.OTHER),
				row(AttemptOutcome.of(Result.CHECK_FAILED, status(503)), Attempt.COMPARE, null, Kind.OVERLOADED),
				row(AttemptOutcome.of(Result.CHECK_FAILED, new ConnectException("refused")), Attempt.COMPARE, null,
						Kind.UNREACHABLE),
				row(AttemptOutcome.of(Result.CHECK_FAILED, status(404)), Attempt.LIST, RelistReason.RECOVERED,
						Kind.NOT_FOUND),
				row(AttemptOutcome.of(Result.CHECK_FAILED, status(410)), Attempt.LIST, RelistReason.EXPIRED,
						Kind.EXPIRED),
				row(AttemptOutcome.of(Result.CHECK_FAILED, status(418)), Attempt.LIST, RelistReason.FAILURE,
						Kind.OTHER),
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
		Decision decision = retry(row.outcome());
		assertThat(decision.delay()).isEqualTo(FIRST_DELAY);
		assertThat(decision.next()).isEqualTo(row.next());
		assertThat(decision.relistReason()).isEqualTo(row.relistReason());
		assertThat(decision.failure()).extracting(FailureClassification::kind).isEqualTo(row.failure());
		assertThat(decision.phase()).isEqualTo((row.failure() == Kind.NOT_FOUND) ? Phase.DORMANT : Phase.BACKING_OFF);
	}

	@Test
	void listsBeyondTheSizeLimit_areLimitedByThePolicyOnly() {
		for (int i = 0; i < 6; i++) {
			retry(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, sizeLimit()));
		}
		assertThat(retry(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, sizeLimit())).delay()).hasSeconds(30);
	}

	@Test
	void kindsOfFailedRequests_areKindsOfFailures() {
		assertThat(FailureReason.Kind.values()).extracting(Enum::name)
			.isSubsetOf(Stream.of(InformerFailure.Kind.values()).map(Enum::name).toList());
	}

	@Test
	void firstListRejectedByServer_givesUp() {
		Decision decision = decide(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, badRequest()));
		assertThat(decision.phase()).isEqualTo(Phase.FAILED);
		assertThat(decision.failure()).extracting(FailureClassification::kind).isEqualTo(Kind.INVALID);
	}

	static Stream<AttemptOutcome<?>> retriedBadRequests() {
		return Stream.of(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(400)),
				AttemptOutcome.of(Result.LIST_FAILED, badRequest()),
				AttemptOutcome.of(Result.CHECK_FAILED, badRequest()), watch(UNOPENED, badRequest()),
				watch(ADVANCED, badRequest()));
	}

	@ParameterizedTest
	@MethodSource("retriedBadRequests")
	void otherBadRequest_backsOffAndLists(AttemptOutcome<?> outcome) {
		assertThat(retry(outcome).next()).isEqualTo(Attempt.LIST);
	}

	@Test
	void listRejectedByServerAfterASync_backsOff() {
		decide(LISTED);
		decide(watch(ADVANCED, status(410)));
		retry(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, badRequest()));
	}

	@Test
	void outage_comparesUntilAComparisonSucceeds() {
		assertThat(retry(watch(UNOPENED, new ConnectException("refused"))).next()).isEqualTo(Attempt.COMPARE);
		assertThat(retry(AttemptOutcome.of(Result.CHECK_FAILED, status(429))).next()).isEqualTo(Attempt.COMPARE);
		assertThat(retry(AttemptOutcome.of(Result.CHECK_FAILED, status(403))).next()).isEqualTo(Attempt.COMPARE);
		assertThat(proceed(AttemptOutcome.of(Result.UNCHANGED)).next()).isEqualTo(Attempt.WATCH);
		assertThat(retry(watch(UNOPENED, status(429))).next()).isEqualTo(Attempt.WATCH);
	}

	@Test
	void outageDuringAListInPlaceOfADeniedWatch_compares() {
		decide(LISTED);
		this.state = this.decider.relisting(RelistReason.WATCH_DENIED, this.state);
		assertThat(retry(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, new ConnectException("refused"))).next())
			.isEqualTo(Attempt.COMPARE);
	}

	@Test
	void deniedListAfterAFailedHandOver_isRepeatedUntilItSucceeds() {
		decide(LISTED);
		assertThat(retry(watch(ADVANCED, new NoClassDefFoundError("x"))).relistReason())
			.isEqualTo(RelistReason.FAILURE);
		for (int i = 0; i < 5; i++) {
			this.time.advance(Duration.ofMinutes(3));
			assertThat(retry(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(403))).next()).isEqualTo(Attempt.LIST);
		}
	}

	@Test
	void brokenWatch_isVerifiedUntilThatSucceeds() {
		decide(LISTED);
		assertThat(proceed(watch(ADVANCED, new IOException("reset"))).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
		assertThat(retry(watch(UNOPENED, status(429))).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
		assertThat(proceed(watch(ADVANCED, null)).next()).isEqualTo(Attempt.WATCH);
	}

	@Test
	void unverifiedWatch_comparesUntilAComparisonSucceeds() {
		assertThat(proceed(AttemptOutcome.of(Result.UNVERIFIED, OPENED)).next()).isEqualTo(Attempt.COMPARE);
		assertThat(retry(AttemptOutcome.of(Result.CHECK_FAILED, status(429))).next()).isEqualTo(Attempt.COMPARE);
		assertThat(proceed(AttemptOutcome.of(Result.UNCHANGED)).next()).isEqualTo(Attempt.WATCH);
	}

	@Test
	void veryShortWatches_listAfterTheThirdInARow() {
		assertThat(retry(watch(OPENED, null)).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
		assertThat(retry(watch(OPENED, null)).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
		assertThat(retry(watch(OPENED, null)).relistReason()).isEqualTo(RelistReason.UNUSABLE_WATCH);
		assertThat(retry(watch(OPENED, null)).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
	}

	@Test
	void veryShortWatches_withAProvenOneBetween_doNotList() {
		decide(watch(OPENED, null));
		decide(watch(OPENED, null));
		decide(watch(QUIET, null));
		assertThat(retry(watch(OPENED, null)).next()).isEqualTo(Attempt.VERIFY_AND_WATCH);
	}

	@Test
	void malformedWatches_listAfterTheSecondInARow() {
		decide(watch(OPENED, new MalformedResponseException("frame")));
		assertThat(retry(watch(QUIET, new MalformedResponseException("frame"))).relistReason())
			.isEqualTo(RelistReason.UNUSABLE_WATCH);
	}

	@Test
	void malformedWatches_withProgressBetween_doNotList() {
		decide(watch(OPENED, new MalformedResponseException("frame")));
		assertThat(retry(watch(ADVANCED, new MalformedResponseException("frame"))).next())
			.isEqualTo(Attempt.VERIFY_AND_WATCH);
	}

	@Test
	void malformedWatches_withAListBetween_doNotList() {
		decide(watch(OPENED, new MalformedResponseException("frame")));
		decide(LISTED);
		assertThat(retry(watch(OPENED, new MalformedResponseException("frame"))).next())
			.isEqualTo(Attempt.VERIFY_AND_WATCH);
	}

	@Test
	void watchDenied_listsFiveMinutesAfterTheLastListAndAfterTheLastWatch() {
		decide(LISTED);
		this.time.advance(Duration.ofHours(1));
		decide(watch(ADVANCED, null));
		this.time.advance(Duration.ofMinutes(5).minus(FIRST_DELAY).minusNanos(1));
		assertThat(retry(watch(UNOPENED, status(403))).relistReason()).isNull();
		assertThat(retry(watch(UNOPENED, status(403))).relistReason()).isEqualTo(RelistReason.WATCH_DENIED);
	}

	@Test
	void watchAndListDenied_watchesAgainAndListsAtMostEveryFiveMinutes() {
		decide(LISTED);
		decide(watch(ADVANCED, null));
		int lists = 0;
		for (long elapsed = 0; elapsed < 3600; elapsed += 5) {
			this.time.advance(Duration.ofSeconds(5));
			if (retry(watch(UNOPENED, status(403))).next() == Attempt.LIST) {
				lists++;
				assertThat(retry(AttemptOutcome.of(Result.FIRST_PAGE_FAILED, status(403))).next())
					.isEqualTo(Attempt.WATCH);
			}
		}
		assertThat(lists).isBetween(10, 12);
	}

	@Test
	void decide_doesNotChangeTheStateThatItIsGiven() {
		RetryState before = this.state;
		Decision first = this.decider.decide(watch(OPENED, null), before);
		assertThat(this.decider.decide(watch(OPENED, null), before).state()).usingRecursiveComparison()
			.isEqualTo(first.state());
		assertThat(before).usingRecursiveComparison().isEqualTo(new RetryState(InformerOptions.DEFAULT.backoff()));
	}

	private Decision proceed(AttemptOutcome<?> outcome) {
		Decision decision = decide(outcome);
		assertThat(decision.phase()).isNull();
		return decision;
	}

	private Decision retry(AttemptOutcome<?> outcome) {
		Decision decision = decide(outcome);
		assertThat(decision.phase()).isIn(Phase.BACKING_OFF, Phase.DORMANT);
		return decision;
	}

	private Decision decide(AttemptOutcome<?> outcome) {
		Decision decision = this.decider.decide(outcome, this.state);
		this.state = decision.state();
		return decision;
	}

	private static Row row(AttemptOutcome<?> outcome, Attempt next, @Nullable RelistReason relistReason,
			@Nullable Kind failure) {
		return new Row(outcome, next, relistReason, failure);
	}

	record Row(AttemptOutcome<?> outcome, Attempt next, @Nullable RelistReason relistReason, @Nullable Kind failure) {
	}

}
