/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Validation of the URLs of API servers. No message contains the URL: its user
 * information may be a secret.
 */
public final class ServerUrl {

	/**
	 * Remedy for an invalid URL of an API server.
	 */
	public static final String REMEDY = "Specify a URL such as https://10.0.0.1:6443.";

	private ServerUrl() {
	}

	/**
	 * Check the URL of an API server.
	 * @param url the URL
	 * @return the problem as a predicate of the URL; {@code null} if it is valid
	 */
	public static @Nullable String problem(String url) {
		try {
			URI uri = new URI(url);
			if (uri.getRawUserInfo() != null || String.valueOf(uri.getRawAuthority()).contains("@")) {
				return "contains user information, which is not supported";
			}
			if (uri.getHost() == null || !isOneOf(uri, "http", "https")) {
				return "is not the URL of an API server";
			}
			return (uri.getRawQuery() != null || uri.getRawFragment() != null) ? "contains a query or a fragment"
					: null;
		}
		catch (URISyntaxException ex) {
			return "is not the URL of an API server";
		}
	}

	private static boolean isOneOf(URI uri, String... schemes) {
		for (String scheme : schemes) {
			if (scheme.equals(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT))) {
				return true;
			}
		}
		return false;
	}

}
