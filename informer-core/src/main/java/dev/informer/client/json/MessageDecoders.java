/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.informer.client.json.MessageDecoder.FieldDecoder;
import dev.informer.client.json.MessageTables.MessageField;
import dev.informer.client.json.MessageValues.ValueReader;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Joins the fields of messages with the properties of the official models.
 */
final class MessageDecoders {

	private static final int KEY_GROUPS = 64;

	private final MessageTables tables;

	private final DecoderTables models;

	private final Map<Key, MessageDecoder> decoders = new HashMap<>();

	MessageDecoders(MessageTables tables, DecoderTables models) {
		this.tables = tables;
		this.models = models;
	}

	/**
	 * Return the decoder of a kind.
	 * @throws IllegalArgumentException if the class does not have the types of the fields
	 */
	MessageDecoder decoderOf(Class<?> type, int message) {
		return decoderOf(this.models.decoderOf(type), message);
	}

	private MessageDecoder decoderOf(ObjectDecoder model, int message) {
		Key key = new Key(model.type(), message);
		MessageDecoder known = this.decoders.get(key);
		if (known == null) {
			known = new MessageDecoder(model.table());
			this.decoders.put(key, known);
			for (MessageField field : this.tables.fields(message)) {
				add(known, model, field);
			}
		}
		return known;
	}

	private void add(MessageDecoder decoder, ObjectDecoder model, MessageField field) {
		if (field.name().isEmpty()) {
			MessageDecoder inlined = decoderOf(model, Integer.parseInt(field.type().substring(1)));
			decoder.add(field.number(), (reader, tag, target, seen) -> {
				MessageReader.require(tag, MessageReader.BYTES);
				int outer = reader.enter();
				inlined.fill(reader, target);
				reader.leave(outer);
				return 0;
			});
			return;
		}
		ObjectProperty property = model.table().property(field.name());
		if (property != null) {
			decoder.add(field.number(), fieldDecoder(decoder, property, field, model));
		}
	}

	private FieldDecoder fieldDecoder(MessageDecoder decoder, ObjectProperty property, MessageField field,
			ObjectDecoder model) {
		String type = field.type();
		String where = model.type().getSimpleName() + "." + field.name();
		if (type.charAt(0) == '*') {
			ValueDecoder elements = require(ListDecoder.class, property.decoder(), where).elements();
			int wireType = wireType(type.charAt(1));
			return list(property, reader(elements, type.substring(1), where), wireType,
					decoder.addCollection(property, field.omitsZero()));
		}
		if (type.charAt(0) == '%') {
			ValueDecoder values = require(MapDecoder.class, property.decoder(), where).values();
			return map(property, type.substring(1), values, where, decoder.addCollection(property, field.omitsZero()));
		}
		ValueReader value = reader(property.decoder(), type, where);
		return single(property, value, wireType(type.charAt(0)), field.omitsZero() ? type.charAt(0) : 0);
	}

	private static FieldDecoder single(ObjectProperty property, ValueReader value, int wireType, int omitted) {
		return switch (omitted) {
			// the length 0 of a string is the same byte as the number 0
			case 's', 'y', 'b', 'n', 'l' -> (reader, tag, target, seen) -> {
				MessageReader.require(tag, wireType);
				if (!reader.skipZero()) {
					property.set(target, value.read(reader));
				}
				return 0;
			};
			default -> (reader, tag, target, seen) -> {
				MessageReader.require(tag, wireType);
				property.set(target, value.read(reader));
				return 0;
			};
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

	private FieldDecoder map(ObjectProperty property, String type, ValueDecoder values, String where, long bit) {
		TextDecoder<String> keys = new TextDecoder<>(ScalarDecoders.STRINGS, "a string");
		int wireType = wireType(type.charAt(0));
		Supplier<ValueReader> factory = () -> reader(values, type, where);
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
			property.set(target, MapDecoder.map(stack.popDownTo(start)));
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

	private ValueReader reader(ValueDecoder model, String type, String where) {
		return switch (type.charAt(0)) {
			case 's' -> new TextDecoder<>(ScalarDecoders.STRINGS, "a string");
			case 'b' -> MessageValues::bool;
			case 'n' -> MessageValues::int32;
			case 'l' -> MessageValues::int64;
			case 'd' -> MessageValues::float64;
			case 'y' -> MessageValues::bytes;
			case 't' -> MessageValues::time;
			case 'u' -> MessageValues::microTime;
			case 'q' -> MessageValues.quantity();
			case 'o' -> MessageValues.intOrString();
			case 'j' -> MessageValues.json(model);
			case 'w' -> MessageValues
				.wrappedList(reader(require(ListDecoder.class, model, where).elements(), type.substring(1), where));
			case 'm' -> message(require(ObjectDecoder.class, model, where), Integer.parseInt(type.substring(1)));
			default -> throw new IllegalArgumentException("Unknown type " + type);
		};
	}

	/**
	 * Return a reader that builds its decoder at its first use: a pod has hundreds of
	 * messages, most of them in no pod.
	 */
	private ValueReader message(ObjectDecoder model, int message) {
		return new ValueReader() {

			private @Nullable MessageDecoder decoder;

			@Override
			public Object read(MessageReader reader) {
				MessageDecoder known = this.decoder;
				if (known == null) {
					synchronized (MessageDecoders.this) {
						known = decoderOf(model, message);
					}
					this.decoder = known;
				}
				int outer = reader.enter();
				Object read = known.decode(reader);
				reader.leave(outer);
				return read;
			}

		};
	}

	private static <D extends ValueDecoder> D require(Class<D> type, ValueDecoder found, String where) {
		if (!type.isInstance(found)) {
			throw new IllegalArgumentException(
					"Cannot decode " + where + " from protobuf: its decoder is " + found.getClass().getSimpleName());
		}
		return type.cast(found);
	}

	private record Key(Class<?> type, int message) {
	}

}
