/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.Iterator;
import java.util.Map;

import dev.informer.client.model.CompactMap;
import dev.informer.client.model.ElementStack;
import org.jspecify.annotations.Nullable;
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

	@Override
	@SuppressWarnings("unchecked")
	public @Nullable Object share(@Nullable Object value, @Nullable Object known) {
		if (!(value instanceof CompactMap<?, ?> map && known instanceof CompactMap<?, ?> other)
				|| map.size() != other.size()) {
			return value;
		}
		boolean equal = true;
		Iterator<? extends Map.Entry<?, ?>> others = other.entrySet().iterator();
		for (Map.Entry<String, @Nullable Object> entry : ((CompactMap<String, @Nullable Object>) map).entrySet()) {
			Map.Entry<?, ?> same = others.next();
			if (!entry.getKey().equals(same.getKey())) {
				return map;
			}
			Object element = this.values.share(entry.getValue(), same.getValue());
			entry.setValue(element);
			equal &= element == same.getValue();
		}
		return equal ? other : map;
	}

}
