/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.util.function.Supplier;

import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a connection. Its text contains no secrets.
 *
 * @param url the URL of the API server
 * @param verifyTls whether to verify the certificate of the server
 * @param serverName the name that the certificate of the server is for; {@code null} for
 * the host of the URL
 * @param tls the source of the certificates
 * @param credentials the credentials
 * @param impersonation the headers of the impersonated user
 * @param proxy the proxy; {@code null} for that of the JVM
 */
record ConnectionSettings(String url, boolean verifyTls, @Nullable String serverName, Supplier<TlsMaterial> tls,
		Credentials credentials, Headers impersonation, @Nullable ProxyServer proxy) {

	static final Headers NO_IMPERSONATION = Headers.of();

	@Override
	public String toString() {
		return "ConnectionSettings[url=" + this.url + "]";
	}

}
