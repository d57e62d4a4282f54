/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Source of the credential of each request. Thread-safe.
 */
interface Credentials {

	/**
	 * Return the credential of a request.
	 * @param cancelled whether the request was cancelled
	 * @return the credential
	 * @throws IOException if there is none
	 */
	Credential get(BooleanSupplier cancelled) throws IOException;

	/**
	 * Return the credential for the second attempt of a request after a 401.
	 * @param rejected the credential that the server rejected
	 * @param cancelled whether the request was cancelled
	 * @return the credential; the same instance if there is no other one
	 * @throws IOException if another one should exist, but cannot be obtained
	 */
	default Credential replace(Credential rejected, BooleanSupplier cancelled) throws IOException {
		return get(cancelled);
	}

	/**
	 * Return credentials that do not change.
	 * @param credential the credential
	 * @return the credentials
	 */
	static Credentials of(Credential credential) {
		return (cancelled) -> credential;
	}

}
