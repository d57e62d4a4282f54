/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.informer.test.store.Json;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Response to one request, sent at once or as a stream. Writes block until the client has
 * taken them.
 * <p>
 * {@link #cut()} may be called from any thread, all other methods only from the thread
 * that handles the request.
 */
public final class ApiResponse {

	/**
	 * Content type of JSON.
	 */
	public static final String JSON = "application/json";

	static final String TEXT = "text/plain; charset=utf-8";

	private final Request request;

	private final Response response;

	private final ClientConnection connection;

	private final CompletableFuture<Void> disconnected = new CompletableFuture<>();

	private @Nullable BodyFilter filter;

	private @Nullable OutputStream body;

	private boolean jsonOnly;

	private boolean detecting;

	ApiResponse(Request request, Response response) {
		this.request = request;
		this.response = response;
		this.connection = ClientConnection.of(request);
	}

	/**
	 * Pass the body of the response through a filter.
	 */
	public void filter(BodyFilter bodyFilter) {
		this.filter = bodyFilter;
	}

	/**
	 * Send objects as JSON, even to clients that prefer protobuf.
	 */
	public void jsonOnly() {
		this.jsonOnly = true;
	}

	boolean isJsonOnly() {
		return this.jsonOnly;
	}

	public void send(int status, String contentType, byte[] content) throws IOException {
		send(status, contentType, content, Map.of());
	}

	void send(int status, String contentType, byte[] content, Map<String, String> headers) throws IOException {
		if (this.filter != null) {
			stream(status, contentType, headers).write(content);
			return;
		}
		head(status, contentType, headers);
		this.response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
		try (Blocker.Callback written = Blocker.callback()) {
			this.response.write(true, ByteBuffer.wrap(content), written);
			written.block();
		}
	}

	void sendJson(int status, JsonNode content) throws IOException {
		sendJson(status, content, Map.of());
	}

	/**
	 * Send a JSON document followed by a line feed, as Go's encoder writes it.
	 */
	void sendJson(int status, JsonNode content, Map<String, String> headers) throws IOException {
		byte[] json = Json.bytes(content);
		byte[] line = Arrays.copyOf(json, json.length + 1);
		line[json.length] = '\n';
		send(status, JSON, line, headers);
	}

	/**
	 * Send a {@code Status} object with its code, and with a {@code Retry-After} header
	 * if it contains {@code retryAfterSeconds}.
	 */
	public void sendStatus(ObjectNode status) throws IOException {
		int retryAfter = status.path("details").path("retryAfterSeconds").asInt(0);
		Map<String, String> headers = (retryAfter > 0) ? Map.of("Retry-After", Integer.toString(retryAfter)) : Map.of();
		int code = status.path("code").asInt(500);
		String accept = this.request.getHeaders().get(HttpHeader.ACCEPT);
		if (code != 406 && accept != null && MediaType.isProtobufFirst(accept)) {
			send(code, MediaType.PROTOBUF, MediaType.envelope(status), headers);
		}
		else {
			sendJson(code, status, headers);
		}
	}

	/**
	 * Send a watch of one event.
	 */
	public void sendEvent(String type, ObjectNode object) throws IOException {
		Representation.writeEvent(type, object, stream(200, JSON));
	}

	/**
	 * Start a streamed response, which ends when the handler returns.
	 */
	public OutputStream stream(int status, String contentType) throws IOException {
		return stream(status, contentType, Map.of());
	}

	private OutputStream stream(int status, String contentType, Map<String, String> headers) {
		head(status, contentType, headers);
		OutputStream stream = Response.asBufferedOutputStream(this.request, this.response);
		this.body = stream;
		return (this.filter != null) ? this.filter.apply(stream, this) : stream;
	}

	private void head(int status, String contentType, Map<String, String> headers) {
		this.response.setStatus(status);
		this.response.getHeaders()
			.put("Audit-Id", UUID.randomUUID().toString())
			.put(HttpHeader.CACHE_CONTROL, "no-cache, private")
			.put(HttpHeader.CONTENT_TYPE, contentType);
		headers.forEach(this.response.getHeaders()::put);
	}

	/**
	 * Run a callback as soon as the client has closed the connection.
	 */
	public void onDisconnect(Runnable callback) {
		detectDisconnect();
		this.disconnected.thenRun(callback);
	}

	/**
	 * Wait for a while.
	 * @throws IOException if the connection ends before
	 */
	public void pause(Duration duration) throws IOException {
		detectDisconnect();
		try {
			this.disconnected.get(nanos(duration), TimeUnit.NANOSECONDS);
			throw new EofException("The connection was closed");
		}
		catch (TimeoutException ex) {
			// still connected
		}
		catch (ExecutionException ex) {
			throw new IOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("The server is closing");
		}
	}

	/**
	 * Return a duration in nanoseconds, limited to about 100 years, so that the sum of it
	 * and a time does not overflow.
	 */
	public static long nanos(Duration duration) {
		return Math.min(TimeUnit.NANOSECONDS.convert(duration), TimeUnit.DAYS.toNanos(36_525));
	}

	/**
	 * Read from the connection while the request is handled. Jetty does not do that over
	 * HTTP/1.1, and would notice a client that has gone only when it writes to it.
	 */
	private synchronized void detectDisconnect() {
		if (!this.detecting) {
			this.detecting = endPoint()
				.tryFillInterested(Callback.from(this::readEnd, (failure) -> this.disconnected.complete(null)));
			if (!this.connection.isOpen()) {
				this.disconnected.complete(null);
			}
		}
	}

	private synchronized void readEnd() {
		if (!this.detecting) {
			return;
		}
		this.detecting = false;
		if (isNothingRead()) {
			detectDisconnect();
		}
		else {
			// A client that pipelines its next request is disconnected, too.
			this.connection.close();
			this.disconnected.complete(null);
		}
	}

	private boolean isNothingRead() {
		try {
			return endPoint().fill(BufferUtil.allocate(1024)) == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private synchronized void stopDetecting() {
		if (this.detecting) {
			this.detecting = false;
			endPoint().getFillInterest().onFail(new EofException("The response has ended"));
		}
	}

	/**
	 * Reset the connection, even in the middle of a response.
	 */
	public void cut() {
		this.connection.cut();
	}

	/**
	 * Reset the connection after the handler failed.
	 */
	void abort() {
		stopDetecting();
		this.connection.cut();
	}

	void end() throws IOException {
		// As soon as the body has ended, the client may send its next request.
		stopDetecting();
		if (this.body != null) {
			this.body.close();
		}
	}

	private AbstractEndPoint endPoint() {
		return (AbstractEndPoint) this.request.getConnectionMetaData().getConnection().getEndPoint();
	}

}
