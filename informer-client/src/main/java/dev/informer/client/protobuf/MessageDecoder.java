/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.informer.client.model.CompactList;
import dev.informer.client.model.CompactMap;
import dev.informer.client.model.ElementStack;
import dev.informer.client.model.ObjectProperty;
import dev.informer.client.model.ObjectTable;
import dev.informer.client.protobuf.MessageValues.ValueReader;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the messages of one class.
 */
final class MessageDecoder {

	private final ObjectTable model;

	private final @Nullable Field[] fields;

	/** Bits of the lists and maps that JSON sets to null when they are empty. */
	private long nullBits;

	/**
	 * Create a decoder without fields.
	 * @param maxNumber the greatest number of a field
	 */
	MessageDecoder(ObjectTable model, int maxNumber) {
		this.model = model;
		this.fields = new Field[maxNumber + 1];
	}

	/**
	 * Add a message whose fields are those of the object itself.
	 */
	void addInlined(int number, MessageDecoder inlined) {
		this.fields[number] = new Inlined(inlined);
		this.nullBits |= inlined.nullBits;
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
		if (!omitsZero) {
			this.nullBits |= property.bit();
		}
		this.fields[number] = new Collected(name, property, value);
	}

	/**
	 * Decode the message up to the limit of the reader.
	 * @param base an earlier state, whose parts are used where they are equal, or all of
	 * it
	 */
	Object decode(MessageReader reader, @Nullable Object base) {
		if (base != null && this.model.isComparable(base)) {
			return decodeChanged(reader, base);
		}
		Object target = create();
		long seen = fill(reader, target, null, 0);
		this.model.copy(null, target, this.nullBits & ~seen);
		return target;
	}

	/**
	 * Decode without creating an object if it would be equal to the earlier state.
	 */
	private Object decodeChanged(MessageReader reader, Object base) {
		ElementStack stack = reader.stack();
		int start = stack.size();
		stack.push(base);
		long seen = fill(reader, null, base, 0);
		Object decoded = base;
		if (stack.size() > start + 1 || seen != this.model.valueBits(base)) {
			decoded = create();
			this.model.copy(base, decoded, seen);
			this.model.copy(null, decoded, this.nullBits & ~seen);
			for (int i = start + 1; i < stack.size(); i += 2) {
				((ObjectProperty) Objects.requireNonNull(stack.get(i + 1))).set(decoded, stack.get(i));
			}
		}
		stack.dropTo(start);
		return decoded;
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
	 * Read the fields of the message up to the limit of the reader, and return the bits
	 * of those that were read, with those that were read before.
	 * @param target the object whose properties are set; {@code null} to push those that
	 * differ from the earlier state
	 */
	private long fill(MessageReader reader, @Nullable Object target, @Nullable Object base, long before) {
		@Nullable Field[] fields = this.fields;
		long seen = before;
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
		return seen;
	}

	/**
	 * Set a property, or push the value and the property if it differs from that of the
	 * earlier state.
	 * @return the bit of the property, unless it has no value
	 */
	private static long put(MessageReader reader, ObjectProperty property, @Nullable Object value,
			@Nullable Object target, @Nullable Object earlier, long seen) {
		if (target != null) {
			property.set(target, value);
		}
		else if (value != earlier || (seen & property.bit()) != 0) {
			reader.stack().push(value);
			reader.stack().push(property);
		}
		// an empty time is null, in JSON as well
		return (value != null || earlier != null) ? property.bit() : 0;
	}

	private static @Nullable Object valueOf(@Nullable Object object, ObjectProperty property) {
		return (object != null) ? property.get(object) : null;
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
		 * Read the value whose tag was read, and set or push the property.
		 * @param seen the bits of the properties that were read before
		 * @return the bits of the properties that were read
		 */
		long read(MessageReader reader, int tag, @Nullable Object target, @Nullable Object base, long seen);

	}

	private record Inlined(MessageDecoder decoder) implements Field {

		@Override
		public @Nullable String name() {
			return null;
		}

		@Override
		public long read(MessageReader reader, int tag, @Nullable Object target, @Nullable Object base, long seen) {
			MessageReader.require(tag, MessageReader.BYTES);
			int outer = reader.enter();
			long read = this.decoder.fill(reader, target, base, seen);
			reader.leave(outer);
			return read;
		}

	}

	private record Single(String name, ObjectProperty property, ValueReader value, int wireType,
			boolean omitsZero) implements Field {

		@Override
		public long read(MessageReader reader, int tag, @Nullable Object target, @Nullable Object base, long seen) {
			MessageReader.require(tag, this.wireType);
			// the length 0 of a string is the same byte as the number 0
			if (this.omitsZero && reader.skipZero()) {
				return 0;
			}
			Object earlier = valueOf(base, this.property);
			return put(reader, this.property, this.value.read(reader, earlier), target, earlier, seen);
		}

	}

	private record Collected(String name, ObjectProperty property, ValueReader value) implements Field {

		@Override
		public long read(MessageReader reader, int tag, @Nullable Object target, @Nullable Object base, long seen) {
			Object earlier = valueOf(base, this.property);
			Object read = this.value.read(reader, earlier);
			if ((seen & this.property.bit()) != 0) {
				// other fields have come between the elements
				read = joined(first(reader.stack(), target, base), read);
			}
			return put(reader, this.property, read, target, earlier, seen);
		}

		private @Nullable Object first(ElementStack stack, @Nullable Object target, @Nullable Object base) {
			if (target == null) {
				for (int i = stack.size() - 1; stack.get(i) != base; i -= 2) {
					if (stack.get(i) == this.property) {
						return stack.get(i - 1);
					}
				}
			}
			return valueOf((target != null) ? target : base, this.property);
		}

		private static @Nullable Object joined(@Nullable Object first, @Nullable Object second) {
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
