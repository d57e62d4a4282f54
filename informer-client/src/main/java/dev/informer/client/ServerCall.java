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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.informer.support.UntrustedText;
import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Request to the API server. Each of its phases is bounded by {@link CallLimits}, because
 * a connection that is accepted but never answered reports no error.
 * <p>
 * OkHttp's read timeout bounds the wait for the response headers, its call timeout the
 * whole request. OkHttp has no limit of the time until there is a connection, and cannot
 * end what its cancellation does not reach: an interceptor or a name server of the
 * caller's client that hangs, and a write to an HTTP/2 connection whose peer does not
 * read, which also blocks its pings. A timer of the connection ends these: it cancels the
 * call, aborts its socket and interrupts its thread, again and again. The timer bounds
 * the waits for data as well: with OkHttp's read timeout each read wakes okio's watchdog,
 * which took 5 % of the processor time of a list.
 * <p>
 * <b>Concurrency.</b> Used by one thread. {@link #close()} and the cancellation may come
 * from others. This object's monitor guards what the timer's thread uses.
 */
final class ServerCall implements Closeable {

	private static final Logger logger = LoggerFactory.getLogger(ServerCall.class);

	/**
	 * Maximum number of times that one call may be sent, for instance to servers that
	 * accept connections only to close them.
	 */
	private static final int MAX_ATTEMPTS = 10;

	/** Time until what has expired must have ended. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	/** Message of OkHttp when the call timeout ends. */
	private static final String CALL_TIMEOUT = "timeout";

	/** Message of OkHttp about a connection on which a ping was not answered. */
	private static final String PING_MISSED = "stream was reset: PROTOCOL_ERROR";

	private final KubernetesConnection connection;

	private final Call call;

	private final CallLimits limits;

	private final Cancellation cancellation;

	/** Whether an interrupt ends the call, as its thread is one of the user. */
	private final boolean interruptible;

	private final Closeable cancelCall = this::cancel;

	private final long began = System.nanoTime();

	private volatile @Nullable Response response;

	private volatile Duration idle;

	/** The nano time since which the caller waits for data; zero if it does not. */
	private volatile long waitingSince;

	/** The time of the last data; the time of the response before. */
	private long lastData;

	private Duration silence = Duration.ZERO;

	private boolean complete;

	private int attempts;

	/** The thread that waits for the response. Guarded by the monitor. */
	private @Nullable Thread opening;

	/** Guarded by the monitor. */
	private @Nullable Future<?> timer;

	/** Guarded by the monitor. */
	private int expirations;

	/** The socket of the latest attempt. */
	private volatile @Nullable Socket socket;

	ServerCall(KubernetesConnection connection, OkHttpClient client, Request request, CallLimits limits,
			Cancellation cancellation, boolean interruptible) {
		this.connection = connection;
		this.limits = limits.map(connection::scaled);
		this.idle = this.limits.idle();
		this.cancellation = cancellation;
		this.interruptible = interruptible;
		this.call = client.newCall(request.newBuilder().tag(ServerCall.class, this).build());
		this.call.timeout().timeout(TimeSource.nanos(this.limits.total()), TimeUnit.NANOSECONDS);
	}

	/**
	 * Send the request, wait for the response and return its body.
	 * @throws ServerStatusException if the server answers with a failure
	 * @throws SocketTimeoutException if it does not answer in time
	 */
	InputStream open(StatusReader errors) throws IOException {
		this.cancellation.register(this.cancelCall);
		this.connection.register(this.cancelCall);
		clearInterrupt();
		beginOpening();
		try {
			Response response = this.call.execute();
			this.response = response;
			if (!response.isSuccessful()) {
				throw new ServerStatusException(status(response, errors));
			}
			// The idle timeout replaces the read timeout.
			response.body().source().timeout().timeout(0, TimeUnit.NANOSECONDS);
			this.lastData = System.nanoTime();
			return new Body(response.body().byteStream());
		}
		catch (Exception ex) {
			throw (ex instanceof ServerStatusException refusal) ? refusal : failure(ex);
		}
		finally {
			endOpening();
		}
	}

	private synchronized void beginOpening() {
		this.opening = Thread.currentThread();
		expireAfter(this.limits.connect());
	}

	private synchronized void expireAfter(Duration limit) {
		stopTimer();
		this.timer = this.connection.schedule(this::expire, limit);
	}

	private synchronized void stopTimer() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

	private synchronized void endOpening() {
		this.opening = null;
		idleTimeout(this.idle);
		if (this.expirations > 0) {
			Thread.interrupted();
		}
	}

	private void expire() {
		if (isIdle()) {
			cancel();
		}
		else if (interrupt()) {
			cancel();
			Socket current = this.socket;
			if (current != null) {
				ConnectionSockets.abort(current);
			}
		}
	}

	/**
	 * Return whether the caller has waited for data as long as it may. If it has not,
	 * look again when it will have.
	 */
	private synchronized boolean isIdle() {
		if (this.opening != null || this.timer == null) {
			return false;
		}
		long since = this.waitingSince;
		Duration left = (since != 0) ? this.idle.minusNanos(System.nanoTime() - since) : this.idle;
		boolean expired = left.isNegative();
		if (expired) {
			this.expirations++;
		}
		expireAfter(expired ? grace() : left);
		return expired;
	}

	/**
	 * Interrupt the thread if it waits for the response, and return whether it does.
	 */
	private synchronized boolean interrupt() {
		if (this.opening == null) {
			return false;
		}
		this.expirations++;
		if (this.expirations == 2) {
			logger.warn("Request for {} was cancelled ({}) but did not end within {} ms; interrupting its thread again",
					this.call.request().url().encodedPath(), overdue(), TimeSource.millis(grace()));
		}
		expireAfter(grace());
		this.opening.interrupt();
		return true;
	}

	/**
	 * Set the limits of an attempt, before its connection is chosen.
	 */
	Response limit(Interceptor.Chain chain) throws IOException {
		clearInterrupt();
		long millis = Math.min(Integer.MAX_VALUE, TimeSource.millis(this.limits.response()));
		return chain.withReadTimeout((int) Math.max(1, millis), TimeUnit.MILLISECONDS).proceed(chain.request());
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
		if (used.protocol() == Protocol.HTTP_1_1) {
			// The read timeout does the same until there is a response.
			used.socket().setSoTimeout(0);
		}
		this.socket = used.socket();
		long limit = TimeSource.nanos(this.limits.response()) + TimeSource.nanos(grace());
		expireAfter(Duration.ofNanos(limit).minus(elapsed()));
		clearInterrupt();
	}

	private Duration grace() {
		return this.connection.scaled(GRACE);
	}

	private Duration elapsed() {
		return Duration.ofNanos(System.nanoTime() - this.began);
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
	synchronized void idleTimeout(Duration limit) {
		this.idle = limit.isZero() ? this.limits.total() : limit;
		expireAfter(this.idle);
	}

	/**
	 * Return how long the connection may have been dead when OkHttp closed it because of
	 * a missed ping.
	 */
	Duration silence() {
		return this.silence;
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
		this.cancellation.unregister(this.cancelCall);
		stopTimer();
		if (!this.complete) {
			cancel();
		}
		Response current = this.response;
		if (current != null) {
			current.close();
		}
		if (!this.complete) {
			// It may have been ended because its connection is silent.
			this.connection.evictIdleConnections();
		}
		this.connection.unregister(this.cancelCall);
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
	 * their cancellation, those of a thread of the user by an interrupt as well.
	 */
	private void clearInterrupt() {
		if (!this.interruptible && !this.cancellation.isCancelled()) {
			Thread.interrupted();
		}
	}

	private IOException failure(Exception failure) {
		if (this.interruptible && isInterrupted(failure)) {
			Thread.currentThread().interrupt();
			return new InterruptedIOException("interrupted");
		}
		if (isTimeout(failure)) {
			// They lead to the same server.
			this.connection.evictIdleConnections();
			// Not as the cause, which is what a log shows: it may be a closed socket.
			SocketTimeoutException timeout = new SocketTimeoutException(overdue());
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

	/**
	 * Return whether an interrupt of the user's thread caused a failure. The socket of a
	 * virtual thread is closed by it.
	 */
	private boolean isInterrupted(Exception failure) {
		return !isTimeout(failure) && (failure instanceof InterruptedException
				|| failure instanceof InterruptedIOException || Thread.currentThread().isInterrupted());
	}

	/**
	 * Return whether a limit caused a failure. Before there is a connection, only the
	 * timer does: another timeout is one of an interceptor.
	 */
	private synchronized boolean isTimeout(Exception failure) {
		return this.expirations > 0 || (this.socket != null && (failure instanceof SocketTimeoutException
				|| (failure instanceof InterruptedIOException && CALL_TIMEOUT.equals(failure.getMessage()))));
	}

	private String overdue() {
		if (this.socket == null) {
			return overdue("no connection", this.limits.connect());
		}
		if (this.response == null) {
			return overdue("no response", this.limits.response());
		}
		return (elapsed().compareTo(this.limits.total()) < 0) ? overdue("no data", this.idle)
				: overdue("not complete", this.limits.total());
	}

	private static String overdue(String problem, Duration limit) {
		return problem + " within "
				+ ((limit.toSeconds() > 0) ? limit.toSeconds() + " s" : TimeSource.millis(limit) + " ms");
	}

	/**
	 * Reader of the body of a failed request.
	 */
	@FunctionalInterface
	interface StatusReader {

		ServerStatus read(int code, InputStream body) throws IOException;

	}

	private final class Body extends FilterInputStream {

		Body(InputStream in) {
			super(in);
		}

		@Override
		public int read(byte[] buffer, int offset, int length) throws IOException {
			clearInterrupt();
			ServerCall.this.waitingSince = System.nanoTime();
			try {
				int count = super.read(buffer, offset, length);
				ServerCall.this.lastData = System.nanoTime();
				ServerCall.this.complete |= count < 0;
				return count;
			}
			catch (IOException ex) {
				if (PING_MISSED.equals(ex.getMessage())) {
					ServerCall.this.silence = CallLimits.min(
							Duration.ofNanos(System.nanoTime() - ServerCall.this.lastData),
							ServerCall.this.connection.maxSilence());
				}
				throw failure(ex);
			}
			finally {
				ServerCall.this.waitingSince = 0;
			}
		}

	}

}
