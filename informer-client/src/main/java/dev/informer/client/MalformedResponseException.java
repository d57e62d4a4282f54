/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;

import dev.informer.support.UntrustedText;

/**
 * Thrown when a response is not the expected list or event: invalid JSON, a response of
 * another server, or a missing required part.
 */
public class MalformedResponseException extends IOException {

	/**
	 * Create an exception.
	 * @param message the expected and the actual content; never the content of an object
	 */
	public MalformedResponseException(String message) {
		super(UntrustedText.of(message));
	}

	/**
	 * Create an exception with a cause.
	 * @param message the expected and the actual content; never the content of an object
	 * @param cause the cause
	 */
	public MalformedResponseException(String message, Throwable cause) {
		super(UntrustedText.of(message), cause);
	}

}
