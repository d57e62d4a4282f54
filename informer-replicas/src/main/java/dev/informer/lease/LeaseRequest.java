/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import org.jspecify.annotations.Nullable;

/**
 * Request of a {@link LeaseProtocol}.
 *
 * @param lease the Lease to replace; {@code null} to create one
 * @param record the content to write, or that of the Lease to collect; {@code null} to
 * read
 * @param sentAt the time before the request is sent, in nanoseconds
 */
public record LeaseRequest(Purpose purpose, String name, @Nullable Lease lease, @Nullable LeaseRecord record,
		long sentAt) {

	/**
	 * Purposes of a request.
	 */
	public enum Purpose {

		/** Read the Lease. */
		READ,

		/** Write the Lease, which this process does not hold yet. */
		ACQUIRE,

		/** Write the Lease, which this process holds. */
		RENEW,

		/** Write that no process holds the Lease. */
		RELEASE,

		/** Release or delete the expired Lease of another process. */
		COLLECT

	}

	/**
	 * Kinds of failures.
	 */
	public enum Failure {

		/** The Lease has changed, or exists already. */
		CONFLICT,

		/** The Lease or its namespace does not exist. */
		NOT_FOUND,

		/** The Lease was written, but others do not see it, or not its slots. */
		ALTERED,

		/**
		 * The server was unreachable or overloaded, after which a write may have been
		 * applied.
		 */
		UNAVAILABLE,

		/**
		 * Any other failure, such as a missing right, after which a write may have been
		 * applied.
		 */
		OTHER

	}

}
