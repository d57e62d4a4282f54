/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * Failure reported by the API server, in the body of a failed request or in an ERROR
 * event.
 *
 * @param code the HTTP status code
 * @param reason the machine-readable reason, such as {@code Expired}; may be empty
 * @param message the human-readable text; may be empty
 * @param causes the reasons of the causes, such as {@code ResourceVersionTooLarge}; the
 * message of a cause without reason
 * @param retryAfter the minimum delay before the next request, of which the server can
 * choose at most five minutes; {@code null} if it does not specify one
 */
public record ServerStatus(int code, String reason, String message, List<String> causes,
		@Nullable Duration retryAfter) {

	private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(5);

	private static final int MAX_REASON = 100;

	/** Number of causes that are kept. */
	private static final int MAX_CAUSES = 20;

	private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

	/**
	 * Create a status. Texts are converted for messages, and a longer delay is shortened
	 * to its maximum.
	 */
	public ServerStatus {
		reason = UntrustedText.of(reason, MAX_REASON);
		message = UntrustedText.of(message);
		causes = causes.stream().limit(MAX_CAUSES).map(UntrustedText::of).toList();
		if (retryAfter != null && retryAfter.compareTo(MAX_RETRY_AFTER) > 0) {
			retryAfter = MAX_RETRY_AFTER;
		}
	}

	/**
	 * Return this status with the minimum delay of a header {@code Retry-After};
	 * {@code null} without one.
	 */
	ServerStatus withRetryAfter(@Nullable String header) {
		if (header == null || !SECONDS.matcher(header).matches()) {
			return this;
		}
		return new ServerStatus(this.code, this.reason, this.message, this.causes,
				Duration.ofSeconds(Long.parseLong(header)));
	}

	/**
	 * Return whether the requested resource version has been compacted.
	 * @return whether the code is 410, or the reason {@code Expired} or {@code Gone}
	 */
	public boolean isExpired() {
		return this.code == 410 || "Expired".equals(this.reason) || "Gone".equals(this.reason);
	}

	/**
	 * Return whether the namespace refuses new objects because it is being deleted.
	 * @return whether the code is 403, and the message says so
	 */
	public boolean isNamespaceTerminating() {
		return this.code == 403 && this.message.contains("because it is being terminated");
	}

	/**
	 * Return whether the response points to another URL, as API servers never do.
	 */
	boolean isRedirect() {
		return this.code >= 300 && this.code < 400;
	}

	/**
	 * Return whether the requested resource version is newer than the server's cache.
	 * @return whether a cause is {@code ResourceVersionTooLarge}, or the message of a
	 * timeout or of its cause says so, as servers before 1.19 do
	 */
	public boolean isResourceVersionTooLarge() {
		return this.causes.contains("ResourceVersionTooLarge") || ("Timeout".equals(this.reason)
				&& (isTooLarge(this.message) || this.causes.stream().anyMatch(ServerStatus::isTooLarge)));
	}

	private static boolean isTooLarge(String message) {
		return message.contains("Too large resource version");
	}

	/**
	 * Return whether the server is temporarily unable to answer.
	 * @return whether the code is 429, 500, 502, 503 or 504
	 */
	public boolean isOverloaded() {
		return switch (this.code) {
			case 429, 500, 502, 503, 504 -> true;
			default -> false;
		};
	}

	/**
	 * Return whether a load balancer reports that no server answers.
	 * @return whether the code is 502, 503 or 504
	 */
	public boolean isOfGateway() {
		return this.code >= 502 && this.code <= 504;
	}

	@Override
	public String toString() {
		String text = this.reason.isEmpty() ? Integer.toString(this.code) : this.code + " " + this.reason;
		return this.message.isEmpty() ? text : text + ": " + this.message;
	}

}
