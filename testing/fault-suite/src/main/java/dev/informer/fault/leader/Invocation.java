/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.leader;

import java.util.Optional;

import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.InvocationEntry.Begin;

/**
 * Invocation of a leader-only handler.
 *
 * @param entry its begin
 * @param token the fencing token of the term in which it began
 * @param end the time of its end
 */
record Invocation(Begin entry, int token, long end) {

	Invocation until(long time) {
		return new Invocation(this.entry, this.token, time);
	}

	long begin() {
		return this.entry.time();
	}

	/**
	 * Return whether the process was leader at the first statement.
	 */
	boolean hasBegunAsLeader() {
		return this.entry.token() != InvocationEntry.NO_TOKEN;
	}

	/**
	 * Find a suspension that began after the check of the leadership at the earliest, and
	 * ended before the first statement.
	 */
	Optional<Suspension> suspendedBefore(InvocationLog log) {
		return log.suspensions()
			.stream()
			.filter((suspension) -> this.entry.checkedAfter() <= suspension.begin() && begin() >= suspension.end())
			.findFirst();
	}

	/**
	 * Find a suspension between the first and the last statement that began before a
	 * time.
	 */
	Optional<Suspension> suspendedWithin(InvocationLog log, long before) {
		return log.suspensions()
			.stream()
			.filter((suspension) -> begin() <= suspension.begin() && this.end >= suspension.end()
					&& suspension.begin() < before)
			.findFirst();
	}

	@Override
	public String toString() {
		return "invocation %d of %s by %s for %s in term %d".formatted(this.entry.number(), this.entry.handler(),
				this.entry.holder(), this.entry.key(), this.token);
	}

}
