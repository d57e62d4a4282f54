/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import okhttp3.Call;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * End of the current phase of a {@link ServerCall}. It cancels the call, and aborts its
 * connection if that has delivered nothing. The end may move later while the timer runs:
 * when it fires, it asks for the remaining time and continues.
 * <p>
 * The timer is not that of okio, which all clients of the process share: one timeout that
 * blocks its thread would disable all others.
 * <p>
 * OkHttp cannot cancel everything that a call may wait for: interceptors of the caller's
 * client, name servers, locks, a handshake between two of its steps. If a call does not
 * end soon after its cancellation, its thread is interrupted, and its connection and
 * those that are not established in time are aborted, again and again.
 * <p>
 * <b>Concurrency.</b> The thread of the call reports its phases; the timer's thread
 * expires.
 */
final class CallDeadline {

	private static final Logger logger = LoggerFactory.getLogger(ServerCall.class);

	private final KubernetesConnection connection;

	private final Call call;

	private final CallLimits limits;

	private final RequestThread thread = new RequestThread();

	private final Object lock = new Object();

	/** Guarded by the lock. */
	private boolean running;

	/** Guarded by the lock. */
	private @Nullable Future<?> alarm;

	private final long began = System.nanoTime();

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
	private volatile @Nullable String reason;

	/** Whether the connection delivered no data until the call timed out. */
	private volatile boolean dead;

	/** The nano time of the last attempt to end the call. */
	private volatile long cancelled;

	private boolean overdue;

	private long now;

	private long remaining;

	private String problem = "";

	CallDeadline(KubernetesConnection connection, Call call, CallLimits limits) {
		this.connection = connection;
		this.call = call;
		this.limits = limits;
		this.idle = limits.idle();
	}

	/**
	 * Start to run, or ask for the remaining time again because the end moved earlier.
	 */
	void restart() {
		synchronized (this.lock) {
			this.running = true;
			schedule(remainingNanos());
		}
	}

	/**
	 * End without expiring.
	 */
	void stop() {
		synchronized (this.lock) {
			this.running = false;
			cancelAlarm();
		}
	}

	private void schedule(long nanos) {
		cancelAlarm();
		this.alarm = this.connection.timer().schedule(this::check, Math.max(1, nanos), TimeUnit.NANOSECONDS);
	}

	private void cancelAlarm() {
		if (this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
	}

	private void check() {
		if (isExpired()) {
			try {
				expired();
			}
			finally {
				synchronized (this.lock) {
					if (this.running) {
						schedule(remainingNanos());
					}
				}
			}
		}
	}

	private boolean isExpired() {
		synchronized (this.lock) {
			if (!this.running) {
				return false;
			}
			long remaining = remainingNanos();
			if (remaining > 0) {
				schedule(remaining);
			}
			return remaining <= 0;
		}
	}

	/**
	 * Note that the request is about to be sent on the connection with this socket.
	 */
	void connected(Socket used) {
		this.awaitingSince = System.nanoTime();
		this.socket = used;
	}

	/**
	 * Note that the response headers have been received.
	 */
	void opened() {
		this.opened = true;
		restart();
	}

	/**
	 * Note that the current thread waits for the response, or for data of its body.
	 */
	void beginWait() {
		if (this.opened) {
			this.awaitingSince = System.nanoTime();
			this.reading = true;
		}
		this.thread.begin();
	}

	void endWait() {
		this.thread.end();
		this.reading = false;
	}

	/**
	 * Set the maximum time to wait for data of the body; zero for none.
	 */
	void idleTimeout(Duration limit) {
		this.idle = limit.isZero() ? this.limits.total() : limit;
		restart();
	}

	/**
	 * Return why the call timed out; {@code null} if it did not.
	 */
	@Nullable String reason() {
		return this.reason;
	}

	/**
	 * Return whether the connection delivered no data until the call timed out.
	 */
	boolean isConnectionDead() {
		return this.dead;
	}

	Duration silence() {
		return (this.socket instanceof MonitoredSocket monitored) ? monitored.silence() : Duration.ZERO;
	}

	private long remainingNanos() {
		this.now = System.nanoTime();
		this.remaining = Long.MAX_VALUE;
		if (this.reason != null) {
			return TimeSource.nanos(this.limits.grace()) - (this.now - this.cancelled);
		}
		if (this.opened) {
			limit(this.limits.total(), this.began, "not complete");
			limit(this.idle, this.reading ? this.awaitingSince : this.now, "no data");
		}
		else if (this.socket == null) {
			limit(this.limits.connect(), this.began, "no connection");
		}
		else {
			limit(this.limits.response(), this.began, "no response");
			limit(this.limits.silence(), silentSince(), "no response");
		}
		return this.remaining;
	}

	private void limit(Duration limit, long since, String name) {
		long left = TimeSource.nanos(limit) - (this.now - since);
		if (left < this.remaining) {
			this.remaining = left;
			this.problem = name + " within "
					+ ((limit.toSeconds() > 0) ? limit.toSeconds() + " s" : TimeSource.millis(limit) + " ms");
		}
	}

	/**
	 * Return the nano time since which the connection has delivered nothing, also no data
	 * of other calls.
	 */
	private long silentSince() {
		long since = this.awaitingSince;
		if (this.socket instanceof MonitoredSocket monitored && monitored.lastData() - since > 0) {
			return monitored.lastData();
		}
		return since;
	}

	private void expired() {
		this.cancelled = System.nanoTime();
		Socket current = this.socket;
		if (this.reason != null) {
			if (this.thread.interrupt()) {
				endOverdue(current);
			}
			return;
		}
		this.dead = silentSince() == this.awaitingSince;
		this.reason = this.problem;
		cancelCall();
		if (current != null && this.dead) {
			ConnectionSockets.abort(current);
		}
	}

	private void endOverdue(@Nullable Socket current) {
		if (!this.overdue) {
			this.overdue = true;
			logger.warn("Request for {} was cancelled ({}) but did not end within {} ms; interrupting its thread",
					this.call.request().url().encodedPath(), this.reason, TimeSource.millis(this.limits.grace()));
		}
		if (current != null) {
			ConnectionSockets.abort(current);
		}
		this.connection.abortUnusedSockets(this.limits.connect());
	}

	void cancelCall() {
		try {
			this.call.cancel();
		}
		catch (RuntimeException ex) {
			// ignored: thrown by an event listener of the caller's client, after the call
			// was cancelled
		}
	}

}
