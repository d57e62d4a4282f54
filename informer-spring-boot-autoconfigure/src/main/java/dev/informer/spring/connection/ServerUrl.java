/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Validation of the URLs of API servers and proxies. No message contains the URL: its
 * user information may be a secret.
 */
public final class ServerUrl {

	/**
	 * Remedy for an invalid URL of an API server.
	 */
	public static final String REMEDY = "Specify a URL such as https://10.0.0.1:6443.";

	/**
	 * Remedy for an invalid URL of a proxy.
	 */
	public static final String PROXY_REMEDY = "Specify a URL such as http://proxy.example.com:3128 "
			+ "or socks5://proxy.example.com:1080.";

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

	/**
	 * Return the proxy at a URL.
	 * @param url the URL
	 * @return the proxy
	 * @throws IllegalArgumentException if the URL is invalid, with the problem as a
	 * predicate of the URL
	 */
	public static Proxy proxy(String url) {
		URI uri;
		try {
			uri = new URI(url);
		}
		catch (URISyntaxException ex) {
			throw new IllegalArgumentException("is not the URL of a proxy");
		}
		if (uri.getRawUserInfo() != null || String.valueOf(uri.getRawAuthority()).contains("@")) {
			throw new IllegalArgumentException("contains user information, which is not supported");
		}
		if (uri.getHost() == null || !isOneOf(uri, "http", "socks5", "socks5h")) {
			throw new IllegalArgumentException("is not the URL of a proxy by HTTP or SOCKS 5");
		}
		boolean http = isOneOf(uri, "http");
		int port = (uri.getPort() >= 0) ? uri.getPort() : (http ? 80 : 1080);
		return new Proxy(http ? Proxy.Type.HTTP : Proxy.Type.SOCKS,
				InetSocketAddress.createUnresolved(uri.getHost(), port));
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
