/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * Lookup of objects that the cache already holds in the state that a list shows. A list
 * takes such an object over instead of decoding the item again.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface KnownObjects<T> {

	/**
	 * Find the cached object in exactly this state.
	 * @param state the state that was read of the item
	 * @return the object, or {@code null} if the item must be decoded
	 */
	@Nullable T find(ObjectState state);

	/**
	 * Return a lookup that finds nothing, so that every item is decoded.
	 * @param <T> the type of the objects
	 * @return the empty lookup
	 */
	static <T> KnownObjects<T> none() {
		return (state) -> null;
	}

}
