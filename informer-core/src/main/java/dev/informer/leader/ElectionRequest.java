/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import org.jspecify.annotations.Nullable;

/**
 * Request of an {@link Election}.
 *
 * @param purpose the purpose
 * @param lease the Lease to replace; {@code null} to create one
 * @param record the content to write; {@code null} to read
 * @param sentAt the time before the request is sent, in nanoseconds
 */
record ElectionRequest(Purpose purpose, @Nullable Lease lease, @Nullable LeaseRecord record, long sentAt) {

	/**
	 * Purposes of a request.
	 */
	enum Purpose {

		READ, ACQUIRE, RENEW, RELEASE

	}

	/**
	 * Kinds of failures.
	 */
	enum Failure {

		/** The Lease has changed, or exists already. */
		CONFLICT,

		/** The Lease or its namespace does not exist. */
		NOT_FOUND,

		/** Any other failure, after which a write may have been applied. */
		OTHER

	}

}
