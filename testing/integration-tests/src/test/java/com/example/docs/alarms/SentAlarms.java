/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.alarms;

/**
 * Last message that was sent for each Deployment, in a database that all replicas share.
 */
interface SentAlarms {

	/**
	 * Return whether the last message for the Deployment was an alarm.
	 */
	boolean isRaised(String uid);

	/**
	 * Record a message, unless the same state or a larger fencing token is recorded.
	 * Return whether it was recorded.
	 */
	boolean record(String uid, boolean raised, int fencingToken);

}
