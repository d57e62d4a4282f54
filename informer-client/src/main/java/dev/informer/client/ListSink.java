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
public interface ListSink<T> extends ObjectLookup<T> {

	/**
	 * Find the object of an item. It is passed to {@link #accept(Object)} in place of a
	 * decoded one; an item that is not wanted is skipped.
	 */
	@Override
	default @Nullable Found<T> find(ObjectState state) {
		return null;
	}

	/**
	 * Accept an item.
	 * @param object the decoded or the found object
	 */
	void accept(T object);

	/**
	 * Accept an item that could not be decoded. It exists on the server, so its absence
	 * from the decoded items must not be treated as a deletion.
	 * @param object the part of the object that could be read, and the reason
	 */
	void acceptUndecodable(UndecodableObject object);

}
