/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.InterruptedIOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.DoubleSupplier;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
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
	private static final Duration WATCH_DENIED_RELIST = Duration.ofMinutes(5);

	/**
	 * Maximum delay while the server has not been serving for {@link #SHORT_OUTAGE}. With
	 * the requests after the delay, a 410 and its own delay included, the informer
	 * recovers within 5 s.
	 */
	private static final Duration SHORT_OUTAGE_CAP = Duration.ofMillis(2500);

	/** 30 s, and the time until the last request of the outage has failed. */
	private static final Duration SHORT_OUTAGE = Duration.ofSeconds(40);

	/** Maximum delay after a longer outage, so that the informer recovers within 10 s. */
	private static final Duration OUTAGE_CAP = Duration.ofSeconds(5);

	/**
	 * Maximum delay after a failure of a server that answers, so that the informer
	 * recovers within 10 s.
	 */
	private static final Duration REFUSAL_CAP = Duration.ofSeconds(7);

	/**
	 * Time after which only the policy limits the delay of a failure that may last, such
	 * as a resource that is not installed.
	 */
	private static final Duration PERSISTENT = Duration.ofMinutes(5);

	/**
	 * Maximum delay while the host is unknown. Java answers so for 10 s more from its
	 * cache (networkaddress.cache.negative.ttl), which the delay must not prolong.
	 */
	private static final Duration UNKNOWN_HOST_CAP = Duration.ofSeconds(1);

	private static final Duration NO_CAP = Duration.ofDays(36_525);

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
		RetryState after = state.watched(watch.progress(), this.time.nanoTime());
		return afterWatch(watch, after.unverified(mayBeReplaced(watch, after.unverified())));
	}

	/**
	 * Return the state before a list that was requested.
	 */
	RetryState relisting(RelistReason reason, RetryState state) {
		return state.relisting(reason, this.time.nanoTime());
	}

	private RetryDecision afterList(ListOutcome<?> outcome, RetryState state) {
		if (outcome instanceof ListOutcome.Listed<?>) {
			return proceed(Attempt.WATCH, state.listed(this.time.nanoTime()));
		}
		if (outcome instanceof ListOutcome.Interrupted<?> interrupted) {
			FailureClassification failure = classify(interrupted.cause(), "list");
			return retry(failure, Attempt.LIST_BY_PAGES, state.after(failure));
		}
		if (outcome instanceof ListOutcome.StreamFailed<?> failed) {
			FailureClassification failure = classify(failed.cause(), "list");
			// Neither says anything about the server's support for streaming lists, and a
			// list would be refused as well.
			boolean refused = !failed.opened() && failure.isUnreachable()
					&& !(failed.cause() instanceof InterruptedIOException);
			return (refused || isTooManyRequests(failed.cause())) ? retry(failure, Attempt.LIST, state.after(failure))
					: new Proceed(Attempt.LIST_BY_PAGES, null, failure, state);
		}
		if (outcome instanceof ListOutcome.Failed<?> failed) {
			FailureClassification failure = classify(failed.cause(), "list");
			if (failure.isPermanent() && failed.onFirstPage() && !state.synced()) {
				return new GiveUp(failure, state);
			}
			// The list was only a substitute for a watch that is denied.
			RetryState after = state.after(failure);
			return retry(failure, after.resumable() ? after.resume() : Attempt.LIST, after);
		}
		return proceed(Attempt.LIST, state);
	}

	private RetryDecision afterCheck(RollbackCheck.Outcome outcome, RetryState state) {
		if (outcome instanceof RollbackCheck.Outcome.Unchanged) {
			return proceed(Attempt.WATCH, state.outage(false).unverified(false));
		}
		if (outcome instanceof RollbackCheck.Outcome.RolledBack) {
			return listFirst(proceed(Attempt.WATCH, state), RelistReason.ROLLBACK);
		}
		if (outcome instanceof RollbackCheck.Outcome.Unknown) {
			return listFirst(proceed(Attempt.WATCH, state), RelistReason.FAILURE);
		}
		if (outcome instanceof RollbackCheck.Outcome.Failed failed) {
			FailureClassification failure = classify(failed.cause(), "list");
			RetryState after = state.after(failure);
			return retry(failure, after.outage() ? Attempt.COMPARE : Attempt.CHECK_ROLLBACK, after);
		}
		return proceed(Attempt.LIST, state);
	}

	private RetryDecision afterWatch(WatchOutcome outcome, RetryState state) {
		if (outcome instanceof WatchOutcome.Cancelled) {
			// for other objects, unless a list was requested
			return proceed(outcome.progress().resumable() ? state.resume() : Attempt.LIST, state);
		}
		if (outcome instanceof WatchOutcome.RolledBack) {
			return listFirst(proceed(Attempt.WATCH, state), RelistReason.ROLLBACK);
		}
		if (outcome instanceof WatchOutcome.Unverified) {
			return proceed(Attempt.COMPARE, state.outage(true));
		}
		RetryDecision decision = watchAgain(outcome, state);
		// Two watches from "" or "0" do not see the deletions between them.
		return outcome.progress().resumable() ? decision : listFirst(decision, RelistReason.UNUSABLE_WATCH);
	}

	private RetryDecision watchAgain(WatchOutcome outcome, RetryState before) {
		FailureClassification failure = failure(outcome);
		RetryState state = (failure == null || outcome instanceof WatchOutcome.Broken) ? before : before.after(failure);
		Attempt again = (state.resume() == Attempt.WATCH && mayBeSilent(outcome)) ? Attempt.CHECK_ROLLBACK
				: state.resume();
		if (failure == null || outcome instanceof WatchOutcome.Broken) {
			return new Proceed(again, null, failure, state);
		}
		if (!(outcome instanceof WatchOutcome.VeryShort)) {
			return retry(failure, again, state);
		}
		int inRow = state.veryShortInRow() + 1;
		return (inRow < VERY_SHORT_IN_ROW) ? retry(failure, again, state.veryShort(inRow))
				: listFirst(retry(failure, again, state.veryShort(0)), RelistReason.UNUSABLE_WATCH);
	}

	/**
	 * Return whether another server may answer the next request. A fail-over resets
	 * connections or ends their responses, but not when the client has requested it.
	 */
	private static boolean mayBeReplaced(WatchOutcome outcome, boolean before) {
		WatchOutcome.Progress progress = outcome.progress();
		boolean rejected = outcome instanceof WatchOutcome.Refused refused && refused.cause().status().code() < 500;
		boolean onTime = outcome instanceof WatchOutcome.Closed && progress.onTime();
		if (!progress.opened() || rejected || onTime || outcome instanceof WatchOutcome.Cancelled) {
			return before && !(progress.opened() && progress.verified());
		}
		return true;
	}

	private @Nullable FailureClassification failure(WatchOutcome outcome) {
		if (outcome instanceof WatchOutcome.VeryShort veryShort) {
			return FailureClassification.ofVeryShortWatch(veryShort.cause(), this.settings);
		}
		if (outcome instanceof WatchOutcome.Broken broken) {
			return FailureClassification.ofBrokenWatch(broken.cause(), this.settings);
		}
		return (outcome.cause() != null) ? classify(outcome.cause(), "watch") : null;
	}

	/**
	 * Return whether the last watch may have been at a version that the server has not
	 * reached. Such a watch is accepted and stays quiet until its version is reached.
	 */
	private static boolean mayBeSilent(WatchOutcome outcome) {
		return outcome.cause() instanceof InterruptedIOException
				|| ((outcome instanceof WatchOutcome.Closed || outcome instanceof WatchOutcome.Broken)
						&& !outcome.progress().received());
	}

	/**
	 * Back off. After a failed watch the reason to list depends on the failure.
	 */
	private RetryDecision retry(FailureClassification failure, Attempt again, RetryState before) {
		long now = this.time.nanoTime();
		RetryState state = before.failing(now);
		if (failure.kind() == Kind.MALFORMED_RESPONSE) {
			state = state.malformed(state.malformedInRow() + 1);
		}
		boolean expired = failure.kind() == Kind.EXPIRED;
		Backoff backoff = (expired ? state.expired() : state.backoff()).at(now);
		Duration delay = delay(failure, backoff, cap(failure, state, state.nanosFailing(now)));
		long nextAttempt = now + TimeSource.nanos(delay);
		Backoff longer = backoff.failed(nextAttempt);
		state = expired ? state.expired(longer) : state.backoff(longer);
		Phase phase = (failure.kind() == Kind.NOT_FOUND) ? Phase.DORMANT : Phase.BACKING_OFF;
		RetryDecision retry = new Retry(delay, phase, again, null, failure, state);
		RelistReason reason = relistReason(failure.kind(), state, nextAttempt);
		return (reason != null) ? listFirst(retry, reason) : retry;
	}

	private Duration delay(FailureClassification failure, Backoff backoff, Duration cap) {
		double part = this.random.getAsDouble();
		Duration delay = backoff.delay(cap, part);
		Duration atLeast = failure.atLeast();
		if (atLeast.isZero() || delay.compareTo(atLeast) >= 0) {
			return delay;
		}
		// The server names the same second to everyone whom it refused at once.
		return atLeast.plusNanos((long) (part * TimeSource.nanos(backoff.policy().jitter())));
	}

	private static Duration cap(FailureClassification failure, RetryState state, long nanosFailing) {
		if (failure.kind() == Kind.EXPIRED) {
			return NO_CAP;
		}
		if (failure.cause() instanceof UnknownHostException) {
			return UNKNOWN_HOST_CAP;
		}
		// Until its caches are filled, a server that has just started denies what it will
		// grant, knows no custom resources, or rejects lists.
		boolean starting = state.outage() && nanosFailing < TimeSource.nanos(PERSISTENT);
		if (failure.unavailable() || starting) {
			return (nanosFailing < TimeSource.nanos(SHORT_OUTAGE)) ? SHORT_OUTAGE_CAP : OUTAGE_CAP;
		}
		return switch (failure.kind()) {
			case UNAUTHORIZED, FORBIDDEN, OVERLOADED -> REFUSAL_CAP;
			default -> (nanosFailing < TimeSource.nanos(PERSISTENT)) ? REFUSAL_CAP : NO_CAP;
		};
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
			case INVALID, OTHER -> RelistReason.FAILURE;
			case MALFORMED_RESPONSE ->
				(state.malformedInRow() >= MALFORMED_IN_ROW) ? RelistReason.UNUSABLE_WATCH : null;
			// A right that is restored soon lets the watch continue without a gap. Only
			// while it stays denied, lists are the source of changes.
			case FORBIDDEN -> (Math.min(nextAttempt - state.lastList(), state.nanosFailing(nextAttempt)) >= TimeSource
				.nanos(WATCH_DENIED_RELIST)) ? RelistReason.WATCH_DENIED : null;
			default -> null;
		};
	}

	/**
	 * Make a list the next attempt, unless it is one already.
	 */
	private RetryDecision listFirst(RetryDecision decision, RelistReason reason) {
		RetryState state = decision.state().relisting(reason, this.time.nanoTime());
		if (decision instanceof Proceed proceed && !proceed.next().isList()) {
			return new Proceed(Attempt.LIST, reason, proceed.failure(), state);
		}
		if (decision instanceof Retry retry && !retry.next().isList()) {
			return new Retry(retry.delay(), retry.phase(), Attempt.LIST, reason, retry.failure(), state);
		}
		return decision;
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
