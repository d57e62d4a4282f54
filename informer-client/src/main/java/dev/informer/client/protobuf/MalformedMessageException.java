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

	private static final int MAX_PATH = 200;

	private final String problem;

	private final StringBuilder path = new StringBuilder();

	/**
	 * Create an exception without stack trace: its message says all.
	 */
	MalformedMessageException(String problem) {
		super(problem, null, false, false);
		this.problem = problem;
	}

	/**
	 * Add the property that contains the problem, inner ones first.
	 */
	MalformedMessageException in(String property) {
		this.path.insert(0, this.path.isEmpty() ? property : property + ".");
		this.path.setLength(Math.min(this.path.length(), MAX_PATH));
		return this;
	}

	@Override
	public String getMessage() {
		return this.path.isEmpty() ? this.problem : this.path + ": " + this.problem;
	}

}
