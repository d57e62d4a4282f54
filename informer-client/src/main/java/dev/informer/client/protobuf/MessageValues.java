/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.time.DateTimeException;

import dev.informer.client.json.EmbeddedJson;
import dev.informer.client.model.CompactList;
import dev.informer.client.model.SharedNumbers;
import dev.informer.client.model.SharedTimes;
import dev.informer.client.model.SharedValues;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Decoders of the values of fields.
 */
final class MessageValues {

	private MessageValues() {
	}

	static @Nullable Object bool(MessageReader reader) {
		return reader.varint() != 0;
	}

	static @Nullable Object int32(MessageReader reader) {
		return SharedNumbers.box((int) reader.varint());
	}

	static @Nullable Object int64(MessageReader reader) {
		return SharedNumbers.box(reader.varint());
	}

	static @Nullable Object float64(MessageReader reader) {
		return Double.longBitsToDouble(reader.fixed64());
	}

	static @Nullable Object bytes(MessageReader reader) {
		return reader.bytes();
	}

	/**
	 * Time in seconds or microseconds. An empty message is Go's zero time, which JSON
	 * writes as null.
	 */
	static @Nullable Object time(MessageReader reader, boolean micros) {
		int outer = reader.enter();
		if (!reader.hasNext()) {
			reader.leave(outer);
			return null;
		}
		long seconds = 0;
		int nanos = 0;
		while (reader.hasNext()) {
			int tag = reader.tag();
			switch (MessageReader.number(tag)) {
				case 1 -> seconds = reader.varint();
				case 2 -> nanos = (int) reader.varint();
				default -> reader.skip(tag);
			}
		}
		reader.leave(outer);
		try {
			return micros ? SharedTimes.of(seconds, nanos / 1000 * 1000) : SharedTimes.of(seconds);
		}
		catch (DateTimeException ex) {
			throw new MalformedMessageException("a time is out of range");
		}
	}

	/**
	 * Return a decoder of messages whose only field is a value, which is {@code null} if
	 * the field is missing.
	 */
	private static ValueReader wrapped(ValueReader values) {
		return (reader) -> {
			int outer = reader.enter();
			Object value = null;
			while (reader.hasNext()) {
				int tag = reader.tag();
				if (MessageReader.number(tag) == 1) {
					value = values.read(reader);
				}
				else {
					reader.skip(tag);
				}
			}
			reader.leave(outer);
			return value;
		};
	}

	static ValueReader quantity() {
		ValueReader texts = wrapped(new TextDecoder<>(SharedValues.QUANTITIES, "a quantity"));
		return (reader) -> {
			Object quantity = texts.read(reader);
			return (quantity != null) ? quantity : Quantity.fromString("0");
		};
	}

	static ValueReader intOrString() {
		TextDecoder<IntOrString> texts = new TextDecoder<>(SharedValues.INT_OR_STRINGS, "a string");
		return (reader) -> {
			int outer = reader.enter();
			boolean isText = false;
			int number = 0;
			Object text = null;
			while (reader.hasNext()) {
				int tag = reader.tag();
				switch (MessageReader.number(tag)) {
					case 1 -> isText = reader.varint() == 1;
					case 2 -> number = (int) reader.varint();
					case 3 -> text = reader.skipZero() ? null : texts.read(reader);
					default -> reader.skip(tag);
				}
			}
			reader.leave(outer);
			if (isText) {
				return (text != null) ? text : new IntOrString("");
			}
			return new IntOrString(number);
		};
	}

	/**
	 * Return a decoder of bytes that are JSON.
	 */
	static ValueReader json(EmbeddedJson decoder) {
		return wrapped((reader) -> json(decoder, reader.bytes()));
	}

	private static @Nullable Object json(EmbeddedJson decoder, byte[] json) {
		try {
			return (json.length > 0) ? decoder.decode(json) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new MalformedMessageException("JSON in bytes is invalid");
		}
	}

	/**
	 * Return a decoder of messages whose repeated field 1 are the elements of a list.
	 */
	static ValueReader wrappedList(ValueReader elements) {
		return (reader) -> {
			int outer = reader.enter();
			int start = reader.stack().size();
			while (reader.hasNext()) {
				int tag = reader.tag();
				if (MessageReader.number(tag) == 1) {
					reader.stack().push(elements.read(reader));
				}
				else {
					reader.skip(tag);
				}
			}
			reader.leave(outer);
			return new CompactList<>(reader.stack().popDownTo(start));
		};
	}

	/**
	 * Reader of a value, whose tag was read.
	 */
	interface ValueReader {

		@Nullable Object read(MessageReader reader);

	}

}
