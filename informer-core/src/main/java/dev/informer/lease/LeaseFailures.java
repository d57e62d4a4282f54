/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.util.Map;
import java.util.Optional;

import dev.informer.InformerFailure.Kind;
import dev.informer.Moment;
import dev.informer.TimeSource;
import dev.informer.client.FailureReason;
import dev.informer.lease.LeaseRequest.Failure;
import dev.informer.lease.LeaseRequest.Purpose;
import dev.informer.support.FailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Failures of the requests for a Lease. Written by the thread of the protocol, read by
 * any.
 */
final class LeaseFailures {

	private final String subject;

	private final String lease;

	private final TimeSource time;

	private final FailureLog log;

	private volatile @Nullable LeaseFailure latest;

	/**
	 * Create a record without failures.
	 * @param subject what the Lease is for, as the subject of a sentence
	 * @param fields the fields of the log entries
	 */
	LeaseFailures(Logger logger, String subject, Map<String, String> fields, LeaseLocation location, TimeSource time) {
		this.subject = subject;
		this.lease = location.namespace() + "/" + location.name();
		this.time = time;
		this.log = new FailureLog(logger, time, subject, fields, 1);
	}

	/**
	 * Return the latest failure; empty after a success.
	 */
	Optional<LeaseFailure> latest() {
		return Optional.ofNullable(this.latest);
	}

	void reset() {
		this.latest = null;
	}

	void requested(Purpose purpose, @Nullable Failure failure, @Nullable Throwable cause) {
		if (failure == null || failure == Failure.CONFLICT) {
			this.latest = null;
			this.log.logSummaryIfDue();
			return;
		}
		LeaseFailure before = this.latest;
		Moment since = (before != null) ? before.since() : this.time.moment();
		FailureReason reason = (cause != null) ? FailureReason.of(cause) : null;
		boolean forbidden = reason != null && reason.kind() == Kind.FORBIDDEN;
		String message = this.subject + " could not " + verb(purpose) + " the Lease " + this.lease + ": "
				+ ((reason != null) ? reason.text() : "no answer");
		String remedy = (reason != null && !reason.remedy().isEmpty()) ? ". " + reason.remedy() : "";
		this.latest = new LeaseFailure(message + remedy, since, forbidden);
		this.log.report(Level.WARN, purpose.name(), message + "; retrying" + remedy, cause);
	}

	void listenerFailed(Throwable cause) {
		this.log.report(Level.ERROR, "listener", this.subject + ": a listener failed", cause);
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
