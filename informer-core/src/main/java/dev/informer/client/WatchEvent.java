/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

/**
 * One event of a watch.
 *
 * @param <T> the type of the objects
 */
public sealed interface WatchEvent<T> {

	/**
	 * An object was added, modified or deleted.
	 *
	 * @param <T> the type of the object
	 * @param type what happened to it
	 * @param object its state after that; of a deleted one the last state, with the
	 * resource version of the deletion
	 */
	record Change<T>(ChangeType type, T object) implements WatchEvent<T> {
	}

	/**
	 * Something happened to an object that could not be decoded.
	 *
	 * @param <T> the type that it should have had
	 * @param type what happened to it
	 * @param object what could be read of it
	 */
	record Undecodable<T>(ChangeType type, UndecodableObject object) implements WatchEvent<T> {
	}

	/**
	 * All changes up to a resource version have been sent.
	 *
	 * @param <T> the type of the objects watched
	 * @param resourceVersion the version that the watch has reached
	 * @param initialEventsEnd whether the annotation {@code k8s.io/initial-events-end} is
	 * exactly {@code "true"}
	 */
	record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {
	}

	/**
	 * The server gives the watch up.
	 *
	 * @param <T> the type of the objects watched
	 * @param status why
	 */
	record Failure<T>(ServerStatus status) implements WatchEvent<T> {
	}

	/**
	 * What can happen to an object.
	 */
	enum ChangeType {

		/** It was created, or matches the selector now. */
		ADDED,

		/** It was changed. */
		MODIFIED,

		/** It was deleted, or does not match the selector any more. */
		DELETED

	}

}
