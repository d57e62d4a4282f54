/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import dev.informer.TimeSource;

/**
 * Exception thrown when required informers have not synced in time.
 */
public class SyncTimeoutException extends IllegalStateException {

	private final Duration timeout;

	private final transient List<UnsyncedInformer> informers;

	/**
	 * Create an exception.
	 * @param timeout the timeout
	 * @param informers the informers that have not synced
	 */
	public SyncTimeoutException(Duration timeout, List<UnsyncedInformer> informers) {
		super("Required informers have not synced within " + TimeSource.millis(timeout) + " ms: "
				+ informers.stream().map(UnsyncedInformer::toString).collect(Collectors.joining("; ")));
		this.timeout = timeout;
		this.informers = informers;
	}

	/**
	 * Return the timeout.
	 * @return the timeout
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Return the informers that have not synced.
	 * @return the informers
	 */
	public List<UnsyncedInformer> informers() {
		return this.informers;
	}

}
