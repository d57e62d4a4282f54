/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import com.google.gson.reflect.TypeToken;
import dev.informer.client.json.EmbeddedJson;
import dev.informer.client.model.CompactList;
import dev.informer.client.model.CompactMap;
import dev.informer.client.model.ElementStack;
import dev.informer.client.model.ObjectProperty;
import dev.informer.client.model.ObjectTable;
import dev.informer.client.model.SharedValues;
import dev.informer.client.protobuf.MessageDecoder.FieldDecoder;
import dev.informer.client.protobuf.MessageTables.MessageField;
import dev.informer.client.protobuf.MessageValues.ValueReader;
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

	private final Map<Class<?>, ObjectTable> models = new HashMap<>();

	private final Map<Key, MessageDecoder> decoders = new HashMap<>();

	MessageDecoders(MessageTables tables, boolean keepManagedFields) {
		this.tables = tables;
		this.keepManagedFields = keepManagedFields;
	}

	/**
	 * Return the decoder of a message.
	 * @throws IllegalArgumentException if the class does not have the types of the fields
	 */
	synchronized MessageDecoder decoderOf(Class<?> type, int message) {
		Key key = new Key(type, message);
		MessageDecoder known = this.decoders.get(key);
		if (known == null) {
			ObjectTable model = model(type);
			List<MessageField> fields = this.tables.fields(message);
			known = new MessageDecoder(model, fields.stream().mapToInt(MessageField::number).max().orElse(0));
			this.decoders.put(key, known);
			for (MessageField field : fields) {
				add(known, type, model, field);
			}
		}
		return known;
	}

	/**
	 * Return the table of a class.
	 */
	synchronized ObjectTable model(Class<?> type) {
		return this.models.computeIfAbsent(type, (key) -> ObjectTable.of(key, this.keepManagedFields));
	}

	private void add(MessageDecoder decoder, Class<?> type, ObjectTable model, MessageField field) {
		if (field.name().isEmpty()) {
			MessageDecoder inlined = decoderOf(type, Integer.parseInt(field.type().substring(1)));
			decoder.add(field.number(), null, (reader, tag, target, seen) -> {
				MessageReader.require(tag, MessageReader.BYTES);
				int outer = reader.enter();
				inlined.fill(reader, target);
				reader.leave(outer);
				return 0;
			});
			return;
		}
		ObjectProperty property = model.property(field.name());
		if (property != null) {
			decoder.add(field.number(), field.name(), fieldDecoder(decoder, property, field));
		}
	}

	private FieldDecoder fieldDecoder(MessageDecoder decoder, ObjectProperty property, MessageField field) {
		String type = field.type();
		if (type.charAt(0) == '*') {
			ValueReader elements = reader(argument(property, property.type(), List.class, 0), type.substring(1),
					property);
			return list(property, elements, wireType(type.charAt(1)),
					decoder.addCollection(property, field.omitsZero()));
		}
		if (type.charAt(0) == '%') {
			Type values = argument(property, property.type(), Map.class, 1);
			return map(property, type.substring(1), values, decoder.addCollection(property, field.omitsZero()));
		}
		ValueReader value = reader(property.type(), type, property);
		return single(property, value, wireType(type.charAt(0)),
				field.omitsZero() && "sybnl".indexOf(type.charAt(0)) >= 0);
	}

	private static Type argument(ObjectProperty property, Type type, Class<?> raw, int index) {
		if (type instanceof ParameterizedType parameterized && parameterized.getRawType() == raw) {
			return parameterized.getActualTypeArguments()[index];
		}
		throw unsupported(property, type);
	}

	private static IllegalArgumentException unsupported(ObjectProperty property, Type type) {
		return new IllegalArgumentException(
				"Cannot decode " + property + " from protobuf: its type " + type.getTypeName() + " does not fit");
	}

	private static FieldDecoder single(ObjectProperty property, ValueReader value, int wireType, boolean omitsZero) {
		return (reader, tag, target, seen) -> {
			MessageReader.require(tag, wireType);
			// the length 0 of a string is the same byte as the number 0
			if (!omitsZero || !reader.skipZero()) {
				property.set(target, value.read(reader));
			}
			return 0;
		};
	}

	private static FieldDecoder list(ObjectProperty property, ValueReader elements, int wireType, long bit) {
		return (reader, tag, target, seen) -> {
			ElementStack stack = reader.stack();
			int start = stack.size();
			if ((seen & bit) != 0 && property.get(target) instanceof Collection<?> existing) {
				existing.forEach(stack::push);
			}
			if (wireType != MessageReader.BYTES && MessageReader.type(tag) == MessageReader.BYTES) {
				int outer = reader.enter();
				while (reader.hasNext()) {
					stack.push(elements.read(reader));
				}
				reader.leave(outer);
			}
			else {
				MessageReader.require(tag, wireType);
				do {
					stack.push(elements.read(reader));
				}
				while (reader.continues(tag));
			}
			property.set(target, new CompactList<>(stack.popDownTo(start)));
			return bit;
		};
	}

	private FieldDecoder map(ObjectProperty property, String type, Type values, long bit) {
		TextDecoder<String> keys = new TextDecoder<>(SharedValues.STRINGS, "a string");
		int wireType = wireType(type.charAt(0));
		Supplier<ValueReader> factory = () -> reader(values, type, property);
		@Nullable ValueReader[] readers = new ValueReader[KEY_GROUPS];
		ValueReader first = factory.get();
		readers[0] = first;
		return (reader, tag, target, seen) -> {
			MessageReader.require(tag, MessageReader.BYTES);
			ElementStack stack = reader.stack();
			int start = stack.size();
			if ((seen & bit) != 0 && property.get(target) instanceof Map<?, ?> existing) {
				existing.forEach((key, value) -> {
					stack.push(key);
					stack.push(value);
				});
			}
			do {
				entry(reader, keys, readers, factory, wireType, type);
			}
			while (reader.continues(tag));
			property.set(target, CompactMap.of(stack.popDownTo(start)));
			return bit;
		};
	}

	private static void entry(MessageReader reader, ValueReader keys, @Nullable ValueReader[] readers,
			Supplier<ValueReader> factory, int wireType, String type) {
		int outer = reader.enter();
		Object key = "";
		Object value = null;
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> {
					MessageReader.require(tag, MessageReader.BYTES);
					key = keys.read(reader);
				}
				case 2 -> {
					MessageReader.require(tag, wireType);
					int group = String.valueOf(key).hashCode() & (KEY_GROUPS - 1);
					ValueReader values = readers[group];
					if (values == null) {
						values = factory.get();
						readers[group] = values;
					}
					value = values.read(reader);
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

	private ValueReader reader(Type model, String type, ObjectProperty property) {
		if (model instanceof ParameterizedType && type.charAt(0) == 'w') {
			return MessageValues
				.wrappedList(reader(argument(property, model, List.class, 0), type.substring(1), property));
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
		// not an instanceof: an array may be a GenericArrayType
		Class<?> found = TypeToken.get(model).getRawType();
		if ((required != null) ? found != required : !ObjectTable.isOfficial(found)) {
			throw unsupported(property, model);
		}
		return switch (type.charAt(0)) {
			case 's' -> new TextDecoder<>(SharedValues.STRINGS, "a string");
			case 'b' -> MessageValues::bool;
			case 'n' -> MessageValues::int32;
			case 'l' -> MessageValues::int64;
			case 'd' -> MessageValues::float64;
			case 'y' -> MessageValues::bytes;
			case 't' -> (reader) -> MessageValues.time(reader, false);
			case 'u' -> (reader) -> MessageValues.time(reader, true);
			case 'q' -> MessageValues.quantity();
			case 'o' -> MessageValues.intOrString();
			case 'j' -> MessageValues.json(EmbeddedJson.of(property));
			default -> message(found, Integer.parseInt(type.substring(1)));
		};
	}

	/**
	 * Return a reader that builds its decoder at its first use: a pod has hundreds of
	 * messages, most of them in no pod.
	 */
	private ValueReader message(Class<?> model, int message) {
		return new ValueReader() {

			private @Nullable MessageDecoder decoder;

			@Override
			public Object read(MessageReader reader) {
				MessageDecoder known = this.decoder;
				if (known == null) {
					known = decoderOf(model, message);
					this.decoder = known;
				}
				int outer = reader.enter();
				Object read = known.decode(reader);
				reader.leave(outer);
				return read;
			}

		};
	}

	private record Key(Class<?> type, int message) {
	}

}
