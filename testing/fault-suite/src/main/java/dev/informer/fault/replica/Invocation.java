/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.Optional;

import dev.informer.fault.journal.InvocationEntry;
import dev.informer.fault.journal.InvocationEntry.Begin;

/**
 * Invocation of a handler.
 *
 * @param entry its begin
 * @param token the fencing token of the term in which it began;
 * {@link InvocationEntry#NO_TOKEN} without a leader
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
	 * Return the object. Two invocations for it must not overlap.
	 * @return the UID if the informer is sharded, otherwise the namespace and name, which
	 * objects of all kinds share
	 */
	String object() {
		return this.entry.handler().isOfShardedInformer() ? this.entry.state().uid() : this.entry.key();
	}

	/**
	 * Return whether the process was leader at the first statement.
	 */
	boolean hasBegunAsLeader() {
		return this.entry.token() != InvocationEntry.NO_TOKEN;
	}

	/**
	 * Find a suspension that began after the check at the earliest, and ended before the
	 * first statement.
	 */
	Optional<Suspension> suspendedBefore(InvocationLog log) {
		return log.suspensions()
			.stream()
			.filter((suspension) -> this.entry.checkedAfter() <= suspension.begin() && begin() >= suspension.end())
			.findFirst();
	}

	@Override
	public String toString() {
		String term = (this.token != InvocationEntry.NO_TOKEN) ? " in term " + this.token : "";
		return "invocation %d of %s by %s for %s%s".formatted(this.entry.number(), this.entry.handler(),
				this.entry.holder(), this.entry.key(), term);
	}

}
