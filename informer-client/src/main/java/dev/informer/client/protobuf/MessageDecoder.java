/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.informer.client.model.CompactList;
import dev.informer.client.model.CompactMap;
import dev.informer.client.protobuf.MessageValues.ValueReader;
import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the messages of one class.
 */
final class MessageDecoder {

	private final ObjectType model;

	private final @Nullable Field[] fields;

	/** Number of lists and maps. */
	private int collections;

	/** By bit the lists and maps that JSON sets to null when they are empty. */
	private final @Nullable ObjectProperty[] nulls = new ObjectProperty[Long.SIZE];

	private long nullBits;

	/**
	 * Create a decoder without fields.
	 * @param maxNumber the greatest number of a field
	 */
	MessageDecoder(ObjectType model, int maxNumber) {
		this.model = model;
		this.fields = new Field[maxNumber + 1];
	}

	/**
	 * Add a message whose fields are those of the object itself.
	 */
	void addInlined(int number, MessageDecoder inlined) {
		this.fields[number] = new Inlined(inlined);
	}

	/**
	 * Add a field with one value.
	 * @param omitsZero whether JSON leaves out a zero
	 */
	void add(int number, String name, ObjectProperty property, ValueReader value, int wireType, boolean omitsZero) {
		this.fields[number] = new Single(name, property, value, wireType, omitsZero);
	}

	/**
	 * Add a list or map.
	 * @param omitsZero whether JSON leaves it out if it is empty; otherwise it is null
	 */
	void addCollection(int number, String name, ObjectProperty property, ValueReader value, boolean omitsZero) {
		long bit = 1L << this.collections;
		if (!omitsZero) {
			this.nullBits |= bit;
			this.nulls[this.collections] = property;
		}
		this.collections++;
		this.fields[number] = new Collected(name, property, value, bit);
	}

	/**
	 * Decode the message up to the limit of the reader.
	 * @param base an earlier state, whose parts are used where they are equal
	 */
	Object decode(MessageReader reader, @Nullable Object base) {
		Object target = create();
		fill(reader, target, (base != null && base.getClass() == target.getClass()) ? base : null);
		return target;
	}

	private Object create() {
		try {
			return this.model.create();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Cannot create a model", ex);
		}
	}

	/**
	 * Set properties of an object from the message up to the limit of the reader.
	 */
	private void fill(MessageReader reader, Object target, @Nullable Object base) {
		@Nullable Field[] fields = this.fields;
		long seen = 0;
		int number = 0;
		try {
			while (reader.hasNext()) {
				int tag = reader.tag();
				number = MessageReader.number(tag);
				Field field = (number < fields.length) ? fields[number] : null;
				if (field == null) {
					reader.skip(tag);
				}
				else {
					seen |= field.read(reader, tag, target, base, seen);
				}
			}
		}
		catch (MalformedMessageException ex) {
			Field field = (number < fields.length) ? fields[number] : null;
			throw (field != null && field.name() != null) ? ex.in(field.name()) : ex;
		}
		if ((seen & this.nullBits) != this.nullBits) {
			setNulls(target, seen);
		}
	}

	private void setNulls(Object target, long seen) {
		for (int i = 0; i < this.collections; i++) {
			ObjectProperty property = this.nulls[i];
			if (property != null && (seen & 1L << i) == 0) {
				property.set(target, null);
			}
		}
	}

	private static @Nullable Object valueOf(@Nullable Object base, ObjectProperty property) {
		return (base != null) ? property.get(base) : null;
	}

	/**
	 * Field of a message.
	 */
	private sealed interface Field {

		/**
		 * Return the name of the property; {@code null} for an inlined message.
		 */
		@Nullable String name();

		/**
		 * Read the value whose tag was read, and set the property.
		 * @param seen the bits of the lists and maps that were read before
		 * @return the bit of a list or map
		 */
		long read(MessageReader reader, int tag, Object target, @Nullable Object base, long seen);

	}

	private record Inlined(MessageDecoder decoder) implements Field {

		@Override
		public @Nullable String name() {
			return null;
		}

		@Override
		public long read(MessageReader reader, int tag, Object target, @Nullable Object base, long seen) {
			MessageReader.require(tag, MessageReader.BYTES);
			int outer = reader.enter();
			this.decoder.fill(reader, target, base);
			reader.leave(outer);
			return 0;
		}

	}

	private record Single(String name, ObjectProperty property, ValueReader value, int wireType,
			boolean omitsZero) implements Field {

		@Override
		public long read(MessageReader reader, int tag, Object target, @Nullable Object base, long seen) {
			MessageReader.require(tag, this.wireType);
			// the length 0 of a string is the same byte as the number 0
			if (!this.omitsZero || !reader.skipZero()) {
				this.property.set(target, this.value.read(reader, valueOf(base, this.property)));
			}
			return 0;
		}

	}

	private record Collected(String name, ObjectProperty property, ValueReader value, long bit) implements Field {

		@Override
		public long read(MessageReader reader, int tag, Object target, @Nullable Object base, long seen) {
			Object value = this.value.read(reader, valueOf(base, this.property));
			// other fields may have come between the elements
			Object first = ((seen & this.bit) != 0) ? this.property.get(target) : null;
			this.property.set(target, (first != null) ? joined(first, value) : value);
			return this.bit;
		}

		private static @Nullable Object joined(Object first, @Nullable Object second) {
			if (first instanceof List<?> list && second instanceof List<?> more) {
				return new CompactList<>(Stream.concat(list.stream(), more.stream()).toArray());
			}
			if (first instanceof Map<?, ?> map && second instanceof Map<?, ?> more) {
				return CompactMap.of(Stream.of(map, more)
					.flatMap((entries) -> entries.entrySet().stream())
					.flatMap((entry) -> Stream.of(entry.getKey(), entry.getValue()))
					.toArray());
			}
			return second;
		}

	}

}
