/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

/**
 * Consumer of the items of a list, called while the response is being read.
 *
 * @param <T> the type of the objects
 */
public interface ListSink<T> {

	/**
	 * Return the lookup of objects that need not be decoded again. An object that it
	 * finds is passed to {@link #accept(Object)} in place of the item.
	 * @return the lookup; finds nothing by default
	 */
	default KnownObjects<T> knownObjects() {
		return KnownObjects.none();
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
