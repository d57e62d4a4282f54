/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Connection;
import dev.informer.spring.connection.ProxyServer;
import dev.informer.spring.connection.ServerUrl;
import org.jspecify.annotations.Nullable;

/**
 * Validation of the connection properties. No message contains a secret.
 */
final class ConnectionProperties {

	private static final String PREFIX = "informer.connection.";

	private ConnectionProperties() {
	}

	static void check(Connection connection) {
		if (connection.getUrl() == null) {
			checkRequiresUrl(connection);
			return;
		}
		checkUrl(connection.getUrl());
		checkExclusive("kubeconfig", connection.getKubeconfig(), "url", connection.getUrl());
		checkExclusive("context", connection.getContext(), "url", connection.getUrl());
		checkExclusive("ssl.bundle", connection.getSsl().getBundle(), "ca-certificate", connection.getCaCertificate());
		checkExclusive("token", connection.getToken(), "token-file", connection.getTokenFile());
		File tokenFile = connection.getTokenFile();
		if (tokenFile != null && !tokenFile.isFile()) {
			throw new InvalidInformerPropertyException(PREFIX + "token-file",
					"the file " + tokenFile + " does not exist", "Specify a file that contains a bearer token.");
		}
	}

	private static void checkRequiresUrl(Connection connection) {
		Map<String, @Nullable Object> properties = new LinkedHashMap<>();
		properties.put("ca-certificate", connection.getCaCertificate());
		properties.put("ssl.bundle", connection.getSsl().getBundle());
		properties.put("token", connection.getToken());
		properties.put("token-file", connection.getTokenFile());
		properties.put("verify-tls", connection.getVerifyTls());
		properties.forEach((name, value) -> {
			if (value != null) {
				throw new InvalidInformerPropertyException(PREFIX + name,
						"it applies only to the server at informer.connection.url, which is not set",
						"Set informer.connection.url, or remove the property and configure it in the kubeconfig.");
			}
		});
	}

	private static void checkUrl(String url) {
		String problem = ServerUrl.problem(url);
		if (problem != null) {
			throw new InvalidInformerPropertyException(PREFIX + "url", "its value " + problem, ServerUrl.REMEDY);
		}
	}

	static @Nullable ProxyServer proxy(Connection connection) {
		try {
			return (connection.getProxy() != null) ? ProxyServer.at(connection.getProxy()) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInformerPropertyException(PREFIX + "proxy", "its value " + ex.getMessage(),
					ProxyServer.REMEDY);
		}
	}

	private static void checkExclusive(String one, @Nullable Object value, String other, @Nullable Object otherValue) {
		if (value != null && otherValue != null) {
			throw new InvalidInformerPropertyException(PREFIX + one, "it cannot be combined with " + PREFIX + other,
					"Remove one of them.");
		}
	}

}
