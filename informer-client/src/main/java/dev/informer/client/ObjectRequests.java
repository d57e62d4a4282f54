/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;

/**
 * Requests that read or write a single object. Thread-safe.
 */
public final class ObjectRequests {

	private static final String JSON = "application/json";

	private static final int MAX_LENGTH = 1 << 24;

	private static final int MAX_STATUS_LENGTH = 1 << 16;

	private final KubernetesConnection connection;

	/**
	 * Create the requests of a connection.
	 * @param connection the connection to the API server
	 */
	public ObjectRequests(KubernetesConnection connection) {
		this.connection = connection;
	}

	/**
	 * Send a request and wait for the object in its response.
	 * @param method the HTTP method
	 * @param path the path
	 * @param body the object to send; {@code null} for none
	 * @param timeout the maximum duration of the request
	 * @param cancellation the cancellation of the request
	 * @return the object
	 * @throws ServerStatusException if the server answers with a failure
	 * @throws IOException if the server does not answer in time, is unreachable, or does
	 * not answer with an object
	 */
	public JsonObject send(String method, String path, @Nullable JsonObject body, Duration timeout,
			Cancellation cancellation) throws IOException {
		Map<String, String> headers = (body != null) ? Map.of("Accept", JSON, "Content-Type", JSON)
				: Map.of("Accept", JSON);
		try (ServerCall call = this.connection.newCall(method, path, List.of(), body, headers,
				CallLimits.ofTotal(timeout), cancellation)) {
			InputStream response = call.open(ObjectRequests::status);
			String document = new String(response.readNBytes(MAX_LENGTH), StandardCharsets.UTF_8);
			call.complete();
			return JsonParser.parseString(document).getAsJsonObject();
		}
		catch (JsonParseException | IllegalStateException ex) {
			// not as the cause: its message may quote the object
			throw new MalformedResponseException(
					"expected an object at " + path + ", got something else (" + ex.getClass().getSimpleName() + ")");
		}
	}

	private static ServerStatus status(int code, InputStream body) throws IOException {
		String text = new String(body.readNBytes(MAX_STATUS_LENGTH), StandardCharsets.UTF_8);
		try {
			JsonObject status = JsonParser.parseString(text).getAsJsonObject();
			return new ServerStatus(code, text(status, "reason"), text(status, "message"), List.of(), null);
		}
		catch (JsonParseException | IllegalStateException | UnsupportedOperationException ex) {
			return new ServerStatus(code, "", "", List.of(), null);
		}
	}

	private static String text(JsonObject status, String name) {
		return status.has(name) ? status.get(name).getAsString() : "";
	}

}
