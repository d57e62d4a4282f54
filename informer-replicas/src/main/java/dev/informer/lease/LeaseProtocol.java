/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Instant;
import java.util.Map;

import dev.informer.lease.LeaseRequest.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of one process about a Lease. It neither waits nor sends requests:
 * {@link LeaseRun} sends the request of {@link #next} and reports its result. Confined to
 * one thread. All times are those of the monotonic clock, in nanoseconds.
 */
public interface LeaseProtocol {

	/**
	 * Observe the Leases in the watch by name. It may be behind the requests, and
	 * {@code now} is after the content was read.
	 */
	void observe(Map<String, LeaseRecord> leases, long now);

	/**
	 * Return the next request, which is running until {@link #succeeded} or
	 * {@link #failed}; {@code null} for none. {@code now} is before the request is sent;
	 * {@code clock} is the time to write into the Lease.
	 */
	@Nullable LeaseRequest next(long now, Instant clock);

	/**
	 * Report the answer to the running request; {@code null} if a read has found none, or
	 * after a deletion.
	 */
	void succeeded(@Nullable Lease answer, long now);

	/**
	 * Report a failure of the running request.
	 */
	void failed(Failure failure, long now);

	/**
	 * Give up what the Lease stands for, and release the Lease.
	 */
	void release(long now);

	/**
	 * Return whether the Lease was released, or never written.
	 */
	boolean isDone();

	/**
	 * Return what is wrong although requests succeed, as the end of a sentence that
	 * begins with what the Lease is for; {@code null} for nothing. It contains no text
	 * that changes with time.
	 */
	@Nullable String problem();

	/**
	 * Return the nanoseconds until {@link #next} has something to do,
	 * {@link Long#MAX_VALUE} for none.
	 */
	long nanosToNext(long now);

}
