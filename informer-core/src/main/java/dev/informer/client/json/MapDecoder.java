/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decoder of objects whose names are data. The last value of a repeated name wins.
 */
final class MapDecoder implements ValueDecoder {

	private static final int MAX_COMPACT_SIZE = 16;

	private final ValueDecoder values;

	/**
	 * Create a decoder.
	 * @param values the decoder of the values
	 */
	MapDecoder(ValueDecoder values) {
		this.values = values;
	}

	ValueDecoder values() {
		return this.values;
	}

	@Override
	public Object decode(TokenReader reader) {
		JsonParser parser = reader.parser();
		reader.enterObject();
		ElementStack stack = reader.stack();
		int start = stack.size();
		while (parser.nextToken() != JsonToken.END_OBJECT) {
			stack.push(parser.currentName());
			parser.nextToken();
			stack.push(this.values.decodeNullable(reader));
		}
		reader.leave();
		return map(stack.popDownTo(start));
	}

	static Object map(@Nullable Object[] table) {
		if (table.length <= 2 * MAX_COMPACT_SIZE && !hasRepeatedName(table)) {
			return new CompactMap<>(table);
		}
		Map<Object, @Nullable Object> map = new LinkedHashMap<>(table.length * 2 / 3 + 1);
		for (int i = 0; i < table.length; i += 2) {
			map.put(String.valueOf(table[i]), table[i + 1]);
		}
		return map;
	}

	private static boolean hasRepeatedName(@Nullable Object[] table) {
		for (int i = 2; i < table.length; i += 2) {
			for (int j = 0; j < i; j += 2) {
				if (table[i].equals(table[j])) {
					return true;
				}
			}
		}
		return false;
	}

}
