/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

/**
 * What a {@link ObjectDelta} says about its object.
 */
public enum DeltaType {

	/** The server said that it was added. */
	ADDED,

	/** The server said that it was modified. */
	UPDATED,

	/** The server said that it was deleted. */
	DELETED

}
