/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Required informers had not synced in time.
 */
public class SyncTimeoutException extends IllegalStateException {

	private final Duration timeout;

	private final transient List<UnsyncedInformer> informers;

	/**
	 * Creates an exception.
	 * @param timeout how long they had
	 * @param informers those that were not ready
	 */
	public SyncTimeoutException(Duration timeout, List<UnsyncedInformer> informers) {
		super("Required informers have not synced within " + timeout.toMillis() + " ms: "
				+ informers.stream().map(UnsyncedInformer::toString).collect(Collectors.joining("; ")));
		this.timeout = timeout;
		this.informers = informers;
	}

	/**
	 * How long they had.
	 * @return the time
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Those that were not ready.
	 * @return the informers
	 */
	public List<UnsyncedInformer> informers() {
		return this.informers;
	}

}
