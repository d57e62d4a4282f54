/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.util.Map;
import java.util.Optional;

import dev.informer.InformerFailure.Kind;
import dev.informer.Moment;
import dev.informer.TimeSource;
import dev.informer.client.FailureReason;
import dev.informer.leader.ElectionRequest.Failure;
import dev.informer.leader.ElectionRequest.Purpose;
import dev.informer.support.FailureLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Failures of the requests of an election. Written by the thread of the election, read by
 * any.
 */
final class ElectionFailures {

	private final LeaderElectionOptions options;

	private final TimeSource time;

	private final FailureLog log;

	private volatile @Nullable ElectionFailure latest;

	ElectionFailures(LeaderElectionOptions options, TimeSource time) {
		this.options = options;
		this.time = time;
		this.log = new FailureLog(LoggerFactory.getLogger(LeaderElector.class), time,
				"Election '" + options.name() + "'", Map.of("election", options.name()), 1);
	}

	/**
	 * Return the latest failure; empty after a success.
	 */
	Optional<ElectionFailure> latest() {
		return Optional.ofNullable(this.latest);
	}

	void reset() {
		this.latest = null;
	}

	/**
	 * Record the result of a request. A conflict is an answer like any other.
	 */
	void requested(Purpose purpose, @Nullable Failure failure, @Nullable Throwable cause) {
		if (failure == null || failure == Failure.CONFLICT) {
			this.latest = null;
			this.log.logSummaryIfDue();
			return;
		}
		ElectionFailure before = this.latest;
		Moment since = (before != null) ? before.since() : this.time.moment();
		FailureReason reason = (cause != null) ? FailureReason.of(cause) : null;
		boolean forbidden = reason != null && reason.kind() == Kind.FORBIDDEN;
		String message = "Election '" + this.options.name() + "' could not " + verb(purpose) + " the Lease "
				+ this.options.leaseNamespace() + "/" + this.options.leaseName() + ": "
				+ ((reason != null) ? reason.text() : "no answer");
		String remedy = (reason != null && !reason.remedy().isEmpty()) ? ". " + reason.remedy() : "";
		this.latest = new ElectionFailure(message + remedy, since, forbidden);
		this.log.report(Level.WARN, purpose.name(), message + "; retrying" + remedy, cause);
	}

	void listenerFailed(Throwable cause) {
		this.log.report(Level.ERROR, "listener", "Election '" + this.options.name() + "': a listener failed", cause);
	}

	private static String verb(Purpose purpose) {
		return switch (purpose) {
			case READ -> "read";
			case ACQUIRE -> "acquire";
			case RENEW -> "renew";
			case RELEASE -> "release";
		};
	}

}
