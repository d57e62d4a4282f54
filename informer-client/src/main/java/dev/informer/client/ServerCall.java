/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;

import dev.informer.support.UntrustedText;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Request to the API server. Each of its phases is bounded by {@link CallLimits}, because
 * a connection that is accepted but never answered reports no error. The timeouts of the
 * HTTP client are not used: its read timeout would apply to the response headers and to
 * every read of a watch alike.
 * <p>
 * A call that times out takes its connection with it, unless that delivered other data in
 * the same time. Cancelling the call alone would only reset its HTTP/2 stream, and the
 * next request would use the same dead connection.
 * <p>
 * <b>Concurrency.</b> Used by one thread. {@link #close()} and the cancellation may come
 * from others, and the timeout comes from the thread that serves all timeouts.
 */
final class ServerCall implements Closeable {

	/**
	 * Maximum number of times that one call may be sent, for instance to servers that
	 * accept connections only to close them.
	 */
	private static final int MAX_ATTEMPTS = 10;

	private final KubernetesConnection connection;

	private final Call call;

	private final Cancellation cancellation;

	private final Closeable cancelCall;

	private final CallDeadline deadline;

	private @Nullable Response response;

	private boolean complete;

	private int attempts;

	ServerCall(KubernetesConnection connection, OkHttpClient client, Request request, CallLimits limits,
			Cancellation cancellation) {
		this.connection = connection;
		this.call = client.newCall(request.newBuilder().tag(ServerCall.class, this).build());
		this.cancellation = cancellation;
		this.deadline = new CallDeadline(connection, this.call, limits);
		this.cancelCall = this.deadline::cancelCall;
	}

	/**
	 * Send the request, wait for the response and return its body.
	 * @throws ServerStatusException if the server answers with a failure
	 * @throws SocketTimeoutException if it does not answer in time
	 */
	InputStream open(StatusReader errors) throws IOException {
		this.cancellation.register(this.cancelCall);
		this.deadline.restart();
		clearInterrupt();
		this.deadline.beginWait();
		try {
			Response response = this.call.execute();
			this.response = response;
			if (!response.isSuccessful()) {
				throw new ServerStatusException(status(response, errors));
			}
			this.deadline.opened();
			return new Body(response.body().byteStream());
		}
		catch (ServerStatusException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw failure(ex);
		}
		finally {
			this.deadline.endWait();
		}
	}

	/**
	 * Record the connection of an attempt.
	 * @throws ProtocolException if there were too many attempts
	 */
	void connected(Connection used) throws IOException {
		this.attempts++;
		if (this.attempts > MAX_ATTEMPTS) {
			throw new ProtocolException("The server closed " + MAX_ATTEMPTS + " connections without an answer");
		}
		Socket current = this.connection.socketBelow(used);
		if (current instanceof MonitoredSocket monitored) {
			monitored.use(used.protocol() == Protocol.HTTP_2 || used.protocol() == Protocol.H2_PRIOR_KNOWLEDGE);
		}
		this.deadline.connected(current);
		clearInterrupt();
	}

	/**
	 * Return the content type of the response that {@link #open} returned.
	 */
	@Nullable String contentType() {
		Response current = this.response;
		return (current != null) ? current.header("Content-Type") : null;
	}

	private static ServerStatus status(Response response, StatusReader errors) throws IOException {
		if (response.isRedirect()) {
			return new ServerStatus(response.code(), "", "redirected to " + target(response), List.of(), null);
		}
		ServerStatus status;
		try (InputStream body = response.body().byteStream()) {
			status = errors.read(response.code(), body);
		}
		catch (IOException | IllegalStateException ex) {
			// The code says what to do, even if the explanation is truncated.
			status = errors.read(response.code(), InputStream.nullInputStream());
		}
		return status.withRetryAfter(response.header("Retry-After"));
	}

	/**
	 * Return scheme, host and port that a response redirects to, without the rest of the
	 * URL, which may contain credentials.
	 */
	private static String target(Response response) {
		String location = response.header("Location");
		HttpUrl url = (location != null) ? response.request().url().resolve(location) : null;
		return (url != null) ? url.scheme() + "://" + UntrustedText.of(url.host()) + ":" + url.port()
				: "an invalid location";
	}

	/**
	 * Set the maximum time to wait for data of the body; zero for none.
	 */
	void idleTimeout(Duration limit) {
		this.deadline.idleTimeout(limit);
	}

	Duration silence() {
		return this.deadline.silence();
	}

	/**
	 * Note that the response was read as far as it is of interest, so that its connection
	 * can be used again.
	 */
	void complete() {
		this.complete = true;
	}

	@Override
	public void close() {
		this.deadline.stop();
		this.cancellation.unregister(this.cancelCall);
		if (!this.complete) {
			this.deadline.cancelCall();
		}
		Response current = this.response;
		if (current != null) {
			current.close();
		}
	}

	/**
	 * Clear an interrupt that user code left behind, such as an adapter or an
	 * interceptor. It would fail this request, and every later one. Requests are ended by
	 * their cancellation.
	 */
	void clearInterrupt() {
		if (!this.cancellation.isCancelled()) {
			Thread.interrupted();
		}
	}

	private IOException failure(Exception failure) {
		String reason = this.deadline.reason();
		if (reason != null) {
			if (this.deadline.isConnectionDead()) {
				// They lead to the same server.
				this.connection.evictIdleConnections();
			}
			// Not as the cause, which is what a log shows: the deadline closed the
			// socket.
			SocketTimeoutException timeout = new SocketTimeoutException(reason);
			timeout.addSuppressed(failure);
			return timeout;
		}
		// OkHttp waits for connections with methods that throw InterruptedException, but
		// does not declare it.
		if (failure instanceof InterruptedException || failure instanceof InterruptedIOException) {
			clearInterrupt();
		}
		if (failure instanceof RuntimeException unchecked) {
			throw unchecked;
		}
		if (failure instanceof ProtocolException) {
			// It quotes what the server sent.
			ProtocolException converted = new ProtocolException(UntrustedText.of(failure.getMessage()));
			converted.setStackTrace(failure.getStackTrace());
			return converted;
		}
		return (failure instanceof IOException io) ? io : new IOException("Interrupted by other code", failure);
	}

	private final class Body extends FilterInputStream {

		Body(InputStream in) {
			super(in);
		}

		@Override
		public int read() throws IOException {
			byte[] single = new byte[1];
			return (read(single, 0, 1) < 0) ? -1 : single[0] & 0xFF;
		}

		@Override
		public int read(byte[] buffer, int offset, int length) throws IOException {
			clearInterrupt();
			ServerCall.this.deadline.beginWait();
			try {
				return super.read(buffer, offset, length);
			}
			catch (IOException ex) {
				throw failure(ex);
			}
			finally {
				ServerCall.this.deadline.endWait();
			}
		}

	}

}
