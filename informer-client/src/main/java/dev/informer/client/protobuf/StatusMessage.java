/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.client.ServerStatus;
import dev.informer.client.model.BodyText;
import org.jspecify.annotations.Nullable;

/**
 * Reader of a {@code Status}.
 */
final class StatusMessage {

	private String message = "";

	private String reason = "";

	private int code;

	private final List<String> causes = new ArrayList<>();

	private @Nullable Duration retryAfter;

	private StatusMessage() {
	}

	/**
	 * Read the body of a failed request.
	 * @throws MalformedMessageException if it cannot be read
	 */
	static ServerStatus read(MessageReader reader, byte[] body, int httpCode) {
		Envelope envelope = Envelope.read(reader, body, 0, body.length);
		if (envelope.kind().equals("Status")) {
			return read(reader, envelope, httpCode);
		}
		return new ServerStatus(httpCode, "", "a " + BodyText.printable(envelope.kind()), List.of(), null);
	}

	/**
	 * Read a status.
	 * @param httpCode the code to use if the status has none
	 */
	static ServerStatus read(MessageReader reader, Envelope envelope, int httpCode) {
		reader.reset(reader.buffer(), envelope.offset(), envelope.length());
		StatusMessage status = new StatusMessage();
		status.read(reader);
		return new ServerStatus((status.code != 0) ? status.code : httpCode, status.reason, status.message,
				List.copyOf(status.causes), status.retryAfter);
	}

	private void read(MessageReader reader) {
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 3 -> this.message = reader.string();
				case 4 -> this.reason = reader.string();
				case 5 -> readDetails(reader);
				case 6 -> this.code = (int) reader.varint();
				default -> reader.skip(tag);
			}
		}
	}

	private void readDetails(MessageReader reader) {
		int outer = reader.enter();
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 4 -> readCause(reader);
				case 5 -> {
					int seconds = (int) reader.varint();
					this.retryAfter = (seconds > 0) ? Duration.ofSeconds(seconds) : null;
				}
				default -> reader.skip(tag);
			}
		}
		reader.leave(outer);
	}

	private void readCause(MessageReader reader) {
		int outer = reader.enter();
		String cause = "";
		String text = "";
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> cause = reader.string();
				case 2 -> text = reader.string();
				default -> reader.skip(tag);
			}
		}
		reader.leave(outer);
		String known = cause.isEmpty() ? text : cause;
		if (!known.isEmpty()) {
			this.causes.add(known);
		}
	}

}
