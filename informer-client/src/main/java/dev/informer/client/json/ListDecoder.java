/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import dev.informer.client.model.CompactList;
import dev.informer.client.model.ElementStack;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decoder of arrays.
 */
final class ListDecoder implements ValueDecoder {

	private final ValueDecoder elements;

	ListDecoder(ValueDecoder elements) {
		this.elements = elements;
	}

	@Override
	public Object decode(TokenReader reader) {
		JsonParser parser = reader.parser();
		if (!parser.isExpectedStartArrayToken()) {
			throw reader.mismatch("an array");
		}
		reader.limitDepth();
		ElementStack stack = reader.stack();
		int start = stack.size();
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			stack.push(this.elements.decodeNullable(reader));
		}
		return new CompactList<>(stack.popDownTo(start));
	}

	@Override
	@SuppressWarnings("unchecked")
	public @Nullable Object share(@Nullable Object value, @Nullable Object known) {
		if (!(value instanceof CompactList<?> list && known instanceof CompactList<?> other)) {
			return value;
		}
		int common = Math.min(list.size(), other.size());
		boolean equal = list.size() == other.size();
		for (int i = 0; i < common; i++) {
			Object element = this.elements.share(list.get(i), other.get(i));
			if (element != null) {
				((CompactList<Object>) list).set(i, element);
			}
			equal &= element == other.get(i);
		}
		return equal ? other : list;
	}

}
