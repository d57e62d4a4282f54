/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.Supplier;

import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * API server and how to connect to it. Its text contains no secrets.
 *
 * @param serverName the name that the certificate of the server is for; {@code null} for
 * the host of the URL
 * @param proxy the proxy; {@code null} for that of the JVM
 */
record Server(String url, boolean verifyTls, @Nullable String serverName, Supplier<TlsMaterial> tls,
		Credentials credentials, Headers impersonation, @Nullable ProxyServer proxy) {

	static final Headers NO_IMPERSONATION = Headers.of();

	static final String URL_REMEDY = "Specify a URL such as https://10.0.0.1:6443.";

	/**
	 * Return the problem of a URL as its predicate, without the URL: its user information
	 * may be a secret.
	 */
	static @Nullable String urlProblem(String url) {
		try {
			URI uri = new URI(url);
			if (uri.getRawUserInfo() != null || String.valueOf(uri.getRawAuthority()).contains("@")) {
				return "contains user information, which is not supported";
			}
			// URI has no host with an underscore, which networks of containers have
			if (uri.getRawAuthority() == null || HttpUrl.parse(url) == null) {
				return "is not the URL of an API server";
			}
			return (uri.getRawQuery() != null || uri.getRawFragment() != null) ? "contains a query or a fragment"
					: null;
		}
		catch (URISyntaxException ex) {
			return "is not the URL of an API server";
		}
	}

	@Override
	public String toString() {
		return "Server[url=" + this.url + "]";
	}

}
