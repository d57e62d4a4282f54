/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import dev.informer.lease.LeaseRecord;

/**
 * Term of this process as leader.
 *
 * @param renewedAt the time at which the last successful request was sent, in nanoseconds
 */
record Term(LeaseRecord record, long renewedAt) {

	int token() {
		return this.record.transitions();
	}

	boolean isTermOf(LeaseRecord other) {
		return other.isHeldBy(this.record.holder()) && other.transitions() == token();
	}

}
