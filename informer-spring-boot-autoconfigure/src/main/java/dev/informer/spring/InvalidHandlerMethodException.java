/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.lang.reflect.Method;

/**
 * A method annotated with {@link dev.informer.spring.InformerHandler} that cannot work.
 */
public class InvalidHandlerMethodException extends IllegalStateException {

	private final transient Method method;

	private final String action;

	/**
	 * Creates an exception.
	 * @param method the method
	 * @param found what is wrong with it
	 * @param action what to do about it
	 */
	public InvalidHandlerMethodException(Method method, String found, String action) {
		super("Method '" + method.getName() + "' of class '" + method.getDeclaringClass().getName()
				+ "' cannot be an @InformerHandler: " + found);
		this.method = method;
		this.action = action;
	}

	/**
	 * The method.
	 * @return the method
	 */
	public Method method() {
		return this.method;
	}

	/**
	 * What to do about it.
	 * @return an instruction, may have several lines
	 */
	public String action() {
		return this.action;
	}

}
