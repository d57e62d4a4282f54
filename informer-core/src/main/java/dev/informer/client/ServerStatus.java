/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A failure in the API server's own words, from the body of a refused request or from an
 * ERROR event.
 *
 * @param code the HTTP status code
 * @param reason the machine-readable reason, such as {@code Expired}; empty when there is
 * none
 * @param message the text for humans; empty when there is none
 * @param causes the reasons of the causes, such as {@code ResourceVersionTooLarge}; the
 * message of a cause that has none
 * @param retryAfter how long the server wants to be left alone; {@code null} when it does
 * not say
 */
public record ServerStatus(int code, String reason, String message, List<String> causes,
		@Nullable Duration retryAfter) {

	/**
	 * Whether the resource version asked for is not in the server's history any more.
	 * @return whether the code is 410, or the reason {@code Expired} or {@code Gone}
	 */
	public boolean isExpired() {
		return this.code == 410 || "Expired".equals(this.reason) || "Gone".equals(this.reason);
	}

	/**
	 * Whether the resource version asked for lies ahead of what the server has seen.
	 * @return whether a cause says {@code ResourceVersionTooLarge}, or a timeout says so
	 * in its message or in that of a cause, as servers before 1.19 do
	 */
	public boolean isResourceVersionTooLarge() {
		return this.causes.contains("ResourceVersionTooLarge") || ("Timeout".equals(this.reason)
				&& (isTooLarge(this.message) || this.causes.stream().anyMatch(ServerStatus::isTooLarge)));
	}

	private static boolean isTooLarge(String message) {
		return message.contains("Too large resource version");
	}

	/**
	 * Whether the server is there but cannot answer now.
	 * @return whether the code is 429, 500, 502, 503 or 504
	 */
	public boolean isOverloaded() {
		return switch (this.code) {
			case 429, 500, 502, 503, 504 -> true;
			default -> false;
		};
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder().append(this.code);
		if (!this.reason.isEmpty()) {
			text.append(' ').append(this.reason);
		}
		return this.message.isEmpty() ? text.toString() : text.append(": ").append(this.message).toString();
	}

}
