/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

/**
 * A bean asks for an informer or a lister that it cannot be given.
 */
public class InvalidInjectionPointException extends IllegalStateException {

	private final String action;

	/**
	 * Creates an exception.
	 * @param place the constructor, method or field
	 * @param reason what is wrong
	 * @param action what to do about it
	 */
	public InvalidInjectionPointException(Object place, String reason, String action) {
		super("No informer or lister can be given to " + place + ": " + reason);
		this.action = action;
	}

	/**
	 * What to do about it.
	 * @return an instruction
	 */
	public String action() {
		return this.action;
	}

}
