/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.lang.reflect.InvocationTargetException;

import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a value of a user's object cannot be copied or written. Names the path of
 * the property.
 */
final class InvalidValueException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private static final int MAX_LENGTH = 200;

	private final String path;

	private final String problem;

	/**
	 * Create an exception.
	 * @param problem the problem and, after a full stop, the remedy without its own one
	 */
	InvalidValueException(String problem) {
		this("", problem, null);
	}

	private InvalidValueException(String path, String problem, @Nullable Throwable cause) {
		super("Invalid value" + (path.isEmpty() ? "" : " of " + UntrustedText.of(path, MAX_LENGTH)) + ": " + problem
				+ ".", cause);
		this.path = path;
		this.problem = problem;
	}

	/**
	 * Return the failure of code of the user.
	 */
	static InvalidValueException thrown(String code, Throwable failure) {
		Throwable cause = (failure instanceof InvocationTargetException wrapper) ? wrapper.getTargetException()
				: failure;
		return new InvalidValueException("", code + " threw " + cause.getClass().getName(), cause);
	}

	/**
	 * Return this failure as one of a part of an object.
	 */
	InvalidValueException in(String property) {
		String longer = this.path.isEmpty() ? property : property + "." + this.path;
		return new InvalidValueException(longer.substring(0, Math.min(longer.length(), 2 * MAX_LENGTH)), this.problem,
				getCause());
	}

}
