/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import dev.informer.client.model.CompactMap;
import dev.informer.client.model.ElementStack;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decoder of objects whose names are data. The last value of a repeated name wins.
 */
final class MapDecoder implements ValueDecoder {

	private final ValueDecoder values;

	MapDecoder(ValueDecoder values) {
		this.values = values;
	}

	@Override
	public Object decode(TokenReader reader) {
		JsonParser parser = reader.parser();
		reader.requireObject();
		ElementStack stack = reader.stack();
		int start = stack.size();
		while (parser.nextToken() != JsonToken.END_OBJECT) {
			stack.push(parser.currentName());
			parser.nextToken();
			stack.push(this.values.decodeNullable(reader));
		}
		return CompactMap.of(stack.popDownTo(start));
	}

}
