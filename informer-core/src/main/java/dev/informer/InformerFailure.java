/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Instant;

/**
 * Something that went wrong and what to do about it.
 *
 * @param kind what sort of failure it is
 * @param message what failed, why, and what has to be changed, in words for whoever runs
 * the application; never an object's content or a credential
 * @param time when it happened
 * @param cause what was thrown
 */
public record InformerFailure(Kind kind, String message, Instant time, Throwable cause) {

	/**
	 * The sorts of failures.
	 */
	public enum Kind {

		/** The server cannot be reached, or the connection broke. */
		UNREACHABLE,

		/** 401: the server does not know who is asking. */
		UNAUTHORIZED,

		/** 403: a right is missing. */
		FORBIDDEN,

		/** 404: the server does not serve the resource. */
		NOT_FOUND,

		/** 400: the server does not understand the request, a selector for instance. */
		INVALID,

		/** 410: the history asked for is gone, which only costs a new list. */
		EXPIRED,

		/** 429 and 5xx: the server cannot answer now. */
		OVERLOADED,

		/** The answer is not what a Kubernetes API server sends. */
		MALFORMED_RESPONSE,

		/** One object does not fit its model. */
		UNDECODABLE_OBJECT,

		/** A transform has thrown for one object, or has not returned that object. */
		TRANSFORM,

		/** An index function has thrown. */
		INDEX_FUNCTION,

		/** Somebody has changed an object of the local copy. */
		MUTATED_OBJECT,

		/** A handler has thrown and is told again. */
		HANDLER,

		/** A handler has thrown and is not told again. */
		HANDLER_GAVE_UP,

		/** The filter of a handler has thrown. */
		HANDLER_FILTER,

		/** Anything else. */
		OTHER

	}

}
