/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.cache.ObjectSizes.SizeLimitException;
import dev.informer.client.FailureReason;
import dev.informer.client.ServerStatusException;
import org.jspecify.annotations.Nullable;

/**
 * Classification of a failed request: its kind, its description, and bounds of the delay
 * before the next attempt.
 *
 * @param problem the problem, as a predicate of the informer
 * @param remedy the remedy as a sentence; empty without one
 * @param unavailable whether no server answered, or one that has no etcd or is none
 * @param atLeast the minimum delay
 */
record FailureClassification(Kind kind, String problem, String reason, String remedy, boolean unavailable,
		Duration atLeast, Throwable cause) {

	private static final int METHOD_NOT_ALLOWED = 405;

	private FailureClassification(Kind kind, String problem, String reason, String remedy, Throwable cause) {
		this(kind, problem, reason, remedy, false, Duration.ZERO, cause);
	}

	static FailureClassification of(Throwable failure, String verb, ReflectorSettings settings) {
		if (failure instanceof SizeLimitException) {
			return new FailureClassification(Kind.SIZE_LIMIT, "cannot " + verb + " " + settings.where(),
					String.valueOf(failure.getMessage()),
					"Delete objects, select fewer, or raise max-size and the heap.", failure);
		}
		FailureReason reason = FailureReason.of(failure);
		Kind kind = Kind.valueOf(reason.kind().name());
		Duration retryAfter = (failure instanceof ServerStatusException refusal) ? refusal.status().retryAfter() : null;
		String remedy = isWatchUnsupported(failure, verb)
				? "The server lists this resource, but has no watch of it. Set watch to false: the informer then polls."
				: reason.remedy();
		return new FailureClassification(kind, "cannot " + verb + " " + settings.where(), reason.text(),
				remedy.isEmpty() ? remedy(kind, verb, settings) : remedy, reason.unavailable(),
				(retryAfter != null) ? retryAfter : Duration.ZERO, failure);
	}

	static FailureClassification ofVeryShortWatch(@Nullable Throwable failure, ReflectorSettings settings) {
		String reason = (failure != null) ? FailureReason.rootMessage(failure) : "closed by the server or a proxy";
		return new FailureClassification(Kind.UNREACHABLE,
				"lost its watch of " + settings.where() + " within a second and without an event", reason,
				"Check that every proxy in between streams responses.",
				(failure != null) ? failure : new IOException("Watch closed within a second: " + reason));
	}

	static FailureClassification ofBrokenWatch(Throwable failure, ReflectorSettings settings) {
		return new FailureClassification(Kind.UNREACHABLE, "lost its watch of " + settings.where(),
				FailureReason.rootMessage(failure), "", failure);
	}

	private static boolean isWatchUnsupported(Throwable failure, String verb) {
		return verb.equals("watch") && failure instanceof ServerStatusException refusal
				&& refusal.status().code() == METHOD_NOT_ALLOWED;
	}

	private static String remedy(Kind kind, String verb, ReflectorSettings settings) {
		return switch (kind) {
			// the informer needs the right to watch as well, which was not tried yet
			case FORBIDDEN -> "Grant the "
					+ ((verb.equals("list") && settings.options().watch()) ? "verbs list and watch" : "verb " + verb)
					+ " on " + settings.resourceType().qualifiedName() + (settings.namespace().isEmpty()
							? " by a ClusterRole." : " by a Role in " + settings.namespace() + ".");
			case NOT_FOUND -> settings.resourceType().isBuiltIn()
					? "Kubernetes has this resource: is the URL of the connection that of an API server? "
							+ "Correct the URL and its path, or use a version that the API server serves."
					: "Install the CustomResourceDefinition of " + settings.resourceType()
							+ " or its aggregated API server, or use a version that is served.";
			case INVALID -> "Check " + settings.selectors() + ".";
			default -> "";
		};
	}

	/**
	 * Return whether no server answered: the connection was refused, reset or timed out
	 * before the response.
	 */
	boolean isUnreachable() {
		return this.unavailable && this.kind == Kind.UNREACHABLE;
	}

	/**
	 * Return whether the next server may be another one, or have a restored etcd that has
	 * passed the last version again. A load balancer in front of the server sends the
	 * status codes while there is none.
	 */
	boolean mayBeReplaced() {
		return isUnreachable()
				|| (this.cause instanceof ServerStatusException refusal && refusal.status().isOfGateway());
	}

	/**
	 * Return whether the API server itself rejects the request as invalid. A proxy may
	 * send a 400, too, but no {@code Status}.
	 */
	boolean isRejection() {
		return this.kind == Kind.INVALID && this.cause instanceof ServerStatusException refusal
				&& !refusal.status().reason().isEmpty();
	}

	/**
	 * Return the failure as listeners know it.
	 * @param action the next action; empty to leave it out
	 */
	InformerFailure toFailure(Instant time, String action) {
		String message = Character.toUpperCase(this.problem.charAt(0)) + this.problem.substring(1) + ": " + this.reason
				+ (action.isEmpty() ? "" : "; " + action) + (this.remedy.isEmpty() ? "" : ". " + this.remedy);
		return new InformerFailure(this.kind, message, time, this.cause);
	}

	/**
	 * Return the failure as a line of the log, without its subject.
	 * @param action the next action
	 */
	String toLog(String action) {
		return this.problem + " (" + this.reason + "); " + action + (this.remedy.isEmpty() ? "" : ". " + this.remedy);
	}

}
