/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault;

import java.time.Duration;

/**
 * Maximum time from the moment at which the server can serve again until the caches are
 * current.
 */
enum Bar {

	/** After outages of up to 30 s. */
	SHORT(Duration.ofSeconds(5)),

	/** After longer outages, and after a 410 plus the list. */
	LONG(Duration.ofSeconds(10)),

	/**
	 * After an outage in which the host name did not resolve: Java uses the result of a
	 * failed lookup for 10 s.
	 */
	LOOKUP(Duration.ofSeconds(20)),

	/**
	 * After an outage in which an exec plugin hung: it is killed after 30 s.
	 */
	PLUGIN(Duration.ofSeconds(40)),

	/** After a half-open or silent break. */
	SILENT(Duration.ofSeconds(60));

	private final Duration maximum;

	Bar(Duration maximum) {
		this.maximum = maximum;
	}

	Duration maximum() {
		return this.maximum;
	}

}
