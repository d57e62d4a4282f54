/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Event of one object, delivered to one handler. The events that a handler receives for
 * an object are consistent: they are in order, do not overlap, and the previous object of
 * an update or deletion is the state that was last delivered to this handler. An event
 * whose handler throws does not count as delivered until its retries are exhausted.
 * <p>
 * The objects are shared with the cache and with other handlers: do not modify them.
 *
 * @param <T> the type of the object
 */
public sealed interface ResourceEvent<T extends KubernetesObject> {

	/**
	 * Return the type of the event.
	 * @return the type
	 */
	Type type();

	/**
	 * Return the object: its new state, or the last known state of a deleted object.
	 * @return the object
	 */
	T object();

	/**
	 * Return the state that was last delivered to this handler.
	 * @return the previous object, or {@code null} for an added object
	 */
	@Nullable T previous();

	/**
	 * Return whether this is a resync: the object has not changed since the last event,
	 * apart from parts that {@link HandlerOptions#changes()} leaves out.
	 * @return whether this is a resync
	 */
	default boolean resync() {
		return false;
	}

	/**
	 * Object that was not delivered to this handler before.
	 *
	 * @param <T> the type of the object
	 * @param object the object
	 * @param initialList whether the object existed when the handler was added
	 */
	record Added<T extends KubernetesObject>(T object, boolean initialList) implements ResourceEvent<T> {

		@Override
		public Type type() {
			return Type.ADDED;
		}

		@Override
		public @Nullable T previous() {
			return null;
		}

	}

	/**
	 * New state of an object with the same UID.
	 *
	 * @param <T> the type of the object
	 * @param previous the last delivered state
	 * @param object the new state; for a resync the same instance, unless
	 * {@link HandlerOptions#changes()} suppressed an update
	 * @param resync whether this is a resync
	 */
	record Updated<T extends KubernetesObject>(T previous, T object, boolean resync) implements ResourceEvent<T> {

		/**
		 * Create an update, which is a resync if both states are the same instance.
		 * @param previous the last delivered state
		 * @param object the new state
		 */
		public Updated(T previous, T object) {
			this(previous, object, previous == object);
		}

		@Override
		public Type type() {
			return Type.UPDATED;
		}

	}

	/**
	 * Object that the handler has to forget, see {@link Reason}.
	 *
	 * @param <T> the type of the object
	 * @param object the last known state
	 * @param previous the last delivered state
	 * @param finalStateUnknown whether the deletion event was missed, so that
	 * {@code object} may not be the final state
	 * @param reason the reason
	 */
	record Deleted<T extends KubernetesObject>(T object, T previous, boolean finalStateUnknown,
			Reason reason) implements ResourceEvent<T> {

		/**
		 * Create a deletion with the reason {@link Reason#DELETED}.
		 * @param object the last known state
		 * @param previous the last delivered state
		 * @param finalStateUnknown whether {@code object} may not be the final state
		 */
		public Deleted(T object, T previous, boolean finalStateUnknown) {
			this(object, previous, finalStateUnknown, Reason.DELETED);
		}

		@Override
		public Type type() {
			return Type.DELETED;
		}

		/**
		 * Reasons for a deletion.
		 */
		public enum Reason {

			/**
			 * The object was deleted at the server, or no longer matches the label
			 * selector or field selector of the informer.
			 */
			DELETED,

			/**
			 * The object may exist, but the informer no longer watches it: its namespace
			 * does not match the namespace selector any more, or it has left the
			 * {@link WatchedSet}. Another process may be handling it already: remove only
			 * what this process keeps about it.
			 */
			UNWATCHED,

			/** The object exists, and no longer matches the filter of the handler. */
			FILTERED

		}

	}

	/**
	 * Types of events.
	 */
	enum Type {

		/** See {@link Added}. */
		ADDED,

		/** See {@link Updated}. */
		UPDATED,

		/**
		 * Deleted, no longer matched, or moved to another replica: see {@link Deleted}.
		 */
		DELETED

	}

}
