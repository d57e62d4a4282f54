/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Thrown when no object of a resource can be decoded into the class of an informer.
 */
public class UndecodableTypeException extends IllegalArgumentException {

	private final transient Class<?> type;

	/**
	 * Create an exception.
	 * @param type the class of the objects
	 * @param cause the reason
	 */
	public UndecodableTypeException(Class<?> type, IllegalArgumentException cause) {
		super(cause.getMessage(), cause);
		this.type = type;
	}

	/**
	 * Return the class of the objects.
	 * @return the class
	 */
	public Class<?> type() {
		return this.type;
	}

}
