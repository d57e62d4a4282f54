/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Instant;

import dev.informer.client.Moment;
import org.jspecify.annotations.Nullable;

/**
 * State of an informer, for one namespace or as a whole.
 *
 * @param phase the phase
 * @param since the moment at which the phase was entered
 * @param failure the failure of the last attempt; {@code null} if it succeeded. For an
 * informer as a whole that follows the server, of the kind {@code UNDECODABLE_OBJECT}
 * while there are objects and none could be read in its current state
 * @param failingSince the moment since which the informer does not follow the server: the
 * end of its last watch, or the first failure. {@code null} if it follows, which an
 * event, a bookmark or one second of an open watch proves
 * @param nextAttempt the time of the next attempt; {@code null} if the informer is not
 * waiting for one
 */
public record InformerState(Phase phase, Moment since, @Nullable InformerFailure failure, @Nullable Moment failingSince,
		@Nullable Instant nextAttempt) {

	/**
	 * Phases, from good to bad: the phase of an informer with several namespaces is the
	 * worst of theirs.
	 */
	public enum Phase {

		/**
		 * A watch is open and the cache follows the server. Without a watch: the last
		 * list has succeeded, and the next one follows after the poll interval.
		 */
		WATCHING,

		/**
		 * A watch is being opened, or what precedes it: a check whether the server is
		 * still the same.
		 */
		CONNECTING,

		/**
		 * A list is being read.
		 */
		LISTING,

		/**
		 * The informer waits before its next attempt.
		 */
		BACKING_OFF,

		/**
		 * The resource is not served (404); polled with backoff until it appears.
		 */
		DORMANT,

		/**
		 * The informer has failed permanently and does not retry.
		 */
		FAILED,

		/**
		 * The informer has not been started.
		 */
		NOT_STARTED,

		/**
		 * The informer has been stopped.
		 */
		STOPPED

	}

}
