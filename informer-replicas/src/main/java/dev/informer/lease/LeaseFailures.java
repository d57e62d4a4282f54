/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

import dev.informer.client.FailureReason;
import dev.informer.client.FailureReason.Kind;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.support.FailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Failures of the requests for a Lease and of its watch, and what is wrong although they
 * succeed. Each field is written by one thread, and read by any. What is known is changed
 * before it is logged.
 */
final class LeaseFailures {

	private final String subject;

	private final String lease;

	private final TimeSource time;

	/** Time after which a failed write is not one of the same outage as the next one. */
	private final long outageNanos;

	private final FailureLog log;

	private volatile @Nullable LeaseFailure latest;

	private volatile @Nullable LeaseFailure watch;

	private volatile @Nullable LeaseFailure problem;

	/** First and last failure of the writes since the last successful one. */
	private @Nullable Moment writesFailSince;

	private @Nullable Moment writeFailed;

	/**
	 * Create a record without failures.
	 * @param subject what the Lease is for, as the subject of a sentence
	 */
	LeaseFailures(Logger logger, String subject, Map<String, String> fields, LeaseLocation location, TimeSource time) {
		this.subject = subject;
		this.lease = location.namespace() + "/" + location.name();
		this.time = time;
		// a read and a write that time out, and the pauses before them
		this.outageNanos = 8 * TimeSource.nanos(location.timeout());
		this.log = new FailureLog(logger, time::nanoTime, subject, fields, 1);
	}

	/**
	 * Return the latest failure of a request, or to start the watch; empty after a
	 * success.
	 */
	Optional<LeaseFailure> latest() {
		return Optional.ofNullable(this.latest).or(() -> Optional.ofNullable(this.watch));
	}

	Optional<LeaseFailure> problem() {
		return Optional.ofNullable(this.problem);
	}

	void reset() {
		this.latest = null;
		this.watch = null;
		this.problem = null;
		this.writesFailSince = null;
	}

	void requested(Purpose purpose, @Nullable Failure failure, @Nullable Throwable cause) {
		if (failure == null || failure == Failure.CONFLICT) {
			if (failure == null && purpose != Purpose.READ) {
				this.writesFailSince = null;
			}
			answered();
			return;
		}
		FailureReason reason = (cause != null) ? reason(cause) : null;
		boolean forbidden = reason != null && reason.kind() == Kind.FORBIDDEN;
		String message = this.subject + " could not " + verb(purpose) + " the Lease " + this.lease + ": "
				+ ((reason != null) ? reason.text() : "no answer");
		String remedy = (reason != null && !reason.remedy().isEmpty()) ? ". " + reason.remedy() : "";
		this.latest = new LeaseFailure(message + remedy, since(purpose), forbidden);
		// the message of a failed request says everything, and its cause may quote the
		// server
		this.log.report(Level.WARN, purpose.name(), message + "; retrying" + remedy,
				(cause instanceof IOException) ? null : cause);
	}

	/**
	 * Return the time of the first failure. A successful read between two failed writes
	 * is no success of the writes.
	 */
	private Moment since(Purpose purpose) {
		Moment now = this.time.moment();
		LeaseFailure before = this.latest;
		Moment since = (before != null) ? before.since() : now;
		if (purpose != Purpose.READ) {
			Moment earlier = this.writesFailSince;
			Moment last = this.writeFailed;
			if (earlier != null && last != null && TimeSource.nanos(last.age(this.time)) < this.outageNanos) {
				since = earlier;
			}
			this.writesFailSince = since;
			this.writeFailed = now;
		}
		return since;
	}

	/**
	 * Note that the watch has answered what a failed request has asked. Writes that fail
	 * later may be of the same outage.
	 */
	void answered() {
		this.latest = null;
		this.log.logSummaryIfDue();
	}

	private static FailureReason reason(Throwable cause) {
		return (cause instanceof AlteredLeaseException altered)
				? new FailureReason(Kind.OTHER, String.valueOf(altered.getMessage()), "", false)
				: FailureReason.of(cause);
	}

	void startFailed(Throwable cause) {
		this.latest = new LeaseFailure(this.subject + " could not start: " + reason(cause).text(), this.time.moment(),
				false);
	}

	void watchStarted() {
		this.watch = null;
	}

	void watchFailed(Throwable cause) {
		LeaseFailure before = this.watch;
		FailureReason reason = reason(cause);
		String message = this.subject + " could not watch its Leases: " + reason.text();
		this.watch = new LeaseFailure(message, (before != null) ? before.since() : this.time.moment(), false);
		this.log.report(Level.WARN, "watch", message + "; retrying", cause);
	}

	/**
	 * Note what is wrong although requests succeed.
	 * @param text the end of a sentence; {@code null} for nothing
	 */
	void problem(@Nullable String text) {
		LeaseFailure before = this.problem;
		if (text == null) {
			this.problem = null;
			return;
		}
		String message = this.subject + " " + text;
		if (before == null || !before.message().equals(message)) {
			this.problem = new LeaseFailure(message, (before != null) ? before.since() : this.time.moment(), false);
			this.log.report(Level.WARN, text, message, null);
		}
	}

	void listenerFailed(Throwable cause) {
		this.log.report(Level.ERROR, "listener", this.subject + ": a listener failed", cause);
	}

	void threadFailed(Throwable cause) {
		this.log.report(Level.ERROR, "thread", this.subject + ": its thread failed; continuing", cause);
	}

	private static String verb(Purpose purpose) {
		return switch (purpose) {
			case READ -> "read";
			case ACQUIRE -> "acquire";
			case RENEW -> "renew";
			case RELEASE -> "release";
			case COLLECT -> "collect";
		};
	}

}
