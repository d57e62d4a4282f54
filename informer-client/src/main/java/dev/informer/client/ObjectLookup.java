/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import org.jspecify.annotations.Nullable;

/**
 * Lookup of objects that need not be decoded. It is used as soon as the metadata of an
 * object have been read; the rest of an object that was found is skipped.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ObjectLookup<T> {

	/**
	 * Find an object.
	 * @param state the state that was read
	 * @return what to use in place of a decoded object; {@code null} if the object must
	 * be decoded
	 */
	@Nullable Found<T> find(ObjectState state);

	/**
	 * Return whether decoded objects may share parts with others, so that none is
	 * modified.
	 * @return whether parts are shared
	 */
	default boolean shares() {
		return false;
	}

	/**
	 * Return an earlier state of an object that has to be decoded. Its parts are used for
	 * the decoded object where they are equal.
	 * @param state the state that was read
	 * @return the object in another state; {@code null} if none is known
	 */
	default @Nullable T earlier(ObjectState state) {
		return null;
	}

	/**
	 * Return what accepts the sizes of objects. Without it, no size is computed.
	 * @return the meter; {@code null} for none
	 */
	default @Nullable Meter<T> meter() {
		return null;
	}

	/**
	 * Accepts the sizes of objects.
	 *
	 * @param <T> the type of the objects
	 */
	@FunctionalInterface
	interface Meter<T> {

		/**
		 * Accept the size of an object of a list, or of one that was added or modified,
		 * before the object itself. An exception ends the response.
		 * @param object the decoded or the found object
		 * @param bytes the number of bytes that the server has sent for it, after
		 * decompression
		 */
		void received(T object, long bytes);

	}

	/**
	 * Object that need not be decoded.
	 *
	 * @param <T> the type of the object
	 * @param object the object, which is known in exactly this state; {@code null} if the
	 * object is not wanted
	 */
	record Found<T>(@Nullable T object) {

		private static final Found<?> UNWANTED = new Found<>(null);

		/**
		 * Return the result for an object that is not wanted.
		 * @param <T> the type of the object
		 * @return the result
		 */
		@SuppressWarnings("unchecked")
		public static <T> Found<T> unwanted() {
			return (Found<T>) UNWANTED;
		}

	}

}
