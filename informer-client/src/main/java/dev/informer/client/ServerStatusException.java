/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;

/**
 * Thrown when the API server answers a request with a failure.
 */
public class ServerStatusException extends IOException {

	private final transient ServerStatus status;

	/**
	 * Create an exception.
	 * @param status the failure
	 */
	public ServerStatusException(ServerStatus status) {
		super(status.toString());
		this.status = status;
	}

	/**
	 * Return the failure.
	 * @return the status
	 */
	public ServerStatus status() {
		return this.status;
	}

}
