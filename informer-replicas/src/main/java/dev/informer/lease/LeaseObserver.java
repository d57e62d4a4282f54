/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.time.Duration;

import dev.informer.lease.LeaseRequest.Purpose;

/**
 * Observer of a {@link LeaseRun}, called on its thread of decisions.
 */
public interface LeaseObserver {

	/**
	 * Called whenever the state of the protocol may have changed.
	 */
	void update();

	/**
	 * Called when the run has ended.
	 */
	void ended();

	/**
	 * Called after a request.
	 */
	void requested(Purpose purpose, Duration duration, boolean success);

	/**
	 * Return the nanoseconds until {@link #update} is to be called again,
	 * {@link Long#MAX_VALUE} for none.
	 */
	long nanosToNext(long now);

}
