/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Event of a watch.
 *
 * @param <T> the type of the objects
 */
public sealed interface WatchEvent<T> {

	/**
	 * Return the state of the object.
	 * @return the state after the change; {@link ObjectState#NONE} without an object
	 */
	default ObjectState state() {
		return ObjectState.NONE;
	}

	/**
	 * An object was added, modified or deleted.
	 *
	 * @param <T> the type of the object
	 * @param type the type of the change
	 * @param object the state after the change; for a deletion, the last state with the
	 * resource version of the deletion
	 */
	record Change<T>(ChangeType type, T object) implements WatchEvent<T> {

		@Override
		public ObjectState state() {
			return (this.object instanceof KubernetesObject known) ? ObjectState.of(known) : ObjectState.NONE;
		}

	}

	/**
	 * An object that could not be decoded was added, modified or deleted.
	 *
	 * @param <T> the expected type of the object
	 * @param type the type of the change
	 * @param object the part of the object that could be read, and the reason
	 */
	record Undecodable<T>(ChangeType type, UndecodableObject object) implements WatchEvent<T> {

		@Override
		public ObjectState state() {
			return this.object.state();
		}

	}

	/**
	 * An object that is not wanted was added, modified or deleted.
	 *
	 * @param <T> the type of the watched objects
	 * @param type the type of the change
	 * @param state the state after the change
	 */
	record Unwanted<T>(ChangeType type, ObjectState state) implements WatchEvent<T> {
	}

	/**
	 * All changes up to a resource version have been sent.
	 *
	 * @param <T> the type of the watched objects
	 * @param resourceVersion the resource version that the watch has reached
	 * @param initialEventsEnd whether the annotation {@code k8s.io/initial-events-end} is
	 * exactly {@code "true"}
	 */
	record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {
	}

	/**
	 * The server terminated the watch with an ERROR event.
	 *
	 * @param <T> the type of the watched objects
	 * @param status the reason
	 */
	record Failure<T>(ServerStatus status) implements WatchEvent<T> {
	}

	/**
	 * Type of a change.
	 */
	enum ChangeType {

		/** The object was created, or began to match the selector. */
		ADDED,

		/** The object was modified. */
		MODIFIED,

		/** The object was deleted, or no longer matches the selector. */
		DELETED

	}

}
