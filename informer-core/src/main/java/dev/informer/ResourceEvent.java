/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * What a handler is told about one object. The events that one handler is told about one
 * object fit together: they come in order, never overlap, and the previous object of an
 * update or a deletion is the one that this handler was told last. What it has thrown for
 * does not count as told, unless it is not told so again.
 * <p>
 * The objects are shared with the store and with the other handlers and must not be
 * changed.
 *
 * @param <T> the type of the object
 */
public sealed interface ResourceEvent<T extends KubernetesObject> {

	/**
	 * What kind of event this is.
	 * @return the type
	 */
	Type type();

	/**
	 * The object: its new state, or of a deleted one the last state known.
	 * @return the object
	 */
	T object();

	/**
	 * What this handler was told last about the object.
	 * @return the previous object, {@code null} for an added one
	 */
	@Nullable T previous();

	/**
	 * Whether nothing has changed and the event is there because the handler asked to be
	 * told again and again.
	 * @return whether this is a resync
	 */
	default boolean resync() {
		return false;
	}

	/**
	 * An object that this handler was not told about before.
	 *
	 * @param <T> the type of the object
	 * @param object the object
	 * @param initialList whether it was there already when the handler began to listen
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
	 * A new state of an object, the same one by its UID.
	 *
	 * @param <T> the type of the object
	 * @param previous what this handler was told last
	 * @param object the new state; the very same instance when this is a resync
	 */
	record Updated<T extends KubernetesObject>(T previous, T object) implements ResourceEvent<T> {

		@Override
		public Type type() {
			return Type.UPDATED;
		}

		@Override
		public boolean resync() {
			return this.previous == this.object;
		}

	}

	/**
	 * An object that is gone: deleted at the server, or not matched by the informer's
	 * selector any more.
	 *
	 * @param <T> the type of the object
	 * @param object the last state known
	 * @param previous what this handler was told last
	 * @param finalStateUnknown whether the deletion itself was missed, so that
	 * {@code object} may not be the state in which the object was deleted
	 */
	record Deleted<T extends KubernetesObject>(T object, T previous,
			boolean finalStateUnknown) implements ResourceEvent<T> {

		@Override
		public Type type() {
			return Type.DELETED;
		}

	}

	/**
	 * The kinds of events.
	 */
	enum Type {

		/** See {@link Added}. */
		ADDED,

		/** See {@link Updated}. */
		UPDATED,

		/** Deleted, or not matched by the selector any more: see {@link Deleted}. */
		DELETED

	}

}
