/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Checks that what the connection properties say fits together. No message contains a
 * secret.
 */
final class ConnectionProperties {

	private static final String PREFIX = "informer.connection.";

	private ConnectionProperties() {
	}

	static void check(Connection connection) {
		if (connection.getUrl() == null) {
			checkNoneOf(connection);
			return;
		}
		checkUrl(connection.getUrl());
		checkApart("kubeconfig", connection.getKubeconfig(), "url", connection.getUrl());
		checkApart("context", connection.getContext(), "url", connection.getUrl());
		checkApart("token", connection.getToken(), "token-file", connection.getTokenFile());
		File tokenFile = connection.getTokenFile();
		if (tokenFile != null && !tokenFile.isFile()) {
			throw new InvalidInformerPropertyException(PREFIX + "token-file", "there is no file " + tokenFile,
					"Name a file that contains a bearer token.");
		}
	}

	private static void checkNoneOf(Connection connection) {
		Map<String, @Nullable Object> companions = new LinkedHashMap<>();
		companions.put("ca-certificate", connection.getCaCertificate());
		companions.put("token", connection.getToken());
		companions.put("token-file", connection.getTokenFile());
		companions.put("verify-tls", connection.getVerifyTls());
		companions.forEach((name, value) -> {
			if (value != null) {
				throw new InvalidInformerPropertyException(PREFIX + name,
						"it belongs to the server at informer.connection.url, which is not set",
						"Set informer.connection.url, or remove the property: a kubeconfig has its own.");
			}
		});
	}

	private static void checkUrl(String url) {
		try {
			URI uri = new URI(url);
			if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
				return;
			}
		}
		catch (URISyntaxException ex) {
			// refused below
		}
		throw new InvalidInformerPropertyException(PREFIX + "url", "'" + url + "' is no URL of an API server",
				"Give a URL such as https://10.0.0.1:6443.");
	}

	private static void checkApart(String one, @Nullable Object value, String other, @Nullable Object otherValue) {
		if (value != null && otherValue != null) {
			throw new InvalidInformerPropertyException(PREFIX + one,
					"it is given together with " + PREFIX + other + ", and only one of them can be used",
					"Remove one of the two.");
		}
	}

}
