/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.client.connection.InvalidConnectionException;
import dev.informer.client.connection.ServerDetails;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Validation of the connection properties. No message contains a secret.
 */
final class ConnectionProperties {

	private static final String PREFIX = "informer.connection.";

	private ConnectionProperties() {
	}

	static void check(Connection connection) {
		if (connection.url() == null) {
			checkRequiresUrl(connection);
			return;
		}
		checkUrl(connection.url());
		checkExclusive("kubeconfig", connection.kubeconfig(), "url", connection.url());
		checkExclusive("context", connection.context(), "url", connection.url());
		checkExclusive("ssl.bundle", connection.ssl().bundle(), "ca-certificate", connection.caCertificate());
		checkExclusive("token", connection.token(), "token-file", connection.tokenFile());
		File tokenFile = connection.tokenFile();
		if (tokenFile != null && !tokenFile.isFile()) {
			throw new InvalidInformerPropertyException(PREFIX + "token-file",
					"the file " + tokenFile + " does not exist", "Specify a file that contains a bearer token.");
		}
	}

	private static void checkRequiresUrl(Connection connection) {
		Map<String, @Nullable Object> properties = new LinkedHashMap<>();
		properties.put("ca-certificate", connection.caCertificate());
		properties.put("ssl.bundle", connection.ssl().bundle());
		properties.put("token", connection.token());
		properties.put("token-file", connection.tokenFile());
		properties.put("verify-tls", connection.verifyTls());
		properties.forEach((name, value) -> {
			if (value != null) {
				throw new InvalidInformerPropertyException(PREFIX + name,
						"it applies only to the server at informer.connection.url, which is not set",
						"Set informer.connection.url, or remove the property and configure it in the kubeconfig.");
			}
		});
	}

	private static void checkUrl(String url) {
		try {
			ServerDetails.checkUrl(url);
		}
		catch (InvalidConnectionException ex) {
			throw invalid(ex);
		}
	}

	/**
	 * Return an exception that names the property of the setting.
	 */
	static InvalidInformerPropertyException invalid(InvalidConnectionException failure) {
		return new InvalidInformerPropertyException(PREFIX + failure.setting(), failure.reason(), failure.action());
	}

	private static void checkExclusive(String one, @Nullable Object value, String other, @Nullable Object otherValue) {
		if (value != null && otherValue != null) {
			throw new InvalidInformerPropertyException(PREFIX + one, "it cannot be combined with " + PREFIX + other,
					"Remove one of them.");
		}
	}

}
