/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

/**
 * Thrown when well-formed JSON does not fit the model.
 */
class UndecodableValueException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UndecodableValueException(String path, String expected) {
		super((path.isEmpty() ? "" : path + ": ") + "expected " + expected, null, false, false);
	}

}
