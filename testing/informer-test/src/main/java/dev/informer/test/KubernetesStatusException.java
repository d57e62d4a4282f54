/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import tools.jackson.databind.node.ObjectNode;

/**
 * What the server refuses to do, with the {@code Status} object that it answers.
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
	 * The HTTP status code.
	 * @return for instance 404
	 */
	public int code() {
		return this.code;
	}

	/**
	 * The reason in one word.
	 * @return for instance {@code NotFound}, empty when the server gives none
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * The {@code Status} object that goes over the wire.
	 * @return a copy
	 */
	public ObjectNode status() {
		return this.status.deepCopy();
	}

}
