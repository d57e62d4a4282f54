/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.time.Duration;

/**
 * Listener for changes of a {@link Leadership}. The methods are called one by one, by the
 * thread of the election, which renews the leadership: they must not block. Exceptions
 * are logged.
 */
public interface LeadershipListener {

	/**
	 * Called when this process has become leader.
	 * @param leadership the leadership
	 */
	default void acquired(Leadership leadership) {
	}

	/**
	 * Called when this process is no longer leader.
	 * @param leadership the leadership
	 * @param reason the reason in words
	 */
	default void lost(Leadership leadership, String reason) {
	}

	/**
	 * Called after a request that acquires, renews or releases the leadership.
	 * @param leadership the leadership
	 * @param duration the duration of the request
	 * @param success whether it was successful
	 */
	default void requested(Leadership leadership, Duration duration, boolean success) {
	}

}
