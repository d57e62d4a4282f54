/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One HTTP request, read to its end.
 *
 * @param method the method
 * @param path the path as it was sent, without the query
 * @param query the decoded query parameters, the first value of each
 * @param headers the headers, their names in lower case
 * @param body the body, empty when there is none
 */
record HttpRequest(String method, String path, Map<String, String> query, Map<String, String> headers, byte[] body) {

	static HttpRequest of(String method, String target, Map<String, String> headers, byte[] body) {
		int mark = target.indexOf('?');
		String path = (mark < 0) ? target : target.substring(0, mark);
		Map<String, String> query = (mark < 0) ? Map.of() : parseQuery(target.substring(mark + 1));
		return new HttpRequest(method, path, query, Collections.unmodifiableMap(headers), body);
	}

	String header(String name) {
		return this.headers.getOrDefault(name, "");
	}

	static String decode(String segment) {
		return decodeForm(segment.replace("+", "%2B"));
	}

	private static Map<String, String> parseQuery(String query) {
		Map<String, String> parameters = new LinkedHashMap<>();
		for (String pair : query.split("&")) {
			if (!pair.isEmpty()) {
				int equals = pair.indexOf('=');
				String name = (equals < 0) ? pair : pair.substring(0, equals);
				String value = (equals < 0) ? "" : pair.substring(equals + 1);
				parameters.putIfAbsent(decodeForm(name), decodeForm(value));
			}
		}
		return Collections.unmodifiableMap(parameters);
	}

	private static String decodeForm(String text) {
		try {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return text;
		}
	}

}
