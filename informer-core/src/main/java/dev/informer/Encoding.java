/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Encoding of lists and watches that an informer requests.
 */
public enum Encoding {

	/**
	 * Protobuf for the built-in types and for metadata alone, JSON for all others.
	 * Responses are decoded by their content type, so a server may answer in JSON.
	 */
	AUTO,

	/**
	 * JSON.
	 */
	JSON

}
