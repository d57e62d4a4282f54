/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.DoubleSupplier;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.TimeSource;
import dev.informer.client.ServerStatusException;
import dev.informer.reflector.RetryDecision.Attempt;
import dev.informer.reflector.RetryDecision.GiveUp;
import dev.informer.reflector.RetryDecision.Proceed;
import dev.informer.reflector.RetryDecision.Retry;
import org.jspecify.annotations.Nullable;

/**
 * Rules about the next attempt after each outcome. Has no state and no effect: the
 * reflector keeps the state, reports the failure and waits.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes">Efficient
 * detection of changes</a>
 */
final class RetryDecider {

	private static final int VERY_SHORT_IN_ROW = 3;

	private static final int MALFORMED_IN_ROW = 2;

	/** Time between two lists while only watching is denied. */
	private static final long WATCH_DENIED_RELIST_NANOS = TimeSource.nanos(Duration.ofMinutes(5));

	private final ReflectorSettings settings;

	private final TimeSource time;

	private final DoubleSupplier random;

	/**
	 * Create a decider.
	 * @param settings the informer and the namespace, for messages
	 * @param time the time
	 * @param random random numbers from 0 (inclusive) to 1 (exclusive), for the jitter
	 */
	RetryDecider(ReflectorSettings settings, TimeSource time, DoubleSupplier random) {
		this.settings = settings;
		this.time = time;
		this.random = random;
	}

	/**
	 * Decide about the next attempt.
	 * @param outcome the outcome of the last one
	 * @param state the state of the last decision
	 */
	RetryDecision decide(AttemptOutcome outcome, RetryState state) {
		if (outcome instanceof ListOutcome<?> list) {
			return afterList(list, state);
		}
		if (outcome instanceof RollbackCheck.Outcome check) {
			return afterCheck(check, state);
		}
		WatchOutcome watch = (WatchOutcome) outcome;
		return afterWatch(watch, state.watched(watch.progress()));
	}

	private RetryDecision afterList(ListOutcome<?> outcome, RetryState state) {
		if (outcome instanceof ListOutcome.Listed<?>) {
			return proceed(Attempt.WATCH, state.listed(this.time.nanoTime()));
		}
		if (outcome instanceof ListOutcome.Interrupted<?> interrupted) {
			return retry(classify(interrupted.cause(), "list"), Attempt.LIST_BY_PAGES, state);
		}
		if (outcome instanceof ListOutcome.StreamFailed<?> failed) {
			FailureClassification failure = classify(failed.cause(), "list");
			// Neither says anything about the server's support for streaming lists, and a
			// list would be refused as well.
			boolean refused = failure.isRefusedConnection() || isTooManyRequests(failed.cause());
			return refused ? retry(failure, Attempt.LIST, state)
					: new Proceed(Attempt.LIST_BY_PAGES, null, failure, state);
		}
		if (outcome instanceof ListOutcome.Failed<?> failed) {
			return retry(classify(failed.cause(), "list"), Attempt.LIST, state);
		}
		return proceed(Attempt.LIST, state);
	}

	private RetryDecision afterCheck(RollbackCheck.Outcome outcome, RetryState state) {
		if (outcome instanceof RollbackCheck.Outcome.Unchanged) {
			return proceed(Attempt.WATCH, state);
		}
		if (outcome instanceof RollbackCheck.Outcome.RolledBack) {
			return new Proceed(Attempt.LIST, RelistReason.ROLLBACK, null, state);
		}
		if (outcome instanceof RollbackCheck.Outcome.Failed failed) {
			return retry(classify(failed.cause(), "list"), Attempt.CHECK_ROLLBACK, state);
		}
		return proceed(Attempt.LIST, state);
	}

	private RetryDecision afterWatch(WatchOutcome outcome, RetryState state) {
		if (outcome instanceof WatchOutcome.Cancelled) {
			return proceed(Attempt.LIST, state);
		}
		RetryDecision decision = watchAgain(outcome, state);
		// Two watches from "" or "0" do not see the deletions between them.
		return outcome.progress().resumable() ? decision : decision.listFirst(RelistReason.UNUSABLE_WATCH);
	}

