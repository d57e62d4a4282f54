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
import java.util.regex.Pattern;

import dev.informer.TimeSource;
import okhttp3.Call;
import okhttp3.Connection;
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

	private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

	private final KubernetesConnection connection;

	private final Call call;

	private final Cancellation cancellation;

	private final CallLimits limits;

	private final Closeable cancelCall = this::cancel;

	private final Deadline deadline = new Deadline();

	private @Nullable Response response;

	private boolean complete;

	private int attempts;

	/** The socket of the latest attempt. */
	private volatile @Nullable Socket socket;

	/** Whether the response headers have been received. */
	private volatile boolean opened;

	/** Whether the caller waits for data of the body. */
	private volatile boolean reading;

	/** The nano time since which the server owes data. */
	private volatile long awaitingSince;

	private volatile Duration idle;

	/** The reason why the call timed out. */
	private volatile @Nullable String expired;

	/** Whether the connection delivered no data until the call timed out. */
	private volatile boolean dead;

	ServerCall(KubernetesConnection connection, OkHttpClient client, Request request, CallLimits limits,
			Cancellation cancellation) {
		this.connection = connection;
		this.call = client.newCall(request.newBuilder().tag(ServerCall.class, this).build());
		this.limits = limits;
		this.cancellation = cancellation;
		this.idle = limits.idle();
	}

	/**
	 * Send the request and wait for the response.
	 * @param errors the reader of the body of a failed request
	 * @return the body of the response
	 * @throws ServerStatusException if the server answers with a failure
	 * @throws SocketTimeoutException if it does not answer in time
	 * @throws IOException if it is unreachable
	 */
	InputStream open(StatusReader errors) throws IOException {
		this.cancellation.register(this.cancelCall);
		this.deadline.restart();
		clearInterrupt();
		try {
			Response response = this.call.execute();
			this.response = response;
			if (!response.isSuccessful()) {
				throw new ServerStatusException(status(response, errors));
			}
			this.opened = true;
			this.deadline.restart();
			return new Body(response.body().byteStream());
		}
		catch (ServerStatusException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw failure(ex);
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
		if (current instanceof MonitoredSocket monitored
				&& (used.protocol() == Protocol.HTTP_2 || used.protocol() == Protocol.H2_PRIOR_KNOWLEDGE)) {
			monitored.expectPings();
		}
		this.awaitingSince = System.nanoTime();
		this.socket = current;
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
		ServerStatus status;
		try (InputStream body = response.body().byteStream()) {
			status = errors.read(response.code(), body);
		}
		catch (IOException | IllegalStateException ex) {
			// The code says what to do, even if the explanation is truncated.
			status = errors.read(response.code(), InputStream.nullInputStream());
		}
		String header = response.header("Retry-After");
		if (header == null || !SECONDS.matcher(header).matches()) {
			return status;
		}
		return new ServerStatus(status.code(), status.reason(), status.message(), status.causes(),
				Duration.ofSeconds(Long.parseLong(header)));
	}

	/**
	 * Set the maximum time to wait for data of the body.
	 * @param limit the time; zero for none
	 */
	void idleTimeout(Duration limit) {
		this.idle = limit.isZero() ? this.limits.total() : limit;
		this.deadline.restart();
	}

	Duration silence() {
		return (this.socket instanceof MonitoredSocket monitored) ? monitored.silence() : Duration.ZERO;
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
			cancel();
		}
		Response current = this.response;
		if (current != null) {
			current.close();
		}
	}

	private void cancel() {
		try {
			this.call.cancel();
		}
		catch (RuntimeException ex) {
			// ignored: thrown by an event listener of the caller's client, after the call
			// was cancelled
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
		String reason = this.expired;
		if (reason != null) {
			if (this.dead) {
				// They lead to the same server.
				this.connection.evictIdleConnections();
			}
			// Not as the cause, which is what a log shows: the socket was closed by
			// expired().
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
			ServerCall.this.awaitingSince = System.nanoTime();
			ServerCall.this.reading = true;
			try {
				return super.read(buffer, offset, length);
			}
			catch (IOException ex) {
				throw failure(ex);
			}
			finally {
				ServerCall.this.reading = false;
			}
		}

	}

	/**
	 * End of the current phase of the call.
	 */
	private final class Deadline extends MovingTimeout {

		private final long began = System.nanoTime();

		private long now;

		private long remaining;

		private String reason = "";

		@Override
		long remainingNanos() {
			this.now = System.nanoTime();
			this.remaining = Long.MAX_VALUE;
			CallLimits limits = ServerCall.this.limits;
			if (ServerCall.this.opened) {
				limit(limits.total(), this.began, "not complete");
				limit(ServerCall.this.idle, ServerCall.this.reading ? ServerCall.this.awaitingSince : this.now,
						"no data");
			}
			else if (ServerCall.this.socket == null) {
				limit(limits.connect(), this.began, "no connection");
			}
			else {
				limit(limits.response(), this.began, "no response");
				limit(limits.silence(), silentSince(), "no response");
			}
			return this.remaining;
		}

		private void limit(Duration limit, long since, String problem) {
			long left = TimeSource.nanos(limit) - (this.now - since);
			if (left < this.remaining) {
				this.remaining = left;
				this.reason = problem + " within "
						+ ((limit.toSeconds() > 0) ? limit.toSeconds() + " s" : TimeSource.millis(limit) + " ms");
			}
		}

		@Override
		void expired() {
			Socket current = ServerCall.this.socket;
			ServerCall.this.dead = silentSince() == ServerCall.this.awaitingSince;
			ServerCall.this.expired = this.reason;
			cancel();
			if (current != null && ServerCall.this.dead) {
				ConnectionSockets.abort(current);
			}
		}

		/**
		 * Return the nano time since which the connection has delivered nothing, also no
		 * data of other calls.
		 */
		private long silentSince() {
			long since = ServerCall.this.awaitingSince;
			if (ServerCall.this.socket instanceof MonitoredSocket monitored && monitored.lastData() - since > 0) {
				return monitored.lastData();
			}
			return since;
		}

	}

}
