/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import dev.informer.client.connection.Credentials.Credential;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Proxy to the API server. An HTTP proxy may require user and password. Neither messages
 * nor the text of this class contain them. Immutable.
 */
final class ProxyServer {

	static final String REMEDY = "Specify a URL such as http://proxy.example.com:3128, "
			+ "http://user:password@proxy.example.com:3128 or socks5://proxy.example.com:1080. "
			+ "Encode special characters of user and password, for example @ as %40.";

	private static final String HEADER = "Proxy-Authorization";

	private static final Set<String> SOCKS = Set.of("socks5", "socks5h");

	private final Proxy proxy;

	private final @Nullable String authorization;

	private ProxyServer(Proxy proxy, @Nullable String authorization) {
		this.proxy = proxy;
		this.authorization = authorization;
	}

	/**
	 * Return the proxy at a URL; {@code null} without one. The function makes an
	 * exception of the problem of an invalid URL, which is a predicate of the URL.
	 */
	static @Nullable ProxyServer at(@Nullable String url, Function<String, RuntimeException> invalid) {
		if (url == null) {
			return null;
		}
		URI uri;
		String authority;
		try {
			authority = String.valueOf(new URI(url).getRawAuthority());
			// URI has no host with an underscore, which networks of containers have
			uri = new URI(url.replace('_', 'x'));
		}
		catch (URISyntaxException ex) {
			// its message quotes the URL
			throw invalid.apply("is not the URL of a proxy");
		}
		String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
		if (scheme.equals("https")) {
			throw invalid.apply("has the scheme https, which is unsupported. Use a port of the proxy "
					+ "without TLS: it forwards the encrypted connection to the API server as it is");
		}
		boolean http = scheme.equals("http");
		if (!http && !SOCKS.contains(scheme)) {
			throw invalid.apply("is not the URL of a proxy by HTTP or SOCKS 5");
		}
		if (uri.getHost() == null) {
			throw invalid.apply("has no valid host, or user information that is not encoded");
		}
		if (!String.valueOf(uri.getRawPath()).matches("/?") || uri.getRawQuery() != null
				|| uri.getRawFragment() != null) {
			throw invalid.apply("contains a path, a query or a fragment");
		}
		int at = authority.indexOf('@');
		String user = (at >= 0) ? authority.substring(0, at) : null;
		String host = authority.substring(at + 1, at + 1 + uri.getHost().length());
		if (user != null && !http) {
			throw invalid.apply("contains user information, which only HTTP proxies support");
		}
		int port = (uri.getPort() >= 0) ? uri.getPort() : (http ? 80 : 1080);
		return new ProxyServer(
				new Proxy(http ? Proxy.Type.HTTP : Proxy.Type.SOCKS, InetSocketAddress.createUnresolved(host, port)),
				(user != null) ? authorization(user) : null);
	}

	private static @Nullable String authorization(String user) {
		String[] parts = user.split(":", 2);
		return Credential.ofPassword(decode(parts[0]), (parts.length > 1) ? decode(parts[1]) : "").authorization();
	}

	private static String decode(String text) {
		return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
	}

	void applyTo(OkHttpClient.Builder client) {
		client.proxy(this.proxy);
		if (this.authorization != null) {
			client.proxyAuthenticator((route, response) -> authenticate(response));
		}
	}

	/**
	 * Return the request with user and password; {@code null} if the proxy has rejected
	 * them.
	 */
	private @Nullable Request authenticate(Response response) {
		Request request = response.request();
		return (request.header(HEADER) != null) ? null
				: request.newBuilder().header(HEADER, Objects.requireNonNull(this.authorization)).build();
	}

	@Override
	public String toString() {
		return this.proxy.toString();
	}

}
