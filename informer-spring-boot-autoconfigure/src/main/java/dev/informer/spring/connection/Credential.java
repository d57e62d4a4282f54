/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * Credential of a request. Its text does not contain the secrets.
 *
 * @param authorization the value of the header {@code Authorization}; {@code null} for
 * none
 * @param certificate the client certificate; {@code null} for none
 * @param expiry the time at which the credential expires; {@code null} if it is unknown
 */
record Credential(@Nullable String authorization, @Nullable ClientCertificate certificate, @Nullable Instant expiry) {

	static final Credential ANONYMOUS = new Credential(null, null, null);

	static Credential ofToken(String token) {
		return new Credential("Bearer " + token, null, null);
	}

	static Credential ofPassword(String user, String password) {
		return new Credential(
				"Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8)),
				null, null);
	}

	@Override
	public String toString() {
		return "Credential[expiry=" + this.expiry + "]";
	}

}
