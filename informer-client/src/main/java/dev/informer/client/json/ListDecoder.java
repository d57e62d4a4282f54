/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import dev.informer.client.model.CompactList;
import dev.informer.client.model.ElementStack;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decoder of arrays into compact lists, or into what a field requires.
 */
final class ListDecoder implements ValueDecoder {

	private final ValueDecoder elements;

	private final @Nullable Function<List<@Nullable Object>, Object> factory;

	/**
	 * Create a decoder into compact lists.
	 */
	ListDecoder(ValueDecoder elements) {
		this(elements, null);
	}

	/**
	 * Create a decoder into what a factory creates from the elements.
	 */
	ListDecoder(ValueDecoder elements, @Nullable Function<List<@Nullable Object>, Object> factory) {
		this.elements = elements;
		this.factory = factory;
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
		@Nullable Object[] values = stack.popDownTo(start);
		return (this.factory != null) ? create(reader, this.factory, values) : new CompactList<>(values);
	}

	private static Object create(TokenReader reader, Function<List<@Nullable Object>, Object> factory,
			@Nullable Object[] values) {
		try {
			return factory.apply(Arrays.asList(values));
		}
		catch (Throwable ex) {
			// The collection may be a user's. Not even its Error affects another object.
			throw reader.mismatch("elements that the type accepts, which threw " + ex.getClass().getName());
		}
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
