/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.time.Duration;
import java.util.List;

/**
 * Durations of an election or of a group of members, and those of handlers and faults in
 * proportion to them.
 *
 * @param lease the lease duration
 */
public record ReplicaDurations(Duration lease) {

	/** The default of {@code lease-duration} of both. */
	public static final Duration DEFAULT_LEASE = Duration.ofSeconds(15);

	private static final Duration DEFAULT_RENEW_DEADLINE = Duration.ofSeconds(10);

	private static final Duration DEFAULT_RETRY_PERIOD = Duration.ofSeconds(2);

	/**
	 * Return a duration in proportion to the lease duration.
	 */
	public Duration scaled(Duration ofDefault) {
		return ofDefault.multipliedBy(this.lease.toMillis()).dividedBy(DEFAULT_LEASE.toMillis());
	}

	/**
	 * Return the duration of an invocation that honours interrupts: longer than the time
	 * between renew deadline and lease duration, so that it overlaps the next holder
	 * unless the loss interrupts it.
	 */
	Duration slow() {
		return scaled(Duration.ofSeconds(8));
	}

	/**
	 * Return the duration of an invocation that ignores interrupts: longer than the time
	 * between renew deadline and lease duration.
	 */
	Duration stubborn() {
		return scaled(Duration.ofSeconds(7));
	}

	/**
	 * Return the duration of an invocation of a sharded informer: short enough for all
	 * changes of one replica, long enough for slots to move while invocations run.
	 */
	Duration divided() {
		return scaled(Duration.ofMillis(500));
	}

	/**
	 * Return the properties that differ from the defaults.
	 */
	List<String> properties(String prefix) {
		if (this.lease.equals(DEFAULT_LEASE)) {
			return List.of();
		}
		return List.of(property(prefix + "lease-duration", this.lease),
				property(prefix + "renew-deadline", scaled(DEFAULT_RENEW_DEADLINE)),
				property(prefix + "retry-period", scaled(DEFAULT_RETRY_PERIOD)));
	}

	private static String property(String name, Duration value) {
		return name + "=" + value.toMillis() + "ms";
	}

}
