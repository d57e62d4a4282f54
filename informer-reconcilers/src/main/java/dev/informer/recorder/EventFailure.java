/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.time.Duration;
import java.util.Objects;

import dev.informer.client.FailureReason;
import dev.informer.client.ServerStatusException;
import dev.informer.writer.ObjectWriteException;

/**
 * Failure to write an Event.
 *
 * @param code the HTTP status; 0 if the server has not answered
 * @param reason the reason in one line, without the message of the server, which may
 * quote the note
 * @param namespaceGone whether the namespace is deleted, or being deleted
 * @param retryAfter the minimum delay before the next write
 */
record EventFailure(int code, String reason, boolean namespaceGone, Duration retryAfter) {

	private static final int BAD_REQUEST = 400;

	private static final int UNAUTHORIZED = 401;

	private static final int FORBIDDEN = 403;

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int INTERNAL = 500;

	static EventFailure of(Throwable failure) {
		if (!(failure instanceof ObjectWriteException refusal)) {
			int code = (failure instanceof IllegalArgumentException) ? BAD_REQUEST : INTERNAL;
			return new EventFailure(code, failure.getClass().getName(), false, Duration.ZERO);
		}
		int code = refusal.getCode();
		Throwable cause = Objects.requireNonNullElse(refusal.getCause(), refusal);
		String reason = (code == 0) ? FailureReason.of(cause).text() : (code + " " + refusal.reason()).strip();
		// a path that is not served has no reason
		boolean missing = code == NOT_FOUND && !refusal.reason().isEmpty();
		boolean terminating = cause instanceof ServerStatusException answer && answer.status().isNamespaceTerminating();
		return new EventFailure(code, reason, missing || terminating, refusal.retryAfter().orElse(Duration.ZERO));
	}

	/**
	 * Return whether the Event exists or not, other than assumed: a write whose answer
	 * was lost has created it, or it was deleted, for example after its time to live.
	 */
	boolean isOtherwise(boolean created) {
		return this.code == (created ? NOT_FOUND : CONFLICT);
	}

	/**
	 * Return whether a write may succeed later. A missing right may be granted.
	 */
	boolean isTemporary() {
		return switch (this.code) {
			case UNAUTHORIZED, CONFLICT, TOO_MANY_REQUESTS -> true;
			case FORBIDDEN -> !this.namespaceGone;
			default -> this.code < 400 || this.code >= INTERNAL;
		};
	}

	/**
	 * Return whether writes of other Events would fail as well. A single webhook is the
	 * cause of most answers with 500.
	 */
	boolean isOutage() {
		return this.code < 400 || this.code == UNAUTHORIZED || this.code == TOO_MANY_REQUESTS || this.code > INTERNAL;
	}

	/**
	 * Return the remedy as the end of a sentence; empty without one.
	 */
	String remedy(String namespace) {
		return (this.code != FORBIDDEN) ? ""
				: ". Grant the verbs create and patch: kubectl create role NAME --namespace=" + namespace
						+ " --verb=create,patch --resource=events.events.k8s.io";
	}

}
