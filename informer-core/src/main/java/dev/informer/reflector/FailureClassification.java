/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;

import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import org.jspecify.annotations.Nullable;

/**
 * What a failed request means: its kind, in words, and how long to leave the server
 * alone.
 *
 * @param kind what sort of failure it is
 * @param message what failed and why
 * @param cap the longest delay before the next attempt
 * @param atLeast the shortest one
 * @param cause what was thrown
 */
record FailureClassification(Kind kind, String message, Duration cap, Duration atLeast, Throwable cause) {

	private static final Duration NO_CAP = Duration.ofDays(1);

	/**
	 * A server that refuses connections is restarting, and is to be found soon after it
	 * is back.
	 */
	private static final Duration REFUSED_CAP = Duration.ofSeconds(5);

	static FailureClassification of(Throwable failure, String verb, ReflectorSettings settings) {
		if (failure instanceof ServerStatusException refused) {
			return of(refused, verb, settings);
		}
		if (failure instanceof MalformedResponseException) {
			return new FailureClassification(Kind.MALFORMED_RESPONSE,
					"The answer to " + verb + " " + settings.where()
							+ " is not what a Kubernetes API server sends (is it one, or is a proxy in between?): "
							+ failure.getMessage(),
					NO_CAP, Duration.ZERO, failure);
		}
		if (failure instanceof IOException) {
			Duration cap = isRefused(failure) ? REFUSED_CAP : NO_CAP;
			return new FailureClassification(Kind.UNREACHABLE, "The API server cannot be reached to " + verb + " "
					+ settings.where() + ": " + rootMessage(failure), cap, Duration.ZERO, failure);
		}
		return new FailureClassification(Kind.OTHER, "Could not " + verb + " " + settings.where() + ": " + failure,
				NO_CAP, Duration.ZERO, failure);
	}

	static FailureClassification ofVeryShortWatch(@Nullable Throwable failure, ReflectorSettings settings) {
		String message = "The watch of " + settings.where() + " ended within a second without an event";
		return (failure != null)
				? new FailureClassification(Kind.UNREACHABLE, message + ": " + rootMessage(failure), NO_CAP,
						Duration.ZERO, failure)
				: new FailureClassification(Kind.UNREACHABLE, message + " (is there a proxy that does not stream?)",
						NO_CAP, Duration.ZERO, new IOException(message));
	}

	static FailureClassification ofBrokenWatch(Throwable failure, ReflectorSettings settings) {
		return new FailureClassification(Kind.UNREACHABLE,
				"The watch of " + settings.where() + " broke: " + rootMessage(failure), NO_CAP, Duration.ZERO, failure);
	}

	private static FailureClassification of(ServerStatusException failure, String verb, ReflectorSettings settings) {
		ServerStatus status = failure.status();
		Kind kind = kind(status);
		String where = settings.where();
		String text = switch (kind) {
			case UNAUTHORIZED -> "401: the API server does not accept the credentials to " + verb + " " + where
					+ "; check the token or certificate of the connection";
			case FORBIDDEN -> "403: may not " + verb + " " + where + "; needs the verbs list and watch on "
					+ settings.resourceType().qualifiedName()
					+ (settings.namespace().isEmpty() ? " by a ClusterRole" : " by a Role in " + settings.namespace());
			case NOT_FOUND -> "404: the API server does not serve " + settings.resourceType()
					+ "; is its CustomResourceDefinition missing, or the version another one?";
			case INVALID -> "400: the API server does not understand the request to " + verb + " " + where
					+ "; check its " + settings.selectors();
			case EXPIRED -> "The resource version to " + verb + " " + where + " from has expired";
			default -> "The API server failed to " + verb + " " + where;
		};
		Duration retryAfter = (status.retryAfter() != null) ? status.retryAfter() : Duration.ZERO;
		return new FailureClassification(kind, text + " (" + status + ")", NO_CAP, retryAfter, failure);
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

	private static boolean isRefused(@Nullable Throwable failure) {
		return failure != null && (failure instanceof ConnectException || isRefused(failure.getCause()));
	}

	private static String rootMessage(Throwable failure) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root.getClass().getSimpleName() + ((root.getMessage() != null) ? ": " + root.getMessage() : "");
	}

	boolean isRefusedConnection() {
		return isRefused(this.cause);
	}

	InformerFailure toFailure(Instant time) {
		return new InformerFailure(this.kind, this.message, time, this.cause);
	}

}
