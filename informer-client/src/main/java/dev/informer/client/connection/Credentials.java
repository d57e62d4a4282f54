/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.BooleanSupplier;

import dev.informer.client.connection.TlsMaterial.ClientCertificate;
import org.jspecify.annotations.Nullable;

/**
 * Source of the credential of each request. Thread-safe.
 */
interface Credentials {

	/**
	 * Return the credential of a request, which may be cancelled meanwhile.
	 */
	Credential get(BooleanSupplier cancelled) throws IOException;

	/**
	 * Return the credential for the second attempt of a request after a 401: the same
	 * instance if there is no other one.
	 */
	default Credential replace(Credential rejected, BooleanSupplier cancelled) throws IOException {
		return get(cancelled);
	}

	/**
	 * Return whether the last attempt to renew them has failed. Those that were obtained
	 * before may still work.
	 */
	default boolean isRenewalFailing() {
		return false;
	}

	static Credentials of(Credential credential) {
		return (cancelled) -> credential;
	}

	/**
	 * Credential of a request. Its text does not contain the secrets.
	 *
	 * @param authorization the value of the header {@code Authorization}; {@code null}
	 * for none
	 * @param expiry the time at which the credential expires; {@code null} if it is
	 * unknown
	 */
	record Credential(@Nullable String authorization, @Nullable ClientCertificate certificate,
			@Nullable Instant expiry) {

		static final Credential ANONYMOUS = new Credential(null, null, null);

		static Credential ofToken(String token) {
			return new Credential("Bearer " + token, null, null);
		}

		static Credential ofPassword(String user, String password) {
			return new Credential(okhttp3.Credentials.basic(user, password, StandardCharsets.UTF_8), null, null);
		}

		@Override
		public String toString() {
			return "Credential[expiry=" + this.expiry + "]";
		}

	}

}
