/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import dev.informer.client.ObjectState;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent.ChangeType;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a {@link Reflector} brings, in the order of the server's changes. Called on
 * the reflector's thread only, and returns without waiting for what becomes of it.
 *
 * @param <T> the type of the objects
 */
public interface ReflectorSink<T> {

	/**
	 * Finds an object that a list says to be unchanged.
	 * @param state the state that the list has
	 * @param history which of the server's histories the list belongs to
	 * @return the object in that state; {@code null} when there is none of this history
	 */
	default @Nullable T known(ObjectState state, long history) {
		return null;
	}

	/**
	 * Takes the whole state.
	 * @param listing the state
	 */
	void replace(Listing<T> listing);

	/**
	 * Takes a change.
	 * @param type what happened
	 * @param object the object after that
	 * @param resourceVersion the version that is reached with it
	 */
	void change(ChangeType type, T object, String resourceVersion);

	/**
	 * Takes the change of an object that could not be decoded.
	 * @param type what happened
	 * @param object what is known of it
	 * @param resourceVersion the version that is reached with it
	 */
	void undecodableChange(ChangeType type, UndecodableObject object, String resourceVersion);

	/**
	 * Takes the news that nothing has changed up to a version.
	 * @param resourceVersion the version
	 */
	void progress(String resourceVersion);

}
