/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.io.IOException;

/**
 * Failure to store a Lease as it was written.
 */
final class AlteredLeaseException extends IOException {

	/**
	 * Create an exception that names what was changed or removed.
	 */
	AlteredLeaseException(String altered) {
		super("the API server has stored it without " + altered
				+ ", or with another value. Check that no admission policy or webhook removes or changes it.");
	}

}
