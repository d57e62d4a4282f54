/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import org.jspecify.annotations.Nullable;

/**
 * Exception thrown when the application has to be changed before it can start: its code,
 * its properties, or its permissions.
 */
public class InformerConfigurationException extends IllegalStateException {

	private final String action;

	/**
	 * Create an exception.
	 * @param message the failure and its reason; never a secret value
	 * @param action the remedy in the imperative
	 * @param cause the cause; {@code null} for none
	 */
	public InformerConfigurationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	/**
	 * Return what to change.
	 * @return the remedy, possibly with several lines
	 */
	public String action() {
		return this.action;
	}

}
