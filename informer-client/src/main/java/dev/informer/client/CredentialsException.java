/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;

/**
 * Thrown by an interceptor of the client when a request has no credentials, because the
 * file, the command or the provider that they come from fails. Informers report it as
 * {@code UNAUTHORIZED}.
 */
public class CredentialsException extends IOException {

	/**
	 * Create an exception.
	 * @param message the reason and the remedy; never a secret
	 */
	public CredentialsException(String message) {
		super(message);
	}

}
