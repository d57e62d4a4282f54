/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.informer.client.json.ObjectDecoder.Properties;
import dev.informer.client.json.ObjectDecoder.Property;
import dev.informer.client.model.SharedValues;
import dev.informer.client.type.AdaptedType;
import dev.informer.client.type.ArrayType;
import dev.informer.client.type.CollectionType;
import dev.informer.client.type.ConvertedType;
import dev.informer.client.type.MapType;
import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.ObjectType;
import dev.informer.client.type.RecordType;
import dev.informer.client.type.ScalarType;
import dev.informer.client.type.TreeType;
import dev.informer.client.type.ValueType;

/**
 * Builder of the decoders of a class and of the classes of its properties, from their
 * descriptions.
 */
final class DecoderTables {

	private final boolean keepManagedFields;

	private final Map<ObjectType, ValueDecoder> decoders = new HashMap<>();

	DecoderTables(boolean keepManagedFields) {
		this.keepManagedFields = keepManagedFields;
	}

	/**
	 * Return the decoder of a class that is created before its properties are decoded.
	 */
	ObjectDecoder decoderOf(ObjectType type) {
		return (ObjectDecoder) decoder(type);
	}

	private synchronized ValueDecoder decoder(ObjectType type) {
		ValueDecoder known = this.decoders.get(type);
		if (known == null) {
			known = (type instanceof RecordType of) ? new RecordDecoder(of, this::decoderOf)
					: new ObjectDecoder(type, () -> propertiesOf(type));
			this.decoders.put(type, known);
		}
		return known;
	}

	private synchronized Properties propertiesOf(ObjectType type) {
		List<Property> list = new ArrayList<>();
		Map<ObjectProperty, ValueDecoder> known = new HashMap<>();
		type.properties().forEach((name, property) -> {
			boolean kept = this.keepManagedFields || !property.isManagedFields();
			list.add(kept ? new Property(name, property, known.computeIfAbsent(property, this::decoderOf))
					: new Property(name, null, null));
		});
		return new Properties(list);
	}

	private ValueDecoder decoderOf(ObjectProperty property) {
		ValueType type = property.type();
		return (type instanceof TreeType) ? EmbeddedJson.of(property).decoder() : decoderOf(type);
	}

	private ValueDecoder decoderOf(ValueType type) {
		if (type instanceof ScalarType) {
			return ScalarDecoders.of(type.raw());
		}
		if (type instanceof TreeType) {
			return EmbeddedJson.TREE.decoder();
		}
		if (type instanceof CollectionType collection) {
			ValueDecoder elements = decoderOf(collection.elements());
			return collection.isList() ? new ListDecoder(elements) : new ListDecoder(elements, collection::create);
		}
		if (type instanceof ArrayType array) {
			return new ListDecoder(decoderOf(array.elements()), array::create);
		}
		if (type instanceof MapType map) {
			boolean strings = map.values().raw() == String.class;
			ValueDecoder values = strings ? SharedDecoder.byName(ScalarDecoders::string) : decoderOf(map.values());
			return map.isMap() ? new MapDecoder(values) : new MapDecoder(values, map);
		}
		if (type instanceof ConvertedType converted) {
			return converted(converted);
		}
		return (type instanceof ObjectType object) ? decoder(object) : new GsonDecoder((AdaptedType) type);
	}

	/**
	 * Return a decoder of values that are created from one value of another type. The
	 * constants of an enum are looked up by their text.
	 */
	private ValueDecoder converted(ConvertedType type) {
		if (type.isImmutable() && type.written().raw() == String.class) {
			return new SharedDecoder<>(new SharedValues<>(64, type::create), "a string");
		}
		ValueDecoder written = decoderOf(type.written());
		return (reader) -> {
			Object value = written.decodeNullable(reader);
			try {
				return (value != null) ? type.create(value) : null;
			}
			catch (Throwable ex) {
				// The creator is the user's. Not even its Error affects another object.
				throw reader.mismatch("a value that a " + type + " is created from, which threw "
						+ ((ex.getCause() != null) ? ex.getCause() : ex).getClass().getName());
			}
		};
	}

}