	private RetryDecision watchAgain(WatchOutcome outcome, RetryState state) {
		Attempt again = mayBeRolledBack(outcome) ? Attempt.CHECK_ROLLBACK : Attempt.WATCH;
		if (outcome instanceof WatchOutcome.Closed) {
			return proceed(again, state);
		}
		if (outcome instanceof WatchOutcome.Broken broken) {
			return new Proceed(again, null, FailureClassification.ofBrokenWatch(broken.cause(), this.settings), state);
		}
		if (outcome instanceof WatchOutcome.VeryShort veryShort) {
			return afterVeryShort(veryShort, again, state);
		}
		return retry(classify(Objects.requireNonNull(outcome.cause()), "watch"), again, state);
	}

	private RetryDecision afterVeryShort(WatchOutcome.VeryShort outcome, Attempt again, RetryState state) {
		FailureClassification failure = FailureClassification.ofVeryShortWatch(outcome.cause(), this.settings);
		int inRow = state.veryShortInRow() + 1;
		return (inRow < VERY_SHORT_IN_ROW) ? retry(failure, again, state.veryShort(inRow))
				: retry(failure, again, state.veryShort(0)).listFirst(RelistReason.UNUSABLE_WATCH);
	}

	/**
	 * Return whether the next watch may be one of another server, or of a restored etcd.
	 * Such a watch is accepted and stays quiet until its version is reached.
	 */
	private static boolean mayBeRolledBack(WatchOutcome outcome) {
		if (outcome instanceof WatchOutcome.Refused refused) {
			// A load balancer in front of the server sends these while there is none.
			return switch (refused.cause().status().code()) {
				case 502, 503, 504 -> true;
				default -> false;
			};
		}
		boolean timedOut = outcome.cause() instanceof InterruptedIOException;
		boolean quiet = (outcome instanceof WatchOutcome.Closed || outcome instanceof WatchOutcome.Broken)
				&& !outcome.progress().received();
		return outcome instanceof WatchOutcome.Unreachable || timedOut || quiet;
	}

	/**
	 * Back off. After a failed watch the reason to list depends on the failure.
	 */
	private RetryDecision retry(FailureClassification failure, Attempt again, RetryState before) {
		if (failure.kind() == Kind.INVALID) {
			return new GiveUp(failure, before);
		}
		RetryState state = (failure.kind() == Kind.MALFORMED_RESPONSE) ? before.malformed(before.malformedInRow() + 1)
				: before;
		long now = this.time.nanoTime();
		Backoff backoff = state.backoff().at(now);
		Duration delay = backoff.delay(failure.cap(), this.random.getAsDouble());
		state = state.backoff(backoff.failed(now + TimeSource.nanos(delay)));
		if (delay.compareTo(failure.atLeast()) < 0) {
			delay = failure.atLeast();
		}
		Phase phase = (failure.kind() == Kind.NOT_FOUND) ? Phase.DORMANT : Phase.BACKING_OFF;
		RetryDecision retry = new Retry(delay, phase, again, null, failure, state);
		RelistReason reason = relistReason(failure.kind(), state, now + TimeSource.nanos(delay));
		return (reason != null) ? retry.listFirst(reason) : retry;
	}

	/**
	 * Return the reason to list before the next watch.
	 * @return the reason; {@code null} to watch from the last version
	 */
	private static @Nullable RelistReason relistReason(Kind kind, RetryState state, long nextAttempt) {
		return switch (kind) {
			case EXPIRED -> RelistReason.EXPIRED;
			// The resource is served again, but its objects may be others.
			case NOT_FOUND -> RelistReason.RECOVERED;
			case OTHER -> RelistReason.FAILURE;
			case MALFORMED_RESPONSE ->
				(state.malformedInRow() >= MALFORMED_IN_ROW) ? RelistReason.UNUSABLE_WATCH : null;
			// Lists may be allowed all the time, and are then the only source of changes.
			case FORBIDDEN ->
				(nextAttempt - state.lastList() >= WATCH_DENIED_RELIST_NANOS) ? RelistReason.WATCH_DENIED : null;
			default -> null;
		};
	}

	private static boolean isTooManyRequests(Throwable failure) {
		return failure instanceof ServerStatusException refusal && refusal.status().code() == 429;
	}

	private static RetryDecision proceed(Attempt next, RetryState state) {
		return new Proceed(next, null, null, state);
	}

	private FailureClassification classify(Throwable failure, String verb) {
		return FailureClassification.of(failure, verb, this.settings);
	}

}
