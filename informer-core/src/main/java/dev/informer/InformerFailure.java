/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Instant;

/**
 * Failure of an informer or one of its handlers, with a remedy.
 *
 * @param kind the kind of failure
 * @param message the description for operators: what failed, why, and what to change. It
 * never contains the content of an object or a credential
 * @param time the time of the failure
 * @param cause the exception or error
 */
public record InformerFailure(Kind kind, String message, Instant time, Throwable cause) {

	/**
	 * Kinds of failures.
	 */
	public enum Kind {

		/**
		 * The server is unreachable or the connection broke.
		 */
		UNREACHABLE,

		/**
		 * 401: the server did not accept the credentials.
		 */
		UNAUTHORIZED,

		/**
		 * 403: a permission is missing.
		 */
		FORBIDDEN,

		/**
		 * 404: the server does not serve the resource.
		 */
		NOT_FOUND,

		/**
		 * 400: the server rejected the request, for example because of a selector.
		 */
		INVALID,

		/**
		 * 410: the resource version has expired; a relist follows.
		 */
		EXPIRED,

		/**
		 * 429 or 5xx: the server is overloaded or unavailable.
		 */
		OVERLOADED,

		/**
		 * The response is not one of a Kubernetes API server.
		 */
		MALFORMED_RESPONSE,

		/**
		 * The objects are larger than the {@linkplain InformerOptions#maxSize() maximum
		 * size}.
		 */
		SIZE_LIMIT,

		/**
		 * An object does not match its model.
		 */
		UNDECODABLE_OBJECT,

		/**
		 * A transform failed for one object, or returned another object.
		 */
		TRANSFORM,

		/**
		 * An index function failed.
		 */
		INDEX_FUNCTION,

		/**
		 * An object of the cache was modified.
		 */
		MUTATED_OBJECT,

		/**
		 * A handler failed; its event will be retried.
		 */
		HANDLER,

		/**
		 * A handler failed and its retries are exhausted.
		 */
		HANDLER_RETRIES_EXHAUSTED,

		/**
		 * The filter of a handler failed.
		 */
		HANDLER_FILTER,

		/**
		 * Any other failure.
		 */
		OTHER

	}

}
