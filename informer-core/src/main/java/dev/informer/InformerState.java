/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What an informer is doing, for one namespace or for all of its own taken together.
 *
 * @param phase what it is doing
 * @param since when it began to
 * @param failure the failure that the last attempt ended with; {@code null} while there
 * is none
 * @param failingSince when the first of the failures in a row happened; {@code null}
 * while there is none
 * @param nextAttempt when it is tried again; {@code null} when not waiting
 */
public record InformerState(Phase phase, Instant since, @Nullable InformerFailure failure,
		@Nullable Instant failingSince, @Nullable Instant nextAttempt) {

	/**
	 * What an informer can be doing. The order is from good to bad: the phase of an
	 * informer with several namespaces is the last one among theirs.
	 */
	public enum Phase {

		/** A watch is open: the local copy follows the server. */
		WATCHING,

		/** A list is being read. */
		LISTING,

		/** Waits before the next attempt. */
		BACKING_OFF,

		/** The server does not serve the resource, and is asked for it now and then. */
		DORMANT,

		/** Given up for good, for a reason that does not go away by itself. */
		FAILED,

		/** Not started yet. */
		NOT_STARTED,

		/** Stopped on purpose. */
		STOPPED

	}

}
