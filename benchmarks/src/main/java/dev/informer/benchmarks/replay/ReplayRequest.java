/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Request without a body.
 *
 * @param path the path without the query
 * @param parameters the parameters of the query
 * @param headers the headers by their names in lower case
 */
record ReplayRequest(String path, Map<String, String> parameters, Map<String, String> headers) {

	/**
	 * Read a request.
	 * @return the request; {@code null} at the end of the connection
	 */
	static @Nullable ReplayRequest read(BufferedInputStream in) throws IOException {
		String line = readLine(in);
		if (line == null) {
			return null;
		}
		String target = line.split(" ")[1];
		int query = target.indexOf('?');
		Map<String, String> parameters = new HashMap<>();
		if (query >= 0) {
			for (String parameter : target.substring(query + 1).split("&")) {
				int equals = parameter.indexOf('=');
				if (equals > 0) {
					parameters.put(decode(parameter.substring(0, equals)), decode(parameter.substring(equals + 1)));
				}
			}
		}
		return new ReplayRequest((query >= 0) ? target.substring(0, query) : target, parameters, readHeaders(in));
	}

	private static Map<String, String> readHeaders(InputStream in) throws IOException {
		Map<String, String> headers = new HashMap<>();
		String line = readLine(in);
		while (line != null && !line.isEmpty()) {
			int colon = line.indexOf(':');
			headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
			line = readLine(in);
		}
		return headers;
	}

	private static @Nullable String readLine(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		int read = in.read();
		while (read != '\n') {
			if (read < 0) {
				return null;
			}
			if (read != '\r') {
				line.append((char) read);
			}
			read = in.read();
		}
		return line.toString();
	}

	private static String decode(String text) {
		return URLDecoder.decode(text, StandardCharsets.UTF_8);
	}

	String parameter(String name) {
		return this.parameters.getOrDefault(name, "");
	}

	long number(String name, long absent) {
		String value = parameter(name);
		return value.isEmpty() ? absent : Long.parseLong(value);
	}

	boolean isSet(String name) {
		String value = parameter(name);
		return value.equals("true") || value.equals("1");
	}

	String header(String name) {
		return this.headers.getOrDefault(name, "");
	}

}
