/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.client.ServerStatus;
import dev.informer.client.model.BodyText;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Reader of the properties of a {@code Status}. A value of another type than expected
 * counts as missing.
 */
final class StatusReader {

	private static final Set<String> PROPERTIES = Set.of("code", "kind", "reason", "message", "details");

	private final Map<String, @Nullable Object> properties = new HashMap<>();

	/**
	 * Read the body of a failed request, or its beginning. The failure has the beginning
	 * of the text if the body is not a {@code Status}.
	 */
	static ServerStatus read(int httpCode, byte[] body) {
		StatusReader status = new StatusReader();
		try (TokenReader reader = JsonInput.open(body)) {
			if (reader.isObject()) {
				status.readObject(reader);
			}
		}
		catch (JacksonException | IOException ex) {
			// not entirely JSON: use the properties that were read, or else the text
		}
		String kind = status.kind();
		if (kind.equals("Status")) {
			return status.status(httpCode);
		}
		String text = kind.isEmpty() ? new String(body, StandardCharsets.UTF_8) : "a " + kind;
		return new ServerStatus(httpCode, "", BodyText.printable(text), List.of(), null);
	}

	/**
	 * Read the object whose first token is the current one.
	 */
	void readObject(TokenReader reader) throws IOException {
		String name;
		while ((name = reader.nextProperty()) != null) {
			read(name, reader);
		}
	}

	/**
	 * Read or skip the value of a property.
	 */
	void read(String property, TokenReader reader) throws IOException {
		if (PROPERTIES.contains(property)) {
			this.properties.put(property, reader.tree());
		}
		else {
			reader.skip();
		}
	}

	/**
	 * Return the kind; empty if it is missing.
	 */
	String kind() {
		return text(this.properties, "kind");
	}

	/**
	 * Return the failure.
	 * @param httpCode the code to use if the status has none
	 */
	ServerStatus status(int httpCode) {
		Map<?, ?> details = (this.properties.get("details") instanceof Map<?, ?> map) ? map : Map.of();
		int code = number(this.properties, "code");
		int seconds = number(details, "retryAfterSeconds");
		return new ServerStatus((code != 0) ? code : httpCode, text(this.properties, "reason"),
				text(this.properties, "message"), causes(details), (seconds > 0) ? Duration.ofSeconds(seconds) : null);
	}

	private static List<String> causes(Map<?, ?> details) {
		List<String> causes = new ArrayList<>();
		if (details.get("causes") instanceof List<?> list) {
			for (Object cause : list) {
				if (cause instanceof Map<?, ?> properties) {
					String reason = text(properties, "reason");
					causes.add(reason.isEmpty() ? text(properties, "message") : reason);
				}
			}
		}
		causes.removeIf(String::isEmpty);
		return causes;
	}

	private static String text(Map<?, ?> properties, String name) {
		return (properties.get(name) instanceof String text) ? text : "";
	}

	private static int number(Map<?, ?> properties, String name) {
		String digits = text(properties, name);
		return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
	}

}
