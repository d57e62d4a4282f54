/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

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

}
