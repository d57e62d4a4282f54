/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Maximum durations of the phases of a {@link ServerCall}; zero for none.
 *
 * @param connect the maximum time until there is a connection, TLS included
 * @param response the maximum time to wait for the response headers
 * @param idle the maximum time to wait for data of the body
 */
record CallLimits(Duration connect, Duration response, Duration idle, Duration total) {

	private static final Duration CONNECT = Duration.ofSeconds(15);

	/**
	 * Longer than an interval of the pings, so that they find a dead connection first.
	 */
	private static final Duration RESPONSE = Duration.ofSeconds(25);

	/**
	 * Time that a watch may exceed its {@code timeoutSeconds} before its connection is
	 * considered dead.
	 */
	private static final Duration WATCH_GRACE = Duration.ofSeconds(30);

	/**
	 * Limits of a list. The API server may take long to answer, but ends any list request
	 * after 60 s.
	 */
	static final CallLimits LIST = new CallLimits(CONNECT, Duration.ofSeconds(65), Duration.ofSeconds(30),
			Duration.ofSeconds(120));

	/**
	 * Return limits of a watch, to which the API server sends the response headers at
	 * once.
	 */
	static CallLimits ofWatch(Duration timeout) {
		return new CallLimits(CONNECT, RESPONSE, Duration.ZERO,
				Duration.ofNanos(TimeSource.nanos(timeout) + TimeSource.nanos(WATCH_GRACE)));
	}

	/**
	 * Return limits of a request whose result is needed within some time.
	 */
	static CallLimits ofTotal(Duration total) {
		return new CallLimits(min(CONNECT, total), min(RESPONSE, total), total, total);
	}

	static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	CallLimits map(UnaryOperator<Duration> scale) {
		return new CallLimits(scale.apply(this.connect), scale.apply(this.response), scale.apply(this.idle),
				scale.apply(this.total));
	}

}
