/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

/**
 * Exception thrown when an injection point of an informer or a lister cannot be resolved.
 */
public class InvalidInjectionPointException extends InformerConfigurationException {

	/**
	 * Create an exception.
	 * @param place the constructor, method or field
	 * @param reason the reason
	 * @param action the remedy
	 */
	public InvalidInjectionPointException(Object place, String reason, String action) {
		super("No informer or lister can be given to " + place + ": " + reason, action, null);
	}

}
