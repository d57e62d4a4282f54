/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Reads HTTP/1.1 requests, one after the other, from a connection.
 */
final class HttpRequestReader {

	private static final int MAX_LINE = 256 * 1024;

	private static final int MAX_BODY = 64 * 1024 * 1024;

	private final InputStream in;

	private final Continuation continuation;

	HttpRequestReader(InputStream in, Continuation continuation) {
		this.in = in;
		this.continuation = continuation;
	}

	/**
	 * Reads the next request.
	 * @return the request, or {@code null} when the client has closed the connection
	 * @throws IOException when the connection breaks or what comes is not HTTP
	 */
	@Nullable HttpRequest read() throws IOException {
		String requestLine = readLine();
		while (requestLine != null && requestLine.isEmpty()) {
			requestLine = readLine();
		}
		if (requestLine == null) {
			return null;
		}
		String[] parts = requestLine.split(" ");
		if (parts.length != 3 || !parts[2].startsWith("HTTP/1.")) {
			throw new ProtocolException("Not an HTTP/1.1 request line");
		}
		Map<String, String> headers = readHeaders();
		if ("100-continue".equalsIgnoreCase(headers.get("expect"))) {
			this.continuation.proceed();
		}
		return HttpRequest.of(parts[0], parts[1], headers, readBody(headers));
	}

	private Map<String, String> readHeaders() throws IOException {
		Map<String, String> headers = new TreeMap<>();
		for (String line = requireLine(); !line.isEmpty(); line = requireLine()) {
			int colon = line.indexOf(':');
			if (colon > 0) {
				headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
			}
		}
		return headers;
	}

	private byte[] readBody(Map<String, String> headers) throws IOException {
		if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
			return readChunks();
		}
		String length = headers.get("content-length");
		return (length != null) ? readFully(parse(length, 10)) : new byte[0];
	}

	private byte[] readChunks() throws IOException {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		while (true) {
			String size = requireLine();
			int extension = size.indexOf(';');
			int length = parse(((extension < 0) ? size : size.substring(0, extension)).trim(), 16);
			if (length == 0) {
				readHeaders();
				return body.toByteArray();
			}
			body.writeBytes(readFully(length));
			if (body.size() > MAX_BODY) {
				throw new ProtocolException("Body too large");
			}
			requireLine();
		}
	}

	private byte[] readFully(int length) throws IOException {
		byte[] bytes = this.in.readNBytes(length);
		if (bytes.length < length) {
			throw new EOFException("Connection closed within a body");
		}
		return bytes;
	}

	private static int parse(String number, int radix) throws IOException {
		try {
			int value = Integer.parseInt(number, radix);
			if (value >= 0 && value <= MAX_BODY) {
				return value;
			}
		}
		catch (NumberFormatException ex) {
			// answered below
		}
		throw new ProtocolException("Not a length that can be read: " + number);
	}

	private String requireLine() throws IOException {
		String line = readLine();
		if (line == null) {
			throw new EOFException("Connection closed within a request");
		}
		return line;
	}

	private @Nullable String readLine() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream(128);
		for (int next = this.in.read(); next != -1; next = this.in.read()) {
			if (next == '\n') {
				String text = line.toString(StandardCharsets.ISO_8859_1);
				return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
			}
			line.write(next);
			if (line.size() > MAX_LINE) {
				throw new ProtocolException("Line too long");
			}
		}
		if (line.size() > 0) {
			throw new EOFException("Connection closed within a line");
		}
		return null;
	}

	/**
	 * Tells a client that waits with its body to go on.
	 */
	interface Continuation {

		void proceed() throws IOException;

	}

}
