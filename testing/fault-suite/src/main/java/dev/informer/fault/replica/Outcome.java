/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

/**
 * Expected outcome of a fault.
 */
enum Outcome {

	/** A Lease expires, and other replicas take over. */
	EXPIRED,

	/** A Lease is released or another replica joins, and replicas take over. */
	RELEASED,

	/** All replicas keep what they hold. */
	KEPT,

	/** All replicas keep what they hold, or others take over in time. */
	ANY;

	boolean requiresTakeover() {
		return this == EXPIRED || this == RELEASED;
	}

}
