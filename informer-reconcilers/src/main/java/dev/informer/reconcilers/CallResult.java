/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;

import dev.informer.reconcilers.KeyQueue.Hold;
import org.jspecify.annotations.Nullable;

/**
 * Result of what was done for a key.
 *
 * @param delay the time until the next call; {@code null} for none
 * @param failure what the call has thrown, or an interceptor after a call that has
 * succeeded; {@code null} for nothing
 * @param writes what the caches have to reach before the next call
 */
record CallResult(Kind kind, @Nullable Duration delay, @Nullable Throwable failure, List<? extends Hold> writes) {

	/** The object does not exist any more, or needs no call. */
	static final CallResult ENDED = new CallResult(Kind.ENDED, null, null, List.of());

	/** The call has not begun. */
	static final CallResult NOT_BEGUN = repeated(List.of());

	static CallResult succeeded(@Nullable Duration delay, List<? extends Hold> writes) {
		return succeeded(delay, null, writes);
	}

	static CallResult succeeded(@Nullable Duration delay, @Nullable Throwable interceptorFailure,
			List<? extends Hold> writes) {
		return new CallResult(Kind.SUCCEEDED, delay, interceptorFailure, writes);
	}

	/**
	 * Create the result of a call that has failed.
	 * @param retry the time until the retry; {@code null} for none: the next call is the
	 * first attempt again
	 */
	static CallResult failed(@Nullable Duration retry, @Nullable Throwable failure, List<? extends Hold> writes) {
		return new CallResult(Kind.FAILED, retry, failure, writes);
	}

	/**
	 * Create the result of a call that is repeated after a delay, without a failure.
	 */
	static CallResult later(Duration delay, Throwable reason, List<? extends Hold> writes) {
		return new CallResult(Kind.LATER, delay, reason, writes);
	}

	static CallResult conflict(Duration delay, Throwable conflict, List<? extends Hold> writes) {
		return new CallResult(Kind.CONFLICT, delay, conflict, writes);
	}

	static CallResult repeated(List<? extends Hold> writes) {
		return new CallResult(Kind.REPEATED, null, null, writes);
	}

	static CallResult prepared(List<? extends Hold> writes) {
		return new CallResult(Kind.PREPARED, null, null, writes);
	}

	/**
	 * Kinds of results.
	 */
	enum Kind {

		/** The call has succeeded. */
		SUCCEEDED,

		/** The call has failed. */
		FAILED,

		/** The call has asked for a later one. */
		LATER,

		/** A write of the call was refused because the object has another version. */
		CONFLICT,

		/** The call has not begun, or is repeated at once without a failure. */
		REPEATED,

		/** The object was changed before its call, which the event of that triggers. */
		PREPARED,

		/** There is nothing to call the reconciler for. */
		ENDED

	}

}
