/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Clock of the machine, which all processes share, in any language.
 */
public final class WallClock {

	private WallClock() {
	}

	/**
	 * Return the time.
	 * @return nanoseconds since 1970
	 */
	public static long nanos() {
		Instant now = Instant.now();
		return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
	}

}
