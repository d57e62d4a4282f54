/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.Gson;
import com.google.gson.JsonPrimitive;
import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.reflect.TypeToken;
import dev.informer.client.json.ObjectDecoder.Properties;
import dev.informer.client.json.ObjectDecoder.Property;
import dev.informer.client.model.ObjectProperty;
import dev.informer.client.model.ObjectTable;
import dev.informer.client.model.SharedValues;

/**
 * Builder of the decoders of a class and of the classes of its fields. Delegates types
 * with special treatment to Gson.
 */
final class DecoderTables {

	private final Gson gson;

	private final boolean keepManagedFields;

	private final Map<Type, ObjectDecoder> decoders = new HashMap<>();

	DecoderTables(Gson gson, boolean keepManagedFields) {
		this.gson = gson;
		this.keepManagedFields = keepManagedFields;
	}

	/**
	 * Return the decoder of a class.
	 * @throws IllegalArgumentException if its objects cannot be decoded
	 */
	synchronized ObjectDecoder decoderOf(Type type) {
		ObjectDecoder known = this.decoders.get(type);
		if (known != null) {
			return known;
		}
		Class<?> raw = TypeToken.get(type).getRawType();
		ObjectDecoder decoder = new ObjectDecoder(raw, () -> propertiesOf(type));
		this.decoders.put(type, decoder);
		// The official models are known to be decodable, and a cluster uses only a part
		// of them; errors in users' classes must be reported immediately.
		if (!ObjectTable.isOfficial(raw)) {
			decoder.properties();
		}
		return decoder;
	}

	private synchronized Properties propertiesOf(Type type) {
		ObjectTable table = ObjectTable.of(type, this.keepManagedFields);
		List<Property> list = new ArrayList<>();
		Map<ObjectProperty, ValueDecoder> known = new HashMap<>();
		table.properties().forEach((name, property) -> {
			ValueDecoder decoder = (property != null) ? known.computeIfAbsent(property, this::decoderOf) : null;
			list.add(new Property(name, property, decoder));
		});
		return new Properties(table, list);
	}

	private ValueDecoder decoderOf(ObjectProperty property) {
		Field field = property.field();
		Type type = property.type();
		String owner = property.toString();
		JsonAdapter annotation = field.getAnnotation(JsonAdapter.class);
		if (annotation != null) {
			return GsonDecoder.of(this.gson, type, annotation, owner);
		}
		return (type == Object.class) ? EmbeddedJson.of(property).decoder() : decoderOf(type, owner);
	}

	private ValueDecoder decoderOf(Type type, String owner) {
		Class<?> raw = TypeToken.get(type).getRawType();
		ValueDecoder scalar = ScalarDecoders.find(raw);
		if (scalar != null) {
			return scalar;
		}
		if (raw == Object.class) {
			return EmbeddedJson.TREE.decoder();
		}
		if (raw == List.class || raw == Collection.class) {
			return new ListDecoder(decoderOf(argument(type, 0), owner));
		}
		if (raw == Map.class && argument(type, 0) == String.class) {
			Type values = argument(type, 1);
			return new MapDecoder(
					(values == String.class) ? SharedDecoder.byName(ScalarDecoders::string) : decoderOf(values, owner));
		}
		if (raw.isEnum() && !raw.isAnnotationPresent(JsonAdapter.class)) {
			TypeAdapter<?> adapter = this.gson.getAdapter(raw);
			return new SharedDecoder<>(new SharedValues<>(64, (text) -> adapter.fromJsonTree(new JsonPrimitive(text))),
					"a string");
		}
		return ObjectTable.isModel(raw) ? decoderOf(type) : GsonDecoder.of(this.gson, type, owner);
	}

	private static Type argument(Type type, int index) {
		return (type instanceof ParameterizedType parameterized) ? parameterized.getActualTypeArguments()[index]
				: Object.class;
	}

}
