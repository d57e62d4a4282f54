/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Maximum durations of the phases of a {@link ServerCall}.
 *
 * @param connect the maximum time until there is a connection, TLS included
 * @param silence the maximum time to wait for the response headers on a connection that
 * delivers nothing, not even answers of HTTP/2 pings
 * @param response the maximum time until the response headers
 * @param idle the maximum time between data of the body
 * @param grace the maximum time that a call takes to end after it was cancelled
 */
record CallLimits(Duration connect, Duration silence, Duration response, Duration idle, Duration total,
		Duration grace) {

	private static final Duration GRACE = Duration.ofSeconds(5);

	private static final long FOREVER = ChronoUnit.FOREVER.getDuration().toSeconds();

	/**
	 * Limits of a list. The API server may take long to answer, but ends any list request
	 * after 60 s.
	 */
	static final CallLimits LIST = ofSeconds(15, 45, 65, 30, 120);

	/**
	 * Limits of a watch. The API server sends the response headers at once. The interval
	 * of the pings is shorter, so that a working HTTP/2 connection is never silent for
	 * that long.
	 */
	static final CallLimits WATCH = ofSeconds(15, 25, 25, FOREVER, FOREVER);

	/**
	 * Limits of a request for a discovery document.
	 */
	static final CallLimits DISCOVERY = ofSeconds(15, 25, 25, 30, 30);

	private static CallLimits ofSeconds(long connect, long silence, long response, long idle, long total) {
		return new CallLimits(Duration.ofSeconds(connect), Duration.ofSeconds(silence), Duration.ofSeconds(response),
				Duration.ofSeconds(idle), Duration.ofSeconds(total), GRACE);
	}

	/**
	 * Return limits of a request whose result is needed within some time.
	 */
	static CallLimits ofTotal(Duration total) {
		return new CallLimits(total, total, total, total, total, GRACE);
	}

	CallLimits withTotal(Duration other) {
		return new CallLimits(this.connect, this.silence, this.response, this.idle, other, this.grace);
	}

	/**
	 * Return limits that are multiplied by a factor.
	 */
	CallLimits scaled(double scale) {
		return new CallLimits(scaled(this.connect, scale), scaled(this.silence, scale), scaled(this.response, scale),
				scaled(this.idle, scale), scaled(this.total, scale), scaled(this.grace, scale));
	}

	static Duration scaled(Duration limit, double scale) {
		return Duration.ofNanos((long) (TimeSource.nanos(limit) * scale));
	}

}
