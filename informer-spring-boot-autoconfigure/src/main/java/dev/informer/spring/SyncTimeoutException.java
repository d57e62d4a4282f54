/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import dev.informer.client.TimeSource;

/**
 * Exception thrown when required informers, or the handlers that the startup waits for,
 * have not synced in time.
 */
public class SyncTimeoutException extends IllegalStateException {

	private final Duration timeout;

	private final boolean connected;

	private final transient List<UnsyncedInformer> informers;

	private final transient List<String> handlers;

	private final String rights;

	/**
	 * Create an exception.
	 * @param timeout the timeout
	 * @param connected whether the API client was created in time
	 * @param informers the informers that have not synced
	 * @param handlers the handlers that have not received the initial list, with their
	 * pending events, if all informers have synced and the startup waits for handlers
	 * @param rights the manifest with all rights of the application, if an informer lacks
	 * one; otherwise empty
	 */
	public SyncTimeoutException(Duration timeout, boolean connected, List<UnsyncedInformer> informers,
			List<String> handlers, String rights) {
		super(message(timeout, connected, informers, handlers));
		this.timeout = timeout;
		this.connected = connected;
		this.informers = informers;
		this.handlers = handlers;
		this.rights = rights;
	}

	private static String message(Duration timeout, boolean connected, List<UnsyncedInformer> informers,
			List<String> handlers) {
		if (!handlers.isEmpty()) {
			return "Handlers did not receive the initial list within " + TimeSource.millis(timeout) + " ms: "
					+ String.join("; ", handlers);
		}
		String names = informers.stream().map(UnsyncedInformer::toString).collect(Collectors.joining("; "));
		if (connected) {
			return "Required informers did not sync within " + TimeSource.millis(timeout) + " ms: " + names;
		}
		return "Informers were not started within " + TimeSource.millis(timeout)
				+ " ms, because the API client is still being created"
				+ (names.isEmpty() ? "" : "; required ones: " + names);
	}

	/**
	 * Return the timeout.
	 * @return the timeout
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Return whether the API client was created in time, so that all informers were
	 * started.
	 * @return whether the informers were started
	 */
	public boolean isConnected() {
		return this.connected;
	}

	/**
	 * Return the informers that have not synced.
	 * @return the informers
	 */
	public List<UnsyncedInformer> informers() {
		return this.informers;
	}

	/**
	 * Return the manifest with all rights of the application, to read and to write.
	 * @return the manifest as YAML; empty if no informer lacks a right
	 */
	public String rights() {
		return this.rights;
	}

	/**
	 * Return the handlers that have not received the initial list.
	 * @return the handlers, with their pending events; empty if an informer has not
	 * synced
	 */
	public List<String> handlers() {
		return this.handlers;
	}

}
