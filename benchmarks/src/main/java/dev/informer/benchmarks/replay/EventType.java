/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

/**
 * Type of a watch event.
 */
enum EventType {

	ADDED, MODIFIED, DELETED;

	private final byte[] text = Bytes.of(name());

	byte[] text() {
		return this.text;
	}

}
