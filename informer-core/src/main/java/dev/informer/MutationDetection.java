/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Reaction to code that modifies objects of the cache, which all handlers and readers
 * share. Detection writes every cached object as JSON when it is stored and again every
 * second, and the objects of an event before and after every invocation of a handler. Use
 * it in tests, not in production.
 */
public enum MutationDetection {

	/**
	 * Mutations are not detected.
	 */
	OFF,

	/**
	 * Mutations are logged and published to the {@link InformerListener}s.
	 */
	LOG,

	/**
	 * Like {@link #LOG}; in addition, the invocation of a handler that modifies an object
	 * fails with an {@link IllegalStateException}.
	 */
	FAIL

}
