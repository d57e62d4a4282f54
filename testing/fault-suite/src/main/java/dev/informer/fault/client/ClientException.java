/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;

/**
 * Failure of a client, not of the suite.
 */
public class ClientException extends IOException {

	/**
	 * Create an exception.
	 */
	public ClientException(String message) {
		super(message);
	}

	ClientException(String message, IOException cause) {
		super(message, cause);
	}

}
