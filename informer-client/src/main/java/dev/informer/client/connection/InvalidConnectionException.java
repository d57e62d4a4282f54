/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a setting of the connection or a kubeconfig is unusable. The message of one
 * for a kubeconfig contains file, line and key. No message contains a value that may be
 * secret.
 */
public final class InvalidConnectionException extends IllegalStateException {

	private final @Nullable String setting;

	private final String reason;

	private final String action;

	private InvalidConnectionException(String message, @Nullable String setting, String reason, String action) {
		super(message);
		this.setting = setting;
		this.reason = reason;
		this.action = action;
	}

	static InvalidConnectionException ofSetting(String setting, String reason, String action) {
		return new InvalidConnectionException("Setting '" + setting + "' of the connection cannot be used: " + reason,
				setting, reason, action);
	}

	/**
	 * Create an exception for a file and a line. An empty key is the whole file.
	 */
	static InvalidConnectionException ofKubeconfig(String location, String key, String reason, String action) {
		return new InvalidConnectionException(
				"Cannot use kubeconfig " + location + ": " + (key.isEmpty() ? "it" : "'" + key + "'") + " " + reason,
				null, reason, action);
	}

	/**
	 * Return the name of the setting, as {@link ConnectionSettings} has it.
	 * @return the name; {@code null} if a kubeconfig is unusable
	 */
	public @Nullable String setting() {
		return this.setting;
	}

	/**
	 * Return the reason, without setting, file, line and key.
	 * @return the reason
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Return the remedy.
	 * @return the remedy
	 */
	public String action() {
		return this.action;
	}

}
