/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Description of a handler: why its invocations may not take place now. Immutable, and
 * without the content of any object.
 *
 * @param waitingForRetry the number of objects whose event has failed and waits for its
 * retry
 * @param nextRetry the time of the next of these retries; {@code null} for none
 * @param retriesExhausted the number of objects with an event whose retries are exhausted
 * and that has not been delivered since. The last 1,000 of them are recorded
 * @param exhaustedObjects the namespaces and names of the last 20 of these objects, such
 * as {@code shop/web-1}, the latest one last
 * @param held the number of objects whose event the gate of the handler holds
 * @param causes the causes that concern the handler as a whole; empty if it is invoked
 * for every event
 * @see HandlerRegistration#diagnose()
 */
public record HandlerDiagnosis(int waitingForRetry, @Nullable Instant nextRetry, int retriesExhausted,
		List<String> exhaustedObjects, int held, List<Cause> causes) {

	/**
	 * Copy the lists.
	 */
	public HandlerDiagnosis {
		exhaustedObjects = List.copyOf(exhaustedObjects);
		causes = List.copyOf(causes);
	}

	/**
	 * Cause for which a handler is not invoked.
	 *
	 * @param reason the reason
	 * @param message the description for operators, with a remedy where there is one. It
	 * contains names of objects, never their content
	 * @param since the time since which the cause applies; {@code null} if unknown
	 */
	public record Cause(Reason reason, String message, @Nullable Instant since) {
	}

	/**
	 * Reasons for which a handler is not invoked, in the order in which they are
	 * reported.
	 */
	public enum Reason {

		/** The handler was removed from its informer. */
		HANDLER_REMOVED,

		/** The informer was closed. */
		INFORMER_CLOSED,

		/** The informer was not started. */
		INFORMER_NOT_STARTED,

		/** The informer was stopped. */
		INFORMER_STOPPED,

		/** The informer has failed permanently. */
		INFORMER_FAILED,

		/** The cache of the informer has never been complete. */
		INFORMER_NOT_SYNCED,

		/** The informer does not follow the server now, so the cache may be stale. */
		INFORMER_STALE,

		/** The informer does not watch the namespace of the object. */
		OUTSIDE_NAMESPACES,

		/**
		 * The current state of the object, or of all, cannot be decoded or transformed.
		 */
		UNDECODABLE,

		/**
		 * The object is not in the cache: it does not match a selector of the informer,
		 * or does not exist.
		 */
		OUTSIDE_SELECTOR,

		/**
		 * The object is not in the cache: it does not exist, unless the cache is stale.
		 */
		NOT_IN_CACHE,

		/** The handler is paused on purpose. */
		PAUSED,

		/** The handler is paused until informers have synced. */
		HELD_UNTIL_SYNC,

		/** The handler is suspended, because the application stops or has stopped. */
		SUSPENDED,

		/** The gate of the handler is closed, for all objects or for this one. */
		GATE_CLOSED,

		/** No thread of the handler could be started. */
		NO_THREAD,

		/** All threads of the handler are busy, or one with an event of this object. */
		BUSY,

		/** An event of the object has failed and waits for its retry. */
		WAITING_FOR_RETRY,

		/** The retries of an event of the object are exhausted. */
		RETRIES_EXHAUSTED,

		/** The filter of the handler rejects the current state. */
		FILTER,

		/** No part of the object has changed that the handler selects. */
		UNCHANGED_PARTS,

		/** The handler does not accept this type of event. */
		EVENT_TYPE,

		/** An event is pending and will be delivered when its turn comes. */
		QUEUED,

		/** The current state is the last delivered one. */
		UP_TO_DATE

	}

}
