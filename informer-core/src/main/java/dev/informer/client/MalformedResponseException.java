/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;

/**
 * What was read is not the list or the event that it should be: broken JSON, an answer
 * that is none of the API server's, a missing part that nothing works without.
 */
public class MalformedResponseException extends IOException {

	/**
	 * Creates an exception.
	 * @param message what was expected and what was there instead; never an object's
	 * content
	 */
	public MalformedResponseException(String message) {
		super(message);
	}

	/**
	 * Creates an exception.
	 * @param message what was expected and what was there instead; never an object's
	 * content
	 * @param cause what noticed it
	 */
	public MalformedResponseException(String message, Throwable cause) {
		super(message, cause);
	}

}
