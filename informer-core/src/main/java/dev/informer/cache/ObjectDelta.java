/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import org.jspecify.annotations.Nullable;

/**
 * One change of one object, as a watch brought it.
 *
 * @param <T> the type of the objects
 * @param type what happened
 * @param object the state after that; {@code null} only for a deletion whose final state
 * is not known
 */
public record ObjectDelta<T>(DeltaType type, @Nullable T object) {

	boolean isDeletion() {
		return this.type == DeltaType.DELETED;
	}

}
