/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Diagnosis of one object of a reconciler. Contains names of objects, never their
 * content.
 *
 * @param namespace the namespace of the object; {@code null} if it has none
 * @param name its name
 * @param failures the number of calls that have failed since the last success
 * @param lastFailure the time of the last of them, at which the log has it; {@code null}
 * if there is none
 * @param nextCall the time at which the next call is due; {@code null} if none is, or at
 * once
 * @param causes the causes for which the reconciler is not called now, the most important
 * first
 */
public record ReconcilerDiagnosis(@Nullable String namespace, String name, int failures, @Nullable Instant lastFailure,
		@Nullable Instant nextCall, List<Cause> causes) {

	/**
	 * Copy the causes.
	 */
	public ReconcilerDiagnosis {
		causes = List.copyOf(causes);
	}

	/**
	 * Cause for which a reconciler is not called.
	 *
	 * @param reason the reason
	 * @param message the description for operators
	 */
	public record Cause(Reason reason, String message) {
	}

	/**
	 * Reasons for which a reconciler is not called.
	 */
	public enum Reason {

		/** The reconciler is not started. */
		STOPPED,

		/** An informer of the reconciler has not synced. */
		NOT_SYNCED,

		/** An informer of the reconciler does not follow the server now. */
		STALE,

		/** The reconciler was paused on purpose. */
		PAUSED,

		/** The gate is closed, for all objects or for this one. */
		GATE_CLOSED,

		/** The primary object is not in the cache. */
		NOT_IN_CACHE,

		/** The object is being deleted, and the reconciler has nothing to clean up. */
		BEING_DELETED,

		/** No thread of the reconciler could be started. */
		NO_THREAD,

		/** A call for the object is running, or all threads are busy. */
		BUSY,

		/** The caches do not have yet what an earlier call has written. */
		HELD,

		/** The minimum interval since the last call is not over. */
		LIMITED,

		/** The last call has failed, and its retry is not due. */
		RETRYING,

		/** The last call has failed, and is not repeated before the next change. */
		FAILED,

		/** The call is waiting for its turn. */
		QUEUED,

		/**
		 * The next call follows after the delay that the last one has asked for, or after
		 * a conflict.
		 */
		SCHEDULED,

		/** Nothing has changed since the last call. */
		UP_TO_DATE

	}

}
