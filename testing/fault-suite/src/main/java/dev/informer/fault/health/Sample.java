/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.health;

import java.util.Map;

import dev.informer.fault.journal.WatchedResource;
import org.jspecify.annotations.Nullable;

/**
 * Reports of the endpoints, from one poll. The times are in nanoseconds.
 *
 * @param start the time at which the poll began
 * @param end the time at which it ended
 * @param informers the reports by resource, empty if the client did not answer
 * @param problem the reason why the client did not answer, {@code null} if it did
 */
public record Sample(long start, long end, Map<WatchedResource, Report> informers, @Nullable String problem) {

	/**
	 * Report on an informer.
	 *
	 * @param status the status of the health
	 * @param phase the phase
	 * @param failing whether a time of the first failure is reported
	 * @param storeSize the number of cached objects in the metrics
	 * @param activityAge the seconds since the last activity in the metrics
	 */
	public record Report(String status, String phase, boolean failing, double storeSize, double activityAge) {

		boolean isUp() {
			return "UP".equals(this.status);
		}

		boolean isDown() {
			return "DOWN".equals(this.status);
		}

		boolean isWatching() {
			return "WATCHING".equals(this.phase);
		}

	}

}
