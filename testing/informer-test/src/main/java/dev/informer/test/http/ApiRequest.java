/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import org.eclipse.jetty.server.Request;

/**
 * HTTP request with its whole body.
 *
 * @param method the method
 * @param path the path as sent, without the query
 * @param query the decoded query parameters, the first value of each
 * @param headers the headers, with lower-case names
 * @param body the body, empty if the request has none
 */
public record ApiRequest(String method, String path, Map<String, String> query, Map<String, String> headers,
		byte[] body) {

	static ApiRequest of(Request request) throws IOException {
		Map<String, String> query = new LinkedHashMap<>();
		Request.extractQueryParameters(request).forEach((field) -> query.put(field.getName(), field.getValue()));
		Map<String, String> headers = new TreeMap<>();
		request.getHeaders().forEach((field) -> headers.put(field.getLowerCaseName(), field.getValue()));
		return new ApiRequest(request.getMethod(), request.getHttpURI().getPath(), Collections.unmodifiableMap(query),
				Collections.unmodifiableMap(headers), Request.asInputStream(request).readAllBytes());
	}

	public String header(String name) {
		return this.headers.getOrDefault(name, "");
	}

	String userAgent() {
		return header("user-agent");
	}

	/**
	 * Decode the percent-encoding of a path segment. Return a malformed segment as it is.
	 */
	static String decode(String segment) {
		try {
			return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			return segment;
		}
	}

}
