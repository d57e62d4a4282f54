/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Thrown when an option of an informer or handler has an invalid value.
 */
public class InvalidOptionException extends IllegalArgumentException {

	private final String option;

	/**
	 * Create an exception.
	 * @param option the option, in the words of properties: {@code retry.max-delay}
	 * @param reason the reason, with the value
	 */
	public InvalidOptionException(String option, String reason) {
		super("Option '" + option + "' " + reason);
		this.option = option;
	}

	/**
	 * Return the option.
	 * @return the option, in the words of properties
	 */
	public String option() {
		return this.option;
	}

}
