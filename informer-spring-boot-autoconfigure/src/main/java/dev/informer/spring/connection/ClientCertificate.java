/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

/**
 * Client certificate and its key, whose text does not contain the key.
 *
 * @param certificates the certificates in PEM format
 * @param key the private key in PEM format
 */
record ClientCertificate(String certificates, String key) {

	@Override
	public String toString() {
		return "ClientCertificate";
	}

}
