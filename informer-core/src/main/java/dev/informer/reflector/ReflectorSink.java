/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.Map;

import dev.informer.cache.Delta;
import dev.informer.client.ObjectState;
import org.jspecify.annotations.Nullable;

/**
 * Consumer of the deltas of a {@link Reflector}, in the order of the server's changes. It
 * is called on the reflector's thread and does not wait until a delta is applied.
 *
 * @param <T> the type of the objects
 */
public interface ReflectorSink<T> {

	/**
	 * Accept the next delta.
	 * @param delta the delta
	 */
	void accept(Delta<T> delta);

	/**
	 * Return a cached object that a list contains in the same state, so that it is not
	 * decoded again.
	 * @param namespace the namespace of the list, empty for all of them
	 * @param epoch the epoch of the list, see {@link Delta}
	 * @param state the state that the list contains
	 * @return the object in that state; {@code null} when none of this epoch is cached
	 */
	default @Nullable T known(String namespace, long epoch, ObjectState state) {
		return null;
	}

	/**
	 * Return the cached objects of a namespace at a resource version.
	 * @param namespace the namespace, empty for all of them
	 * @param resourceVersion the resource version
	 * @return a new map of their states by key; {@code null} if the cache is at another
	 * version, because deltas are queued
	 */
	default @Nullable Map<String, ObjectState> cachedAt(String namespace, String resourceVersion) {
		return null;
	}

}
