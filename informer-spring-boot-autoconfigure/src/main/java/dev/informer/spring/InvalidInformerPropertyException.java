/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import dev.informer.InvalidOptionException;
import org.jspecify.annotations.Nullable;

/**
 * Exception thrown when the value of a property is invalid.
 */
public class InvalidInformerPropertyException extends InformerConfigurationException {

	private final String key;

	/**
	 * Create an exception.
	 * @param key the key of the property
	 * @param reason the reason; never a secret value
	 * @param action the remedy
	 */
	public InvalidInformerPropertyException(String key, String reason, String action) {
		this(key, reason, action, null);
	}

	/**
	 * Create an exception.
	 * @param key the key of the property
	 * @param reason the reason; never a secret value
	 * @param action the remedy
	 * @param cause the cause
	 */
	public InvalidInformerPropertyException(String key, String reason, String action, @Nullable Throwable cause) {
		super("Property '" + key + "' cannot be used: " + reason, action, cause);
		this.key = key;
	}

	/**
	 * Create an exception for options that properties have set.
	 * @param prefix the prefix of the properties
	 * @param cause the cause; if it names the option, the exception names its property
	 * @return the exception
	 */
	public static InvalidInformerPropertyException of(String prefix, IllegalArgumentException cause) {
		String reason = String.valueOf(cause.getMessage());
		if (cause instanceof InvalidOptionException invalid) {
			String key = prefix + "." + invalid.option();
			return new InvalidInformerPropertyException(key, reason,
					"Correct the property " + key + ", or the property, annotation or default that it has to fit.",
					cause);
		}
		return new InvalidInformerPropertyException(prefix, reason, "Correct the properties below " + prefix + ".",
				cause);
	}

	/**
	 * Return the key of the property.
	 * @return the key
	 */
	public String key() {
		return this.key;
	}

}
