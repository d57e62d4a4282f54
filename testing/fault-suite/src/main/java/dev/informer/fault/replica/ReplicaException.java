/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

/**
 * Failure of the replicas, not of the suite.
 */
final class ReplicaException extends RuntimeException {

	ReplicaException(String message) {
		super(message);
	}

}
