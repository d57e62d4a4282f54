/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

/**
 * Failures as the API server describes them.
 */
final class ReplayedStatus {

	/** Failure of a watch whose position is no longer in the log. */
	static final String EXPIRED = of("too old resource version", "Expired", 410);

	/** Failure of a request for an unknown resource. */
	static final String NOT_FOUND = of("the server could not find the requested resource", "NotFound", 404);

	private ReplayedStatus() {
	}

	private static String of(String message, String reason, int code) {
		return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
				+ message + "\",\"reason\":\"" + reason + "\",\"code\":" + code + "}";
	}

}
