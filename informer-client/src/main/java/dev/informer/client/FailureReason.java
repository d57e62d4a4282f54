/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.client.ResourceDiscovery.WrongScopeException;
import dev.informer.support.FailureText;
import dev.informer.support.UntrustedText;
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

	/** User of requests without credentials, in the message of a 403. */
	private static final String ANONYMOUS = "\"system:anonymous\"";

	/** Message of okio about an early end, followed by what it has received. */
	private static final String EARLY_END = "\\n not found";

	/**
	 * Create a reason.
	 */
	public FailureReason {
		text = UntrustedText.of(text);
	}

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
			return new FailureReason(Kind.UNAUTHORIZED, "no credentials, " + FailureText.message(failure), "");
		}
		if (failure instanceof MalformedResponseException) {
			return new FailureReason(Kind.MALFORMED_RESPONSE, "invalid response, " + FailureText.message(failure),
					"Check that the URL is that of a Kubernetes API server and that no proxy answers in its place.");
		}
		if (failure instanceof IOException) {
			FailureReason proxy = ofProxy(String.valueOf(FailureText.message(failure)));
			return (proxy != null) ? proxy
					: new FailureReason(Kind.UNREACHABLE, "API server unreachable, " + rootMessage(failure), "", true);
		}
		return (failure instanceof WrongScopeException scope)
				? new FailureReason(Kind.OTHER, String.valueOf(scope.getMessage()), scope.remedy())
				: new FailureReason(Kind.OTHER, FailureText.of(failure), "");
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
		return new FailureReason(kind, status.toString(), remedy(kind, status), status.code() >= 500);
	}

	private static String remedy(Kind kind, ServerStatus status) {
		if (status.isRedirect()) {
			return "Redirects are not followed. Use the URL of the API server itself for the connection, "
					+ "and check that no proxy answers in its place.";
		}
		if (kind == Kind.FORBIDDEN && status.message().contains(ANONYMOUS)) {
			// an aggregated API server that starts does not know its clients yet
			return "The API server has recognized no credentials. Check those of the connection, or that the API server "
					+ "has started; grant no rights to this user.";
		}
		return (kind == Kind.UNAUTHORIZED) ? "Check the token or certificate of the connection." : "";
	}

	private static Kind kind(ServerStatus status) {
		if (status.isExpired()) {
			return Kind.EXPIRED;
		}
		if (status.isRedirect()) {
			return Kind.MALFORMED_RESPONSE;
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
		List<Throwable> causes = FailureText.withCauses(failure);
		Throwable root = causes.get(causes.size() - 1);
		String message = FailureText.message(root);
		if (root instanceof EOFException && (message == null || message.startsWith(EARLY_END))) {
			return "the connection ended before a complete response";
		}
		return root.getClass().getSimpleName() + ((message != null) ? ": " + message : "");
	}

	/**
	 * Kinds of failed requests.
	 */
	public enum Kind {

		/** The server is unreachable or the connection broke. */
		UNREACHABLE,

		/** 401: the server did not accept the credentials. */
		UNAUTHORIZED,

		/** 403: a permission is missing. */
		FORBIDDEN,

		/** 404: the server does not serve the resource. */
		NOT_FOUND,

		/** 400: the server rejected the request, for example because of a selector. */
		INVALID,

		/** 410: the resource version has expired. */
		EXPIRED,

		/** 429 or 5xx: the server is overloaded or unavailable. */
		OVERLOADED,

		/** The response is not one of a Kubernetes API server. */
		MALFORMED_RESPONSE,

		/** Any other failure. */
		OTHER

	}

}
