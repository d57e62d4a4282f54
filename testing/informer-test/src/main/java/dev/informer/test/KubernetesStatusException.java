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

	/**
	 * Create an exception.
	 * @param status the {@code Status} object, with code, reason and message
	 */
	public KubernetesStatusException(ObjectNode status) {
		this(status, "");
	}

	/**
	 * Create an exception with a remedy, which is in the message only: the {@code Status}
	 * object is that of the real server.
	 */
	KubernetesStatusException(ObjectNode status, String remedy) {
		super(status.path("message").asString("") + remedy);
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
