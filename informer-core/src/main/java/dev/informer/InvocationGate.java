/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.util.OptionalInt;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Gate that each invocation of a handler passes. While it is closed, the handler is not
 * invoked, and the difference between the last delivered and the current state of each
 * object is kept. It may be closed for the handler as a whole or for some objects.
 * <p>
 * The defaults are those of a gate that is always open. Implementations are thread-safe.
 * Handlers ask with a lock held, so a gate does not wait, and holds no lock while it
 * calls a {@link Follower}. Messages use {@code toString()} as the adjective for a
 * handler with this gate.
 *
 * @see HandlerOptions#gate()
 */
public interface InvocationGate {

	/** Gate that is always open. */
	InvocationGate OPEN = new InvocationGate() {

	};

	/**
	 * Notify a handler of changes from now on. Called before it has events.
	 * @param follower the handler
	 */
	default void follow(Follower follower) {
	}

	/**
	 * End the notifications of a handler.
	 * @param follower the handler
	 */
	default void unfollow(Follower follower) {
	}

	/**
	 * Return whether the gate is open for the handler as a whole. A handler is paused
	 * while it is not.
	 * @return whether it is open
	 */
	default boolean isOpen() {
		return true;
	}

	/**
	 * Return what the next invocation for an object needs. After a change, the gate calls
	 * {@link Follower#changed()}.
	 * @param target the invocation
	 * @return the access
	 */
	default Access access(Target target) {
		return Access.OPEN;
	}

	/**
	 * Begin an invocation, immediately before it. This check is exact: it sees what the
	 * followers were not notified of yet.
	 * @param target the invocation, whose access was {@link Access#OPEN}
	 * @return whether it may begin; {@link #end} follows then
	 */
	default boolean begin(Target target) {
		return true;
	}

	/**
	 * End an invocation that a successful {@link #begin} has begun.
	 * @param target the invocation
	 */
	default void end(Target target) {
	}

	/**
	 * Return a number that grows each time that the gate opens in any process. A storage
	 * that rejects smaller numbers than the largest one that it has seen excludes a
	 * process whose gate has closed.
	 * @return the fencing token; empty if the gate is closed or has none
	 */
	default OptionalInt fencingToken() {
		return OptionalInt.empty();
	}

	/**
	 * Return a number that grows each time that the gate opens for an object, in this
	 * process. What another process has done while it was closed may not be in the caches
	 * yet.
	 * @param target the invocation
	 * @return the number, from 1; 0 if the gate is closed, or if no other process does
	 * anything while it is closed
	 */
	default long term(Target target) {
		return 0;
	}

	/**
	 * Return why the gate is closed, for a diagnosis.
	 * @param target the invocation; {@code null} for all of them
	 * @return the reason in sentences; {@code null} if the gate is open
	 */
	default @Nullable String closedReason(@Nullable Target target) {
		return null;
	}

	/**
	 * What an invocation needs.
	 */
	enum Access {

		/** It may begin. */
		OPEN,

		/** It is held until the gate opens. */
		CLOSED,

		/**
		 * The object is not a matter of this process any more. A deletion is delivered at
		 * any time, with the reason {@link ResourceEvent.Deleted.Reason#UNWATCHED}, so
		 * that the handler can forget the object. If it becomes a matter of this process
		 * again, an event has to follow, such as that of a {@link WatchedSet}.
		 */
		GONE

	}

	/**
	 * Next invocation for an object.
	 *
	 * @param namespace the namespace of the object; {@code null} for a cluster-scoped one
	 * @param name its name
	 * @param uid its UID; {@code null} if it is unknown, or the object does not exist
	 * @param deletion the reason of the deletion that is delivered; {@code null} for
	 * another event
	 */
	record Target(@Nullable String namespace, String name, @Nullable String uid,
			ResourceEvent.Deleted.@Nullable Reason deletion) {

	}

	/**
	 * Handler that follows the changes of a gate.
	 */
	interface Follower {

		/**
		 * Note that the gate may have opened or closed.
		 */
		void changed();

		/**
		 * Interrupt running invocations, for which the gate has closed.
		 * @param targets selects the invocations
		 * @param reason the reason as the predicate of a sentence, for the log
		 */
		void revoked(Predicate<Target> targets, String reason);

	}

}
