/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.client.ServerStatus;
import dev.informer.client.model.BodyText;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Reader of the properties of a {@code Status}.
 */
final class StatusReader {

	private int code;

	private String kind = "";

	private String reason = "";

	private String message = "";

	private final List<String> causes = new ArrayList<>();

	private @Nullable Duration retryAfter;

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
		if (status.kind.equals("Status")) {
			return status.status(httpCode);
		}
		String text = status.kind.isEmpty() ? new String(body, StandardCharsets.UTF_8) : "a " + status.kind;
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
		switch (property) {
			case "code" -> this.code = reader.intOrSkip();
			case "kind" -> this.kind = text(reader);
			case "reason" -> this.reason = text(reader);
			case "message" -> this.message = text(reader);
			case "details" -> readDetails(reader);
			default -> reader.skip();
		}
	}

	private void readDetails(TokenReader reader) throws IOException {
		if (!reader.isObject()) {
			reader.skip();
			return;
		}
		String name;
		while ((name = reader.nextProperty()) != null) {
			switch (name) {
				case "retryAfterSeconds" -> this.retryAfter = duration(reader.intOrSkip());
				case "causes" -> readCauses(reader);
				default -> reader.skip();
			}
		}
	}

	private static @Nullable Duration duration(int seconds) {
		return (seconds > 0) ? Duration.ofSeconds(seconds) : null;
	}

	private void readCauses(TokenReader reader) throws IOException {
		if (!reader.isArray()) {
			reader.skip();
			return;
		}
		while (reader.nextElement()) {
			if (!reader.isObject()) {
				reader.skip();
				continue;
			}
			readCause(reader);
		}
	}

	private void readCause(TokenReader reader) throws IOException {
		String reason = "";
		String message = "";
		String name;
		while ((name = reader.nextProperty()) != null) {
			String value = text(reader);
			if ("reason".equals(name)) {
				reason = value;
			}
			else if ("message".equals(name)) {
				message = value;
			}
		}
		String cause = reason.isEmpty() ? message : reason;
		if (!cause.isEmpty()) {
			this.causes.add(cause);
		}
	}

	private static String text(TokenReader reader) throws IOException {
		String text = reader.stringOrSkip();
		return (text != null) ? text : "";
	}

	/**
	 * Return the kind; empty if it is missing.
	 */
	String kind() {
		return this.kind;
	}

	/**
	 * Return the failure.
	 * @param httpCode the code to use if the status has none
	 */
	ServerStatus status(int httpCode) {
		return new ServerStatus((this.code != 0) ? this.code : httpCode, this.reason, this.message,
				List.copyOf(this.causes), this.retryAfter);
	}

}
