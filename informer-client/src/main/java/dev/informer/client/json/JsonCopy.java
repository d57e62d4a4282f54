/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.ByteArrayOutputStream;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectWriteContext;

/**
 * Copy of a value as compact JSON in UTF-8. Numbers keep all their digits.
 */
final class JsonCopy {

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private int depth;

	private boolean numbers;

	/**
	 * Copy the current value. Its last token is the current one afterwards.
	 * @throws JacksonException if it cannot be read
	 */
	void take(JsonParser parser) {
		try (JsonGenerator generator = JsonInput.FACTORY.createGenerator(ObjectWriteContext.empty(), this.bytes)) {
			int open = 0;
			JsonToken token = parser.currentToken();
			while (true) {
				open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
				this.depth = Math.max(this.depth, open);
				write(token, parser, generator);
				if (open == 0) {
					return;
				}
				token = parser.nextToken();
			}
		}
	}

	private void write(JsonToken token, JsonParser parser, JsonGenerator generator) {
		switch (token) {
			case START_OBJECT -> generator.writeStartObject();
			case END_OBJECT -> generator.writeEndObject();
			case START_ARRAY -> generator.writeStartArray();
			case END_ARRAY -> generator.writeEndArray();
			case PROPERTY_NAME -> generator.writeName(parser.currentName());
			case VALUE_STRING ->
				generator.writeString(parser.getStringCharacters(), parser.getStringOffset(), parser.getStringLength());
			case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
				this.numbers = true;
				generator.writeNumber(parser.getString());
			}
			case VALUE_TRUE -> generator.writeBoolean(true);
			case VALUE_FALSE -> generator.writeBoolean(false);
			default -> generator.writeNull();
		}
	}

	/**
	 * Return the nesting depth of the value.
	 */
	int depth() {
		return this.depth;
	}

	/**
	 * Return whether the value contains numbers, which may exceed a {@code double}.
	 */
	boolean hasNumbers() {
		return this.numbers;
	}

	byte[] toByteArray() {
		return this.bytes.toByteArray();
	}

}
