/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.util.Objects;

/**
 * Time in which this process holds its Lease without an interruption.
 *
 * @param record the content of the last successful write
 * @param renewedAt the time at which that was sent, in nanoseconds
 */
public record Term(LeaseRecord record, long renewedAt) {

	/**
	 * Return the number of the term in an election.
	 */
	public int token() {
		return this.record.transitions();
	}

	boolean continues(Term earlier) {
		return Objects.equals(this.record.acquireTime(), earlier.record.acquireTime());
	}

	/**
	 * Return whether another process has observed a content of this term.
	 */
	public boolean isTermOf(LeaseRecord other) {
		return other.isHeldBy(this.record.holder()) && other.transitions() == token();
	}

}
