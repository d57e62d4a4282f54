/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.InterruptedIOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.DoubleSupplier;

import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.reflector.AttemptOutcome.Result;
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
	 * Create a decider. {@code random} returns numbers from 0 (inclusive) to 1
	 * (exclusive), for the jitter.
	 */
	RetryDecider(ReflectorSettings settings, TimeSource time, DoubleSupplier random) {
		this.settings = settings;
		this.time = time;
		this.random = random;
	}

	/**
	 * Decide about the next attempt. The state of the last decision remains unchanged.
	 */
	Decision decide(AttemptOutcome<?> outcome, RetryState before) {
		RetryState state = new RetryState(before);
		long now = this.time.nanoTime();
		if (outcome.progress() != null) {
			state.watched(outcome.progress(), now);
			state.unverified = mayBeReplaced(outcome.result(), outcome.cause(), outcome.progress(), state.unverified);
		}
		return switch (outcome.result()) {
			// of a watch for other objects, unless a list was requested
			case CANCELLED -> proceed(isResumable(outcome) ? state.resume() : Attempt.LIST, state);
			case LISTED -> {
				state.listed(now);
				yield this.settings.options().watch() ? proceed(Attempt.WATCH, state) : poll(state);
			}
			case LIST_INTERRUPTED -> retry(failed(outcome, state), Attempt.LIST_BY_PAGES, state);
			case STREAM_NOT_OPENED, STREAM_FAILED -> afterStream(outcome, state);
			case FIRST_PAGE_FAILED, LIST_FAILED -> {
				FailureClassification failure = failed(outcome, state);
				if (failure.isRejection() && outcome.result() == Result.FIRST_PAGE_FAILED && !state.synced) {
					yield new Decision(Attempt.LIST, Phase.FAILED, Duration.ZERO, null, failure, state);
				}
				// The list was only a substitute for a watch that is denied.
				yield retry(failure, state.resumable ? state.resume() : Attempt.LIST, state);
			}
			case CHECK_FAILED -> {
				FailureClassification failure = failed(outcome, state);
				yield retry(failure, state.outage ? Attempt.COMPARE : Attempt.CHECK_ROLLBACK, state);
			}
			case UNCHANGED -> {
				state.outage = false;
				state.unverified = false;
				yield proceed(Attempt.WATCH, state);
			}
			case ROLLED_BACK -> listFirst(proceed(Attempt.WATCH, state), RelistReason.ROLLBACK);
			case NOT_COMPARABLE -> listFirst(proceed(Attempt.WATCH, state), RelistReason.FAILURE);
			case UNVERIFIED -> {
				state.outage = true;
				yield proceed(Attempt.COMPARE, state);
			}
			case CLOSED, BROKEN, VERY_SHORT, UNREACHABLE, EXPIRED, REFUSED, MALFORMED, FAILED -> {
				Decision decision = watchAgain(outcome, state);
				// Two watches from "" or "0" do not see the deletions between them.
				yield isResumable(outcome) ? decision : listFirst(decision, RelistReason.UNUSABLE_WATCH);
			}
		};
	}

	/**
	 * List again after the interval, and a random time, so that many clients that began
	 * together do not list together.
	 */
	private Decision poll(RetryState state) {
		state.polled();
		long interval = TimeSource.nanos(this.settings.options().pollInterval());
		Duration delay = Duration.ofNanos((long) (interval * (1 + this.random.getAsDouble() / 10)));
		return new Decision(Attempt.LIST, null, delay, null, null, state);
	}

	/**
	 * Return the state before a list that was requested.
	 */
	RetryState relisting(RelistReason reason, RetryState before) {
		RetryState state = new RetryState(before);
		state.relisting(reason, this.time.nanoTime());
		return state;
	}

	/**
	 * Return the state before a comparison that was requested.
	 */
	RetryState comparing(RetryState before) {
		RetryState state = new RetryState(before);
		state.outage = true;
		return state;
	}

	private static boolean isResumable(AttemptOutcome<?> outcome) {
		return outcome.progress() != null && outcome.progress().resumable();
	}

	private Decision afterStream(AttemptOutcome<?> outcome, RetryState state) {
		FailureClassification failure = classify(outcome);
		// Neither says anything about the server's support for streaming lists, and a
		// list
		// would be refused as well.
		boolean refused = outcome.result() == Result.STREAM_NOT_OPENED && failure.isUnreachable()
				&& !(failure.cause() instanceof InterruptedIOException);
		return (refused || failure.kind() == Kind.SIZE_LIMIT || isTooManyRequests(failure.cause()))
				? retry(failed(outcome, state), Attempt.LIST, state)
				: new Decision(Attempt.LIST_BY_PAGES, null, Duration.ZERO, null, failure, state);
	}

	private Decision watchAgain(AttemptOutcome<?> outcome, RetryState state) {
		Result result = outcome.result();
		if (result == Result.CLOSED || result == Result.BROKEN) {
			Attempt again = again(outcome, state);
			return new Decision(again, null, Duration.ZERO, null, (result == Result.BROKEN)
					? FailureClassification.ofBrokenWatch(cause(outcome), this.settings) : null, state);
		}
		if (result != Result.VERY_SHORT) {
			FailureClassification failure = failed(outcome, state);
			return retry(failure, again(outcome, state), state);
		}
		state.veryShortInRow = (state.veryShortInRow + 1) % VERY_SHORT_IN_ROW;
		Decision retry = retry(FailureClassification.ofVeryShortWatch(outcome.cause(), this.settings),
				again(outcome, state), state);
		return (state.veryShortInRow != 0) ? retry : listFirst(retry, RelistReason.UNUSABLE_WATCH);
	}

	/**
	 * Return the attempt that watches again. The last watch may have been at a version
	 * that the server has not reached. Such a watch is accepted and stays quiet until its
	 * version is reached.
	 */
	private static Attempt again(AttemptOutcome<?> outcome, RetryState state) {
		boolean quiet = (outcome.result() == Result.CLOSED || outcome.result() == Result.BROKEN)
				&& outcome.progress() != null && !outcome.progress().received();
		boolean silent = quiet || outcome.cause() instanceof InterruptedIOException;
		return (silent && state.resume() == Attempt.WATCH) ? Attempt.CHECK_ROLLBACK : state.resume();
	}

	/**
	 * Return whether another server may answer the next request. A fail-over resets
	 * connections or ends their responses, but not when the client has requested it.
	 */
	private static boolean mayBeReplaced(Result result, @Nullable Throwable cause, AttemptOutcome.Progress progress,
			boolean before) {
		boolean rejected = result == Result.REFUSED && cause instanceof ServerStatusException refusal
				&& refusal.status().code() < 500;
		boolean onTime = result == Result.CLOSED && progress.onTime();
		if (!progress.opened() || rejected || onTime || result == Result.CANCELLED) {
			return before && !(progress.opened() && progress.verified());
		}
		return true;
	}

	/**
	 * Back off, also from a 401: an interceptor of the connection may have repeated the
	 * request before, within its attempt. After a failed watch the reason to list depends
	 * on the failure.
	 */
	private Decision retry(FailureClassification failure, Attempt again, RetryState state) {
		long now = this.time.nanoTime();
		if (state.failingSince == null) {
			state.failingSince = now;
		}
		if (failure.kind() == Kind.MALFORMED_RESPONSE) {
			state.malformedInRow++;
		}
		boolean expired = failure.kind() == Kind.EXPIRED;
		Backoff backoff = (expired ? state.expired : state.backoff).at(now);
		Duration delay = delay(failure, backoff, cap(failure, state, state.nanosFailing(now)));
		long nextAttempt = now + TimeSource.nanos(delay);
		if (expired) {
			state.expired = backoff.failed(nextAttempt);
		}
		else {
			state.backoff = backoff.failed(nextAttempt);
		}
		Phase phase = (failure.kind() == Kind.NOT_FOUND) ? Phase.DORMANT : Phase.BACKING_OFF;
		Decision retry = new Decision(again, phase, delay, null, failure, state);
		// a list that is due anyway is no substitute for a watch that is denied
		RelistReason reason = (this.settings.options().watch() && !again.isList())
				? relistReason(failure.kind(), state, nextAttempt) : null;
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
		// the next list is as large as the limit
		if (failure.kind() == Kind.EXPIRED || failure.kind() == Kind.SIZE_LIMIT) {
			return NO_CAP;
		}
		if (failure.cause() instanceof UnknownHostException) {
			return UNKNOWN_HOST_CAP;
		}
		// Until its caches are filled, a server that has just started denies what it will
		// grant, knows no custom resources, or rejects lists.
		boolean starting = state.outage && nanosFailing < TimeSource.nanos(PERSISTENT);
		if (failure.unavailable() || starting) {
			return (nanosFailing < TimeSource.nanos(SHORT_OUTAGE)) ? SHORT_OUTAGE_CAP : OUTAGE_CAP;
		}
		return switch (failure.kind()) {
			case UNAUTHORIZED, FORBIDDEN, OVERLOADED -> REFUSAL_CAP;
			default -> (nanosFailing < TimeSource.nanos(PERSISTENT)) ? REFUSAL_CAP : NO_CAP;
		};
	}

	/**
	 * Return the reason to list before the next watch; {@code null} to watch from the
	 * last version.
	 */
	private static @Nullable RelistReason relistReason(Kind kind, RetryState state, long nextAttempt) {
		return switch (kind) {
			case EXPIRED -> RelistReason.EXPIRED;
			// The resource is served again, but its objects may be others.
			case NOT_FOUND -> RelistReason.RECOVERED;
			case INVALID, SIZE_LIMIT, OTHER -> RelistReason.FAILURE;
			case MALFORMED_RESPONSE -> (state.malformedInRow >= MALFORMED_IN_ROW) ? RelistReason.UNUSABLE_WATCH : null;
			// A right that is restored soon lets the watch continue without a gap. Only
			// while it stays denied, lists are the source of changes.
			case FORBIDDEN -> (Math.min(nextAttempt - state.lastList, state.nanosFailing(nextAttempt)) >= TimeSource
				.nanos(WATCH_DENIED_RELIST)) ? RelistReason.WATCH_DENIED : null;
			default -> null;
		};
	}

	/**
	 * Make a list the next attempt, unless it is one already.
	 */
	private Decision listFirst(Decision decision, RelistReason reason) {
		decision.state().relisting(reason, this.time.nanoTime());
		return decision.next().isList() ? decision : new Decision(Attempt.LIST, decision.phase(), decision.delay(),
				reason, decision.failure(), decision.state());
	}

	private static boolean isTooManyRequests(Throwable failure) {
		return failure instanceof ServerStatusException refusal && refusal.status().code() == 429;
	}

	private static Decision proceed(Attempt next, RetryState state) {
		return new Decision(next, null, Duration.ZERO, null, null, state);
	}

	/**
	 * Classify the failure of a request, after which another server may be there.
	 */
	private FailureClassification failed(AttemptOutcome<?> outcome, RetryState state) {
		FailureClassification failure = classify(outcome);
		state.outage |= failure.mayBeReplaced();
		return failure;
	}

	private FailureClassification classify(AttemptOutcome<?> outcome) {
		return FailureClassification.of(cause(outcome), (outcome.progress() != null) ? "watch" : "list", this.settings);
	}

	private static Throwable cause(AttemptOutcome<?> outcome) {
		return Objects.requireNonNull(outcome.cause());
	}

	/**
	 * Kind of an attempt.
	 */
	enum Attempt {

		/** List from the start, as a stream where that is enabled and supported. */
		LIST,

		/** List by pages, resuming an interrupted list. */
		LIST_BY_PAGES,

		/** Check whether the server's versions were rolled back, before a watch. */
		CHECK_ROLLBACK,

		/** Compare the server's objects with the cache, before a watch. */
		COMPARE,

		/** Watch from the version before the last changes, which have to come again. */
		VERIFY_AND_WATCH,

		/** Watch from the last version. */
		WATCH;

		boolean isList() {
			return this == LIST || this == LIST_BY_PAGES;
		}

	}

	/**
	 * Decision about the next attempt of a {@link Reflector}.
	 *
	 * @param next the next attempt; without a meaning after a permanent failure
	 * @param phase the phase during the delay before it; {@link Phase#FAILED} if there is
	 * no further attempt, {@code null} if it follows at once, or after an interval
	 * without a watch
	 * @param state the state that the next decision is based on
	 */
	record Decision(Attempt next, @Nullable Phase phase, Duration delay, @Nullable RelistReason relistReason,
			@Nullable FailureClassification failure, RetryState state) {

	}

	/**
	 * Failures of a run of a {@link Reflector} up to now, as far as they decide about the
	 * next attempt. Only copies are changed.
	 */
	static final class RetryState {

		/** Delay of the next failure that is no 410. */
		private Backoff backoff;

		/**
		 * Delay of the next 410. It is apart, because the delays of an outage must not
		 * delay the list after it.
		 */
		private Backoff expired;

		/**
		 * Nano time at which the last working watch ended, or of the first failure;
		 * {@code null} if there is neither.
		 */
		private @Nullable Long failingSince;

		/** Whether a list of this run is complete. */
		private boolean synced;

		/**
		 * Whether the watch can continue from the last version although a list is the
		 * next attempt.
		 */
		private boolean resumable;

		/**
		 * Whether the server was unavailable, so that another one may be in its place.
		 */
		private boolean outage;

		/**
		 * Whether the last watch ended otherwise than it should, so that another server
		 * may be at the other end of the next connection.
		 */
		private boolean unverified;

		private int veryShortInRow;

		private int malformedInRow;

		/**
		 * Nano time of the last list that is complete, or was only attempted because the
		 * watch was denied.
		 */
		private long lastList;

		/**
		 * Create a state without a failure.
		 */
		RetryState(BackoffPolicy policy) {
			this.backoff = Backoff.of(policy);
			this.expired = this.backoff;
		}

		/**
		 * Create a copy.
		 */
		private RetryState(RetryState other) {
			this.backoff = other.backoff;
			this.expired = other.expired;
			this.failingSince = other.failingSince;
			this.synced = other.synced;
			this.resumable = other.resumable;
			this.outage = other.outage;
			this.unverified = other.unverified;
			this.veryShortInRow = other.veryShortInRow;
			this.malformedInRow = other.malformedInRow;
			this.lastList = other.lastList;
		}

		/**
		 * Return the time since which the informer does not follow the server.
		 */
		private long nanosFailing(long now) {
			return (this.failingSince != null) ? now - this.failingSince : 0;
		}

		/**
		 * Return the attempt that continues from the last version.
		 */
		private Attempt resume() {
			if (this.outage) {
				return Attempt.COMPARE;
			}
			return this.unverified ? Attempt.VERIFY_AND_WATCH : Attempt.WATCH;
		}

		/**
		 * Record a reason to list before the next watch.
		 */
		private void relisting(RelistReason reason, long now) {
			this.resumable = reason == RelistReason.WATCH_DENIED;
			this.lastList = this.resumable ? now : this.lastList;
		}

		/**
		 * Record a complete list.
		 */
		private void listed(long now) {
			this.synced = true;
			this.resumable = false;
			this.outage = false;
			this.unverified = false;
			this.malformedInRow = 0;
			this.lastList = now;
		}

		/**
		 * Record a list that no watch follows: earlier failures no longer count.
		 */
		private void polled() {
			this.backoff = Backoff.of(this.backoff.policy());
			this.expired = this.backoff;
			this.failingSince = null;
		}

		/**
		 * Record a watch.
		 */
		private void watched(AttemptOutcome.Progress progress, long now) {
			Backoff initial = Backoff.of(this.backoff.policy());
			this.backoff = progress.steady() ? initial : this.backoff;
			this.expired = progress.lasting() ? initial : this.expired;
			this.failingSince = (this.failingSince != null && !progress.following()) ? this.failingSince
					: Long.valueOf(now);
			this.veryShortInRow = progress.proven() ? 0 : this.veryShortInRow;
			this.malformedInRow = progress.advanced() ? 0 : this.malformedInRow;
		}

	}

	/**
	 * Delay after the next failure. Immutable.
	 *
	 * @param baseNanos the delay after the next failure, before cap and jitter
	 * @param quietSince the nano time of the attempt that followed the last failure
	 */
	record Backoff(BackoffPolicy policy, double baseNanos, boolean failed, long quietSince) {

		/**
		 * Return a backoff without a failure.
		 */
		static Backoff of(BackoffPolicy policy) {
			return new Backoff(policy, TimeSource.nanos(policy.delay()), false, 0);
		}

		/**
		 * Return the backoff at a nano time: the initial one if the last attempt has not
		 * failed for long enough.
		 */
		Backoff at(long now) {
			boolean quiet = this.failed && now - this.quietSince >= TimeSource.nanos(this.policy.resetAfter());
			return quiet ? of(this.policy) : this;
		}

		/**
		 * Return the delay after a failure.
		 * @param cap the maximum delay, jitter included. A delay that reaches it keeps
		 * its share of jitter, so that clients which failed together do not return
		 * together
		 * @param random a number from 0 (inclusive) to 1 (exclusive)
		 */
		Duration delay(Duration cap, double random) {
			double jitter = (double) TimeSource.nanos(this.policy.jitter()) / TimeSource.nanos(this.policy.delay());
			double base = Math.min(this.baseNanos, TimeSource.nanos(cap) / (1 + jitter));
			return Duration.ofNanos((long) (base + random * jitter * base));
		}

		/**
		 * Return the backoff after a failure.
		 * @param nextAttempt the nano time of the next attempt
		 */
		Backoff failed(long nextAttempt) {
			double next = Math.min(this.baseNanos * this.policy.multiplier(), TimeSource.nanos(this.policy.maxDelay()));
			return new Backoff(this.policy, next, true, nextAttempt);
		}

	}

}
