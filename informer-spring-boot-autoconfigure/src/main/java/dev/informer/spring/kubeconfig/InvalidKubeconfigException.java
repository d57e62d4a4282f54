/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.kubeconfig;

/**
 * Thrown when a kubeconfig is unusable. The message contains file, line and key, but no
 * value that may be secret.
 */
public class InvalidKubeconfigException extends IllegalStateException {

	private final String action;

	/**
	 * Create an exception.
	 * @param location the file and the line
	 * @param key the path of the key, or an empty text for the whole file
	 * @param reason the reason as a predicate of the key, without secrets
	 * @param action the remedy
	 */
	public InvalidKubeconfigException(String location, String key, String reason, String action) {
		super("Cannot use kubeconfig " + location + ": " + (key.isEmpty() ? "it" : "'" + key + "'") + " " + reason);
		this.action = action;
	}

	/**
	 * Return the remedy.
	 * @return the remedy
	 */
	public String action() {
		return this.action;
	}

}
