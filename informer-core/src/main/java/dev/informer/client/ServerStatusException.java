/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;

/**
 * The API server answered, but not with what was asked for.
 */
public class ServerStatusException extends IOException {

	private final transient ServerStatus status;

	/**
	 * Creates an exception for an answer.
	 * @param status what the server said
	 */
	public ServerStatusException(ServerStatus status) {
		super(status.toString());
		this.status = status;
	}

	/**
	 * What the server said.
	 * @return the status
	 */
	public ServerStatus status() {
		return this.status;
	}

}
