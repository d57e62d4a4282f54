/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.Iterator;
import java.util.Map;

import dev.informer.client.model.CompactMap;
import dev.informer.client.model.ElementStack;
import dev.informer.client.type.MapType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decoder of objects whose names are data into compact maps, or into what a field
 * requires. The last value of a repeated name wins.
 */
final class MapDecoder implements ValueDecoder {

	private final ValueDecoder values;

	private final @Nullable MapType type;

	/**
	 * Create a decoder into compact maps.
	 */
	MapDecoder(ValueDecoder values) {
		this(values, null);
	}

	/**
	 * Create a decoder into the maps of a type.
	 */
	MapDecoder(ValueDecoder values, @Nullable MapType type) {
		this.values = values;
		this.type = type;
	}

	@Override
	public Object decode(TokenReader reader) {
		JsonParser parser = reader.parser();
		reader.requireObject();
		ElementStack stack = reader.stack();
		int start = stack.size();
		while (parser.nextToken() != JsonToken.END_OBJECT) {
			String name = parser.currentName();
			if (this.type != null && !isWritten(this.type, name)) {
				throw reader.mismatch("the name that a key of " + this.type.keys() + " is written as");
			}
			stack.push(name);
			parser.nextToken();
			stack.push(this.values.decodeNullable(reader));
		}
		@Nullable Object[] table = stack.popDownTo(start);
		return (this.type != null) ? create(reader, this.type, table) : CompactMap.of(table);
	}

	private static boolean isWritten(MapType type, String name) {
		try {
			return type.writes(name);
		}
		catch (Throwable ex) {
			// reported when the map is created
			return true;
		}
	}

	private static Object create(TokenReader reader, MapType type, @Nullable Object[] table) {
		try {
			return type.create(table);
		}
		catch (Throwable ex) {
			// The map may be a user's. Not even its Error affects another object.
			throw reader.mismatch("names and values that the type accepts, which threw " + ex.getClass().getName());
		}
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
