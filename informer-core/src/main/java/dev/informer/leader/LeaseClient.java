/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Access to one Lease. Failures are {@link dev.informer.client.ServerStatusException}s if
 * the API server answers.
 */
interface LeaseClient extends AutoCloseable {

	/**
	 * Read the current Lease.
	 * @return the Lease; {@code null} if there is none
	 */
	@Nullable Lease read() throws IOException;

	/**
	 * Create the Lease. Fails with code 409 if it exists.
	 */
	Lease create(LeaseRecord record) throws IOException;

	/**
	 * Replace the content of the Lease. Fails with code 409 if it is no longer the given
	 * one.
	 */
	Lease update(Lease current, LeaseRecord record) throws IOException;

	/**
	 * Watch the Lease. Returns immediately.
	 * @param observer called with the content after each change; {@code null} if the
	 * Lease was deleted
	 * @param state called after each change of {@link #isWatching()} and
	 * {@link #watchFailure()}
	 */
	void watch(Consumer<@Nullable LeaseRecord> observer, Runnable state);

	/**
	 * Return whether the watch has begun.
	 */
	boolean isWatching();

	/**
	 * Return the failure of the watch.
	 * @return the failure; empty if the watch works
	 */
	Optional<ElectionFailure> watchFailure();

	/**
	 * End the watch, and the requests that are running.
	 */
	@Override
	void close();

}
