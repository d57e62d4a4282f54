/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.informer.client.json.EmbeddedJson;
import dev.informer.client.model.CompactList;
import dev.informer.client.model.CompactMap;
import dev.informer.client.model.ElementStack;
import dev.informer.client.model.SharedValues;
import dev.informer.client.protobuf.MessageTables.MessageField;
import dev.informer.client.protobuf.MessageValues.ValueReader;
import dev.informer.client.type.CollectionType;
import dev.informer.client.type.MapType;
import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.ObjectType;
import dev.informer.client.type.ValueType;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Joins the fields of messages with the properties of the official models.
 */
final class MessageDecoders {

	private static final int KEY_GROUPS = 64;

	private final MessageTables tables;

	private final boolean keepManagedFields;

	private final SharedMessages shared;

	private final Map<Object, MessageDecoder> decoders = new HashMap<>();

	MessageDecoders(MessageTables tables, boolean keepManagedFields, SharedMessages shared) {
		this.tables = tables;
		this.shared = shared;
		this.keepManagedFields = keepManagedFields;
	}

	/**
	 * Return the decoder of a message.
	 * @throws IllegalArgumentException if the class does not have the types of the fields
	 */
	synchronized MessageDecoder decoderOf(Class<?> type, int message) {
		Object key = key(type, message, 0);
		MessageDecoder known = this.decoders.get(key);
		if (known == null) {
			ObjectType model = model(type);
			List<MessageField> fields = this.tables.fields(message);
			known = new MessageDecoder(model, fields.stream().mapToInt(MessageField::number).max().orElse(0));
			this.decoders.put(key, known);
			for (MessageField field : fields) {
				add(known, type, message, model, field);
			}
		}
		return known;
	}

	/**
	 * Return the description of a class.
	 */
	static ObjectType model(Class<?> type) {
		return (ObjectType) ValueType.of(type);
	}

	private void add(MessageDecoder decoder, Class<?> type, int message, ObjectType model, MessageField field) {
		String form = field.type();
		if (field.name().isEmpty()) {
			decoder.addInlined(field.number(), decoderOf(type, Integer.parseInt(form.substring(1))));
			return;
		}
		ObjectProperty property = model.property(field.name());
		if (property == null || (property.isManagedFields() && !this.keepManagedFields)) {
			return;
		}
		if (form.charAt(0) == '*' || form.charAt(0) == '%') {
			ValueReader collection = (form.charAt(0) == '*') ? list(property, form.substring(1))
					: map(property, form.substring(1));
			boolean packable = form.charAt(0) == '*' && wireType(form.charAt(1)) != MessageReader.BYTES;
			decoder.addCollection(field.number(), field.name(), property,
					packable ? collection : shared(collection, key(type, message, field.number()), true),
					field.omitsZero());
			return;
		}
		decoder.add(field.number(), field.name(), property, reader(property.type(), form, property),
				wireType(form.charAt(0)), field.omitsZero() && "sybnl".indexOf(form.charAt(0)) >= 0);
	}

	/**
	 * Return the key of a message of a class; of one of its fields if {@code field} is
	 * greater than 0. A list, since Java generates the methods of a record at their first
	 * use, which takes time.
	 */
	private Object key(Class<?> type, int message, int field) {
		return List.of(type, message, field, this.keepManagedFields);
	}

	private ValueReader shared(ValueReader reader, Object owner, boolean repeated) {
		return new SharedReader(reader, this.shared, owner, repeated);
	}

	private static IllegalArgumentException unsupported(ObjectProperty property, ValueType type) {
		return new IllegalArgumentException(
				"Cannot decode " + property + " from protobuf: its type " + type + " does not fit");
	}

	private static ValueType elements(ObjectProperty property, ValueType type) {
		if (type instanceof CollectionType collection && collection.raw() == List.class) {
			return collection.elements();
		}
		throw unsupported(property, type);
	}

	private static ValueType values(ObjectProperty property) {
		if (property.type() instanceof MapType map && map.raw() == Map.class) {
			return map.values();
		}
		throw unsupported(property, property.type());
	}

	private ValueReader list(ObjectProperty property, String type) {
		ValueReader elements = reader(elements(property, property.type()), type, property);
		int wireType = wireType(type.charAt(0));
		return (reader, base) -> {
			int tag = reader.lastTag();
			List<?> before = (base instanceof List<?> list) ? list : List.of();
			ElementStack stack = reader.stack();
			int start = stack.size();
			if (wireType != MessageReader.BYTES && MessageReader.type(tag) == MessageReader.BYTES) {
				int outer = reader.enter();
				while (reader.hasNext()) {
					stack.push(elements.read(reader, null));
				}
				reader.leave(outer);
			}
			else {
				MessageReader.require(tag, wireType);
				do {
					int index = stack.size() - start;
					stack.push(elements.read(reader, (index < before.size()) ? before.get(index) : null));
				}
				while (reader.continues(tag));
			}
			List<?> list = new CompactList<>(stack.popDownTo(start));
			return list.equals(base) ? base : list;
		};
	}

