/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.EOFException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.CredentialsException;
import dev.informer.InformerFailure.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Reason of a failed request to the API server, regardless of what was requested.
 *
 * @param kind the kind of the failure
 * @param text the reason in one line
 * @param remedy the remedy as a sentence; empty without one
 * @param unavailable whether no server answered, or one that has no etcd or is none
 */
public record FailureReason(Kind kind, String text, String remedy, boolean unavailable) {

	private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

	/** Messages of OkHttp about the answer of a proxy to the method {@code CONNECT}. */
	private static final Pattern PROXY = Pattern
		.compile("Failed to authenticate with proxy|Unexpected response code for CONNECT: (\\d+)");

	/** Message of okio about an early end, followed by what it has received. */
	private static final String EARLY_END = "\\n not found";

	private FailureReason(Kind kind, String text, String remedy) {
		this(kind, text, remedy, false);
	}

	/**
	 * Find the reason of a failure.
	 * @param failure the failure of a request
	 * @return the reason
	 */
	public static FailureReason of(Throwable failure) {
		TlsFailure tls = TlsFailure.of(failure);
		if (tls != null) {
			return new FailureReason(Kind.UNREACHABLE, tls.reason(), tls.remedy(), true);
		}
		if (failure instanceof ServerStatusException refusal) {
			ServerStatus status = refusal.status();
			return (status.code() == PROXY_AUTHENTICATION_REQUIRED) ? unauthorizedProxy() : of(status);
		}
		if (failure instanceof CredentialsException) {
			return new FailureReason(Kind.UNAUTHORIZED, "no credentials, " + failure.getMessage(), "");
		}
		if (failure instanceof MalformedResponseException) {
			return new FailureReason(Kind.MALFORMED_RESPONSE, "invalid response, " + failure.getMessage(),
					"Check that the URL is that of a Kubernetes API server and that no proxy answers in its place.");
		}
		if (failure instanceof IOException) {
			FailureReason proxy = ofProxy(String.valueOf(failure.getMessage()));
			return (proxy != null) ? proxy
					: new FailureReason(Kind.UNREACHABLE, "API server unreachable, " + rootMessage(failure), "", true);
		}
		return new FailureReason(Kind.OTHER, failure.toString(), "");
	}

	private static @Nullable FailureReason ofProxy(String message) {
		Matcher matcher = PROXY.matcher(message);
		if (!matcher.find()) {
			return null;
		}
		return (matcher.group(1) == null) ? unauthorizedProxy()
				: new FailureReason(Kind.UNREACHABLE, "connection refused by the proxy (" + matcher.group(1) + ")",
						"Check that the proxy allows connections to the API server, and can reach it.", true);
	}

	private static FailureReason unauthorizedProxy() {
		return new FailureReason(Kind.UNREACHABLE,
				"user and password required by the proxy, or rejected (" + PROXY_AUTHENTICATION_REQUIRED + ")",
				"Check user and password in the URL of the proxy.", true);
	}

	private static FailureReason of(ServerStatus status) {
		Kind kind = kind(status);
		return new FailureReason(kind, status.toString(),
				(kind == Kind.UNAUTHORIZED) ? "Check the token or certificate of the connection." : "",
				status.code() >= 500);
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

	/**
	 * Return the class and the message of the first cause.
	 * @param failure the failure
	 * @return the text
	 */
	public static String rootMessage(Throwable failure) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		String message = root.getMessage();
		if (root instanceof EOFException && (message == null || message.startsWith(EARLY_END))) {
			return "the connection ended before a complete response";
		}
		return root.getClass().getSimpleName() + ((message != null) ? ": " + message : "");
	}

}
