/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

/**
 * Message that does not follow the protobuf encoding, or has other types of fields than
 * its table.
 */
final class MalformedMessageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception without stack trace: its message says all.
	 */
	MalformedMessageException(String message) {
		super(message, null, false, false);
	}

}
