/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * Exception thrown when a method annotated with {@link InformerHandler},
 * {@link InformerReconciler} or {@link InformerCleanup} is invalid.
 */
public class InvalidHandlerMethodException extends InformerConfigurationException {

	/**
	 * Create an exception.
	 * @param method the method
	 * @param annotation the annotation, such as {@code @InformerHandler}
	 * @param reason the reason
	 * @param action the remedy
	 * @param cause the cause; {@code null} for none
	 */
	public InvalidHandlerMethodException(Method method, String annotation, String reason, String action,
			@Nullable Throwable cause) {
		super("Method '" + method.getName() + "' of class '" + method.getDeclaringClass().getName() + "' cannot be an "
				+ annotation + ": " + reason, action, cause);
	}

}
