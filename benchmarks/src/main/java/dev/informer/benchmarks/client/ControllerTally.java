/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.concurrent.atomic.LongAdder;

/**
 * Calls of a controller, and requests that write. Thread-safe.
 */
final class ControllerTally {

	private final LongAdder calls = new LongAdder();

	private final LongAdder writes = new LongAdder();

	void call() {
		this.calls.increment();
	}

	void request(String method) {
		if (!method.equals("GET")) {
			this.writes.increment();
		}
	}

	long calls() {
		return this.calls.sum();
	}

	long writes() {
		return this.writes.sum();
	}

}
