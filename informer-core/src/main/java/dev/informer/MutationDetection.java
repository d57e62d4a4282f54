/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * What to do about code that changes the objects of the local copy, which all handlers
 * and readers share. Finding it costs a digest of the JSON of every object that is
 * stored, of all of them again every second, and of the event's objects before and after
 * every call of a handler: for tests, not for production.
 */
public enum MutationDetection {

	/** Nothing is looked for. */
	OFF,

	/** A change is logged and told to the {@link InformerListener}. */
	LOG,

	/**
	 * As {@link #LOG}, and a handler that changes an object fails as if it had thrown an
	 * exception.
	 */
	FAIL

}
