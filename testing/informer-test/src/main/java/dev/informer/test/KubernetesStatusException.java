/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import tools.jackson.databind.node.ObjectNode;

/**
 * Exception for a request that the server rejects, with its {@code Status} object.
 */
public final class KubernetesStatusException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int code;

	private final String reason;

	private final transient ObjectNode status;

	KubernetesStatusException(ObjectNode status) {
		super(status.path("message").asString(""));
		this.code = status.path("code").asInt(500);
		this.reason = status.path("reason").asString("");
		this.status = status;
	}

	/**
	 * Return the HTTP status code.
	 * @return the code, for instance 404
	 */
	public int code() {
		return this.code;
	}

	/**
	 * Return the reason.
	 * @return the reason, for instance {@code NotFound}; empty if the server gives none
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Return the {@code Status} object as sent in the response.
	 * @return a copy
	 */
	public ObjectNode status() {
		return this.status.deepCopy();
	}

}
