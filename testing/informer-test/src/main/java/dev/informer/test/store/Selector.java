/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

/**
 * Condition on objects.
 */
@FunctionalInterface
public interface Selector {

	/**
	 * Selector that matches all objects.
	 */
	Selector EVERYTHING = (object) -> true;

	boolean matches(StoredObject object);

	default Selector and(Selector other) {
		if (this == EVERYTHING) {
			return other;
		}
		return (other == EVERYTHING) ? this : (object) -> matches(object) && other.matches(object);
	}

}
