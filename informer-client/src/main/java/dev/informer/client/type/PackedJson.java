/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

/**
 * Value that remains JSON until its first access.
 */
public interface PackedJson {

	/**
	 * Return whether neither value has been accessed yet and both have the same JSON.
	 */
	boolean hasSameJson(Object other);

}
