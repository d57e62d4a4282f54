/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;

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

	static @Nullable Object bool(MessageReader reader, @Nullable Object base) {
		return reader.varint() != 0;
	}

	static @Nullable Object int32(MessageReader reader, @Nullable Object base) {
		return SharedNumbers.box((int) reader.varint());
	}

	static @Nullable Object int64(MessageReader reader, @Nullable Object base) {
		return SharedNumbers.box(reader.varint());
	}

	static @Nullable Object float64(MessageReader reader, @Nullable Object base) {
		return Double.longBitsToDouble(reader.fixed64());
	}

	static @Nullable Object bytes(MessageReader reader, @Nullable Object base) {
		byte[] bytes = reader.bytes();
		return (base instanceof byte[] same && Arrays.equals(same, bytes)) ? same : bytes;
	}

	/**
	 * Time in seconds or microseconds. An empty message is Go's zero time, which JSON
	 * writes as null.
	 */
	static @Nullable Object time(MessageReader reader, @Nullable Object base, boolean micros) {
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
		nanos = micros ? nanos / 1000 * 1000 : 0;
		if (base instanceof OffsetDateTime time && time.getNano() == nanos && time.toEpochSecond() == seconds
				&& time.getOffset() == ZoneOffset.UTC) {
			return time;
		}
		try {
			return micros ? SharedTimes.of(seconds, nanos) : SharedTimes.of(seconds);
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
		return (reader, base) -> {
			int outer = reader.enter();
			Object value = null;
			while (reader.hasNext()) {
				int tag = reader.tag();
				if (MessageReader.number(tag) == 1) {
					value = values.read(reader, base);
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
		return (reader, base) -> {
			Object quantity = texts.read(reader, null);
			return (quantity != null) ? quantity : Quantity.fromString("0");
		};
	}

	static ValueReader intOrString() {
		TextDecoder<IntOrString> texts = new TextDecoder<>(SharedValues.INT_OR_STRINGS, "a string");
		return (reader, base) -> {
			int outer = reader.enter();
			boolean isText = false;
			int number = 0;
			Object text = null;
			while (reader.hasNext()) {
				int tag = reader.tag();
				switch (MessageReader.number(tag)) {
					case 1 -> isText = reader.varint() == 1;
					case 2 -> number = (int) reader.varint();
					case 3 -> text = reader.skipZero() ? null : texts.read(reader, null);
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
		return wrapped((reader, base) -> json(decoder, reader.bytes()));
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
		return (reader, base) -> {
			int outer = reader.enter();
			int start = reader.stack().size();
			while (reader.hasNext()) {
				int tag = reader.tag();
				if (MessageReader.number(tag) == 1) {
					reader.stack().push(elements.read(reader, null));
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

		/**
		 * Read a value.
		 * @param base the value in its place of an earlier state of the object, which is
		 * returned if it is equal
		 */
		@Nullable Object read(MessageReader reader, @Nullable Object base);

	}

}
