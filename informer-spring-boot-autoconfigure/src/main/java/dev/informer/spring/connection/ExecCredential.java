/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.connection;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the {@code ExecCredential} that a credential plugin prints.
 *
 * @param apiVersion the version that the kubeconfig requires
 */
record ExecCredential(String apiVersion) {

	Credential read(String json) throws InvalidException {
		JsonObject object = parse(json);
		if (!"ExecCredential".equals(text(object, "kind"))) {
			throw new InvalidException("its kind is not ExecCredential");
		}
		if (!this.apiVersion.equals(text(object, "apiVersion"))) {
			throw new InvalidException("its apiVersion is not " + this.apiVersion + ", as in the kubeconfig");
		}
		if (!(object.get("status") instanceof JsonObject status)) {
			throw new InvalidException("it has no status");
		}
		String token = text(status, "token");
		String certificate = text(status, "clientCertificateData");
		String key = text(status, "clientKeyData");
		if (token == null && certificate == null && key == null) {
			throw new InvalidException("its status has neither a token nor a client certificate");
		}
		if ((certificate == null) != (key == null)) {
			throw new InvalidException("its status has only one of clientCertificateData and clientKeyData");
		}
		return new Credential((token != null) ? "Bearer " + token : null,
				(certificate != null && key != null) ? new ClientCertificate(certificate, key) : null,
				expiry(text(status, "expirationTimestamp")));
	}

	private static JsonObject parse(String json) throws InvalidException {
		try {
			if (JsonParser.parseString(json) instanceof JsonObject object) {
				return object;
			}
		}
		catch (JsonParseException ex) {
			// rejected below, without the message: it may quote the output
		}
		throw new InvalidException("its standard output is not a JSON object");
	}

	private static @Nullable Instant expiry(@Nullable String text) throws InvalidException {
		try {
			return (text != null) ? OffsetDateTime.parse(text).toInstant() : null;
		}
		catch (DateTimeParseException ex) {
			throw new InvalidException("its expirationTimestamp is not an RFC 3339 time");
		}
	}

	private static @Nullable String text(JsonObject object, String key) throws InvalidException {
		JsonElement value = object.get(key);
		if (value == null || value.isJsonNull()) {
			return null;
		}
		if (!value.isJsonPrimitive()) {
			throw new InvalidException("its " + key + " is not a text");
		}
		return value.getAsString().isEmpty() ? null : value.getAsString();
	}

	/**
	 * Thrown when the output is not a credential. The message does not quote it.
	 */
	static final class InvalidException extends Exception {

		InvalidException(String message) {
			super(message);
		}

	}

}
