/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * Takes the items of a list one by one, while the response is being read.
 *
 * @param <T> the type of the objects
 */
public interface ListSink<T> {

	/**
	 * Says that nothing more of an item has to be decoded, because it is known in this
	 * very state.
	 * @param state what was read of the item
	 * @return the object, which is then handed over instead; {@code null} when the item
	 * has to be decoded
	 */
	default @Nullable T known(ObjectState state) {
		return null;
	}

	/**
	 * Takes an item.
	 * @param object the decoded object
	 */
	void accept(T object);

	/**
	 * Takes notice of an item that could not be decoded. It is there at the server all
	 * the same, so its absence must not be read as a deletion.
	 * @param object what could be read of it
	 */
	void acceptUndecodable(UndecodableObject object);

}
