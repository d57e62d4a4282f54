/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer to one request: either whole, or as a stream. {@link #cut()} may be called
 * from any thread, everything else only from the thread that answers.
 */
final class HttpResponse {

	static final String JSON = "application/json";

	static final String TEXT = "text/plain; charset=utf-8";

	private final HttpConnection connection;

	private final OutputStream out;

	private @Nullable ChunkedOutputStream body;

	private @Nullable BodyFilter filter;

	HttpResponse(HttpConnection connection, OutputStream out) {
		this.connection = connection;
		this.out = out;
	}

	/**
	 * Lets the body of the answer pass through a filter.
	 */
	void filter(BodyFilter bodyFilter) {
		this.filter = bodyFilter;
	}

	void send(int status, String contentType, byte[] content) throws IOException {
		send(status, contentType, content, Map.of());
	}

	void send(int status, String contentType, byte[] content, Map<String, String> headers) throws IOException {
		if (this.filter != null) {
			stream(status, contentType, headers).write(content);
			return;
		}
		StringBuilder head = head(status, contentType, headers);
		head.append("Content-Length: ").append(content.length).append("\r\n\r\n");
		this.out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
		this.out.write(content);
		this.out.flush();
	}

	void sendJson(int status, JsonNode content) throws IOException {
		sendJson(status, content, Map.of());
	}

	/**
	 * Sends a whole JSON document, ended by a line feed as Go ends it.
	 */
	void sendJson(int status, JsonNode content, Map<String, String> headers) throws IOException {
		byte[] json = Json.bytes(content);
		byte[] line = Arrays.copyOf(json, json.length + 1);
		line[json.length] = '\n';
		send(status, JSON, line, headers);
	}

	/**
	 * Sends a {@code Status} object under its own code, and when to try again where it
	 * says that.
	 */
	void sendStatus(ObjectNode status) throws IOException {
		int retryAfter = status.path("details").path("retryAfterSeconds").asInt(0);
		Map<String, String> headers = (retryAfter > 0) ? Map.of("Retry-After", Integer.toString(retryAfter)) : Map.of();
		sendJson(status.path("code").asInt(500), status, headers);
	}

	/**
	 * Starts a streamed answer, which the connection ends when the handler returns.
	 */
	OutputStream stream(int status, String contentType) throws IOException {
		return stream(status, contentType, Map.of());
	}

	private OutputStream stream(int status, String contentType, Map<String, String> headers) throws IOException {
		String head = head(status, contentType, headers).append("Transfer-Encoding: chunked\r\n\r\n").toString();
		this.out.write(head.getBytes(StandardCharsets.ISO_8859_1));
		ChunkedOutputStream chunks = new ChunkedOutputStream(this.out);
		this.body = chunks;
		return (this.filter != null) ? this.filter.apply(chunks, this) : chunks;
	}

	/**
	 * Calls back as soon as the client has closed the connection.
	 */
	void onDisconnect(Runnable callback) {
		this.connection.watchForDisconnect(callback);
	}

	/**
	 * Waits a while.
	 * @throws IOException when the connection ends meanwhile
	 */
	void pause(Duration duration) throws IOException {
		this.connection.pause(duration);
	}

	/**
	 * Resets the connection, in the middle of whatever is being sent.
	 */
	void cut() {
		this.connection.cut();
	}

	void end() throws IOException {
		if (this.body != null) {
			this.body.end();
		}
	}

	private static StringBuilder head(int status, String contentType, Map<String, String> headers) {
		StringBuilder head = new StringBuilder(320).append("HTTP/1.1 ")
			.append(status)
			.append(' ')
			.append(phrase(status))
			.append("\r\nAudit-Id: ")
			.append(UUID.randomUUID())
			.append("\r\nCache-Control: no-cache, private\r\nContent-Type: ")
			.append(contentType)
			.append("\r\nDate: ")
			.append(DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)))
			.append("\r\n");
		headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
		return head;
	}

	private static String phrase(int status) {
		return switch (status) {
			case 200 -> "OK";
			case 201 -> "Created";
			case 202 -> "Accepted";
			case 400 -> "Bad Request";
			case 401 -> "Unauthorized";
			case 403 -> "Forbidden";
			case 404 -> "Not Found";
			case 405 -> "Method Not Allowed";
			case 406 -> "Not Acceptable";
			case 409 -> "Conflict";
			case 410 -> "Gone";
			case 415 -> "Unsupported Media Type";
			case 422 -> "Unprocessable Entity";
			case 429 -> "Too Many Requests";
			case 500 -> "Internal Server Error";
			case 502 -> "Bad Gateway";
			case 503 -> "Service Unavailable";
			case 504 -> "Gateway Timeout";
			default -> "Status";
		};
	}

}
