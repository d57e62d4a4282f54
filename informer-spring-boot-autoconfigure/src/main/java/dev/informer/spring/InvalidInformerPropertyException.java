/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import org.jspecify.annotations.Nullable;

/**
 * A property that is there but cannot be what is meant.
 */
public class InvalidInformerPropertyException extends IllegalStateException {

	private final String key;

	private final String action;

	/**
	 * Creates an exception.
	 * @param key the key of the property
	 * @param reason what is wrong with it; never a secret value
	 * @param action what to do about it
	 */
	public InvalidInformerPropertyException(String key, String reason, String action) {
		this(key, reason, action, null);
	}

	/**
	 * Creates an exception.
	 * @param key the key of the property
	 * @param reason what is wrong with it; never a secret value
	 * @param action what to do about it
	 * @param cause what was thrown
	 */
	public InvalidInformerPropertyException(String key, String reason, String action, @Nullable Throwable cause) {
		super("Property '" + key + "' cannot be used: " + reason, cause);
		this.key = key;
		this.action = action;
	}

	/**
	 * The key of the property.
	 * @return the key
	 */
	public String key() {
		return this.key;
	}

	/**
	 * What to do about it.
	 * @return an instruction
	 */
	public String action() {
		return this.action;
	}

}
