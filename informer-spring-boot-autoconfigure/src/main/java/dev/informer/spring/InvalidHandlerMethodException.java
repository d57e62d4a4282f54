/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.lang.reflect.Method;

/**
 * Exception thrown when a method annotated with {@link InformerHandler} is invalid.
 */
public class InvalidHandlerMethodException extends IllegalStateException {

	private final transient Method method;

	private final String action;

	/**
	 * Create an exception.
	 * @param method the method
	 * @param reason the reason
	 * @param action the remedy
	 */
	public InvalidHandlerMethodException(Method method, String reason, String action) {
		super("Method '" + method.getName() + "' of class '" + method.getDeclaringClass().getName()
				+ "' cannot be an @InformerHandler: " + reason);
		this.method = method;
		this.action = action;
	}

	/**
	 * Return the method.
	 * @return the method
	 */
	public Method method() {
		return this.method;
	}

	/**
	 * Return the remedy.
	 * @return the remedy, possibly with several lines
	 */
	public String action() {
		return this.action;
	}

}