	private ValueReader map(ObjectProperty property, String type) {
		ValueType values = values(property);
		TextDecoder<String> keys = new TextDecoder<>(SharedValues.STRINGS, "a string");
		int wireType = wireType(type.charAt(0));
		Supplier<ValueReader> factory = () -> reader(values, type, property);
		@Nullable ValueReader[] readers = new ValueReader[KEY_GROUPS];
		readers[0] = factory.get();
		return (reader, base) -> {
			int tag = reader.lastTag();
			MessageReader.require(tag, MessageReader.BYTES);
			Map<?, ?> before = (base instanceof Map<?, ?> map) ? map : Map.of();
			ElementStack stack = reader.stack();
			int start = stack.size();
			do {
				entry(reader, keys, readers, factory, wireType, type, before);
			}
			while (reader.continues(tag));
			Map<?, ?> map = CompactMap.of(stack.popDownTo(start));
			return map.equals(base) ? base : map;
		};
	}

	private static void entry(MessageReader reader, ValueReader keys, @Nullable ValueReader[] readers,
			Supplier<ValueReader> factory, int wireType, String type, Map<?, ?> before) {
		int outer = reader.enter();
		Object key = "";
		Object value = null;
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> {
					MessageReader.require(tag, MessageReader.BYTES);
					key = keys.read(reader, null);
				}
				case 2 -> {
					MessageReader.require(tag, wireType);
					int group = String.valueOf(key).hashCode() & (KEY_GROUPS - 1);
					ValueReader values = readers[group];
					if (values == null) {
						values = factory.get();
						readers[group] = values;
					}
					value = values.read(reader, before.get(String.valueOf(key)));
				}
				default -> reader.skip(tag);
			}
		}
		reader.leave(outer);
		reader.stack().push(key);
		reader.stack().push((value != null) ? value : zero(type));
	}

	private static @Nullable Object zero(String type) {
		return switch (type.charAt(0)) {
			case 's' -> "";
			case 'y' -> new byte[0];
			case 'q' -> Quantity.fromString("0");
			default -> null;
		};
	}

	private static int wireType(char type) {
		return switch (type) {
			case 'b', 'n', 'l' -> MessageReader.VARINT;
			case 'd' -> MessageReader.FIXED64;
			default -> MessageReader.BYTES;
		};
	}

	private ValueReader reader(ValueType model, String type, ObjectProperty property) {
		if (model instanceof CollectionType && type.charAt(0) == 'w') {
			return MessageValues.wrappedList(reader(elements(property, model), type.substring(1), property));
		}
		Class<?> required = switch (type.charAt(0)) {
			case 's' -> String.class;
			case 'b' -> Boolean.class;
			case 'n' -> Integer.class;
			case 'l' -> Long.class;
			case 'd' -> Double.class;
			case 'y' -> byte[].class;
			case 't', 'u' -> OffsetDateTime.class;
			case 'q' -> Quantity.class;
			case 'o' -> IntOrString.class;
			case 'j' -> Object.class;
			default -> null;
		};
		Class<?> found = model.raw();
		if ((required != null) ? found != required : !ObjectType.isOfficial(found)) {
			throw unsupported(property, model);
		}
		return switch (type.charAt(0)) {
			case 's' -> new TextDecoder<>(SharedValues.STRINGS, "a string");
			case 'b' -> MessageValues::bool;
			case 'n' -> MessageValues::int32;
			case 'l' -> MessageValues::int64;
			case 'd' -> MessageValues::float64;
			case 'y' -> MessageValues::bytes;
			case 't' -> (reader, base) -> MessageValues.time(reader, base, false);
			case 'u' -> (reader, base) -> MessageValues.time(reader, base, true);
			case 'q' -> MessageValues.quantity();
			case 'o' -> MessageValues.intOrString();
			case 'j' -> shared(MessageValues.json(EmbeddedJson.of(property)), property.field(), false);
			default -> message(found, Integer.parseInt(type.substring(1)));
		};
	}

	/**
	 * Return a reader that builds its decoder at its first use: a pod has hundreds of
	 * messages, most of them in no pod.
	 */
	private ValueReader message(Class<?> model, int message) {
		return shared(new ValueReader() {

			/** Volatile: its fields are added after it was created. */
			private volatile @Nullable MessageDecoder decoder;

			@Override
			public Object read(MessageReader reader, @Nullable Object base) {
				MessageDecoder known = this.decoder;
				if (known == null) {
					known = decoderOf(model, message);
					this.decoder = known;
				}
				int outer = reader.enter();
				Object read = known.decode(reader, base);
				reader.leave(outer);
				return (base != null && read.equals(base)) ? base : read;
			}

		}, key(model, message, 0), false);
	}

}
