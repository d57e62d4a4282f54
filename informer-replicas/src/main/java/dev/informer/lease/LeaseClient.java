/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Access to the Lease of this process, and to others that it watches. Failures are
 * {@link dev.informer.client.ServerStatusException}s if the API server answers.
 */
interface LeaseClient extends AutoCloseable {

	/**
	 * Read the current Lease, {@code null} if there is none.
	 */
	@Nullable Lease read() throws IOException;

	/**
	 * Create the Lease. Fails with code 409 if it exists.
	 */
	Lease create(LeaseRecord record) throws IOException;

	/**
	 * Replace the content of the Lease. Fails with code 409 if it is no longer the given
	 * one. Like {@link #create}, fails with an {@link AlteredLeaseException} if others do
	 * not see what was written.
	 * @param current the Lease that was read or written last
	 */
	Lease update(Lease current, LeaseRecord record) throws IOException;

	/**
	 * Release a watched Lease, or delete it if it has no holder, unless its observed
	 * content has changed.
	 */
	void collect(String name, LeaseRecord record) throws IOException;

	/**
	 * Watch the Leases. Returns immediately. Can be called again if it throws.
	 * @param changed called after each change of {@link #leases()}
	 * @param state called after each change of {@link #isWatching()} and
	 * {@link #watchFailure()}
	 */
	void watch(Runnable changed, Runnable state);

	/**
	 * Return the content of the watched Leases by name: a state that the API server had
	 * at one time, which may be in the past.
	 */
	Map<String, LeaseRecord> leases();

	/**
	 * Return whether the watch has begun, so that {@link #leases()} is complete.
	 */
	boolean isWatching();

	/**
	 * Return the failure of the watch; empty if the watch works.
	 */
	Optional<LeaseFailure> watchFailure();

	/**
	 * End the watch, and the requests that are running.
	 */
	@Override
	void close();

}
