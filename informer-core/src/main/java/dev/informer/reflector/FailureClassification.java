/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

import dev.informer.CredentialsException;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.ResourceType;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import org.jspecify.annotations.Nullable;

/**
 * Classification of a failed request: its kind, its description, and bounds of the delay
 * before the next attempt.
 *
 * @param kind the kind
 * @param problem the problem, as a predicate of the informer
 * @param reason the reason
 * @param remedy the remedy as a sentence; empty without one
 * @param unavailable whether no server answered, or one that has no etcd or is none
 * @param atLeast the minimum delay
 * @param cause the exception or error
 */
record FailureClassification(Kind kind, String problem, String reason, String remedy, boolean unavailable,
		Duration atLeast, Throwable cause) {

	private FailureClassification(Kind kind, String problem, String reason, String remedy, Throwable cause) {
		this(kind, problem, reason, remedy, false, Duration.ZERO, cause);
	}

	static FailureClassification of(Throwable failure, String verb, ReflectorSettings settings) {
		String problem = "cannot " + verb + " " + settings.where();
		TlsFailure tls = TlsFailure.of(failure);
		if (tls != null) {
			return new FailureClassification(Kind.UNREACHABLE, problem, tls.reason(), tls.remedy(), true, Duration.ZERO,
					failure);
		}
		if (failure instanceof ServerStatusException refusal) {
			ServerStatus status = refusal.status();
			Kind kind = kind(status);
			Duration retryAfter = (status.retryAfter() != null) ? status.retryAfter() : Duration.ZERO;
			return new FailureClassification(kind, problem, status.toString(), remedy(kind, verb, settings),
					status.code() >= 500, retryAfter, failure);
		}
		if (failure instanceof CredentialsException) {
			return new FailureClassification(Kind.UNAUTHORIZED, problem, "no credentials, " + failure.getMessage(), "",
					failure);
		}
		if (failure instanceof MalformedResponseException) {
			return new FailureClassification(Kind.MALFORMED_RESPONSE, problem,
					"invalid response, " + failure.getMessage(),
					"Check that the URL is that of a Kubernetes API server and that no proxy answers in its place.",
					failure);
		}
		if (failure instanceof IOException) {
			return new FailureClassification(Kind.UNREACHABLE, problem,
					"API server unreachable, " + rootMessage(failure), "", true, Duration.ZERO, failure);
		}
		return new FailureClassification(Kind.OTHER, problem, failure.toString(), "", failure);
	}

	static FailureClassification ofVeryShortWatch(@Nullable Throwable failure, ReflectorSettings settings) {
		String reason = (failure != null) ? rootMessage(failure) : "closed by the server or a proxy";
		return new FailureClassification(Kind.UNREACHABLE,
				"lost its watch of " + settings.where() + " within a second and without an event", reason,
				"Check that every proxy in between streams responses.",
				(failure != null) ? failure : new IOException("Watch closed within a second: " + reason));
	}

	static FailureClassification ofBrokenWatch(Throwable failure, ReflectorSettings settings) {
		return new FailureClassification(Kind.UNREACHABLE, "lost its watch of " + settings.where(),
				rootMessage(failure), "", failure);
	}

	private static Kind kind(ServerStatus status) {
		if (status.isExpired()) {
			return Kind.EXPIRED;
		}
		return switch (status.code()) {
			case 400 -> Kind.INVALID;
			case 401 -> Kind.UNAUTHORIZED;
			case 403 -> Kind.FORBIDDEN;
			case 404 -> Kind.NOT_FOUND;
			default -> status.isOverloaded() ? Kind.OVERLOADED : Kind.OTHER;
		};
	}

	private static String remedy(Kind kind, String verb, ReflectorSettings settings) {
		return switch (kind) {
			case UNAUTHORIZED -> "Check the token or certificate of the connection.";
			// the informer needs the right to watch as well, which was not tried yet
			case FORBIDDEN -> "Grant the " + (verb.equals("list") ? "verbs list and watch" : "verb " + verb) + " on "
					+ settings.resourceType().qualifiedName() + (settings.namespace().isEmpty() ? " by a ClusterRole."
							: " by a Role in " + settings.namespace() + ".");
			case NOT_FOUND -> isBuiltIn(settings.resourceType())
					? "Kubernetes has this resource: is the URL of the connection that of an API server? "
							+ "Correct the URL and its path, or use a version that the API server serves."
					: "Install the CustomResourceDefinition of " + settings.resourceType()
							+ ", or use a version that the API server serves.";
			case INVALID -> "Check " + settings.selectors() + ".";
			default -> "";
		};
	}

	private static boolean isBuiltIn(ResourceType<?> resourceType) {
		return ResourceType.official()
			.values()
			.stream()
			.anyMatch((official) -> official.group().equals(resourceType.group())
					&& official.plural().equals(resourceType.plural()));
	}

	private static String rootMessage(Throwable failure) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root.getClass().getSimpleName() + ((root.getMessage() != null) ? ": " + root.getMessage() : "");
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
		return isUnreachable() || (this.cause instanceof ServerStatusException refusal && refusal.status().code() >= 502
				&& refusal.status().code() <= 504);
	}

	/**
	 * Return whether the API server itself rejects the request. A proxy may send a 400,
	 * too, but no {@code Status}.
	 */
	boolean isPermanent() {
		return this.kind == Kind.INVALID && this.cause instanceof ServerStatusException refusal
				&& !refusal.status().reason().isEmpty();
	}

	/**
	 * Return the failure as listeners know it.
	 * @param time the time of the failure
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
