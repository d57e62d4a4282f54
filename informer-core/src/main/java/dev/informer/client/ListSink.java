/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * Consumer of the items of a list, called while the response is being read.
 *
 * @param <T> the type of the objects
 */
public interface ListSink<T> {

	/**
	 * Return the object of an item that need not be decoded, because it is known in
	 * exactly this state. It is passed to {@link #accept(Object)} in place of the item.
	 * @param state the state that was read of the item
	 * @return the object; {@code null} if the item must be decoded
	 */
	default @Nullable T known(ObjectState state) {
		return null;
	}

	/**
	 * Accept an item.
	 * @param object the decoded object
	 */
	void accept(T object);

	/**
	 * Accept an item that could not be decoded. It exists on the server, so its absence
	 * from the decoded items must not be treated as a deletion.
	 * @param object the part of the object that could be read, and the reason
	 */
	void acceptUndecodable(UndecodableObject object);

}
