/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.protobuf;

import dev.informer.client.model.ObjectProperty;
import dev.informer.client.model.ObjectTable;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the messages of one class.
 */
final class MessageDecoder {

	private final ObjectTable model;

	private final @Nullable FieldDecoder[] fields;

	/** By field number the names of the properties. */
	private final @Nullable String[] names;

	/** Number of lists and maps. */
	private int collections;

	/** By bit the lists and maps that JSON sets to null when they are empty. */
	private final @Nullable ObjectProperty[] nulls = new ObjectProperty[Long.SIZE];

	private long nullBits;

	/**
	 * Create a decoder without fields.
	 * @param maxNumber the greatest number of a field
	 */
	MessageDecoder(ObjectTable model, int maxNumber) {
		this.model = model;
		this.fields = new FieldDecoder[maxNumber + 1];
		this.names = new String[maxNumber + 1];
	}

	/**
	 * Add a field. Its name is that of its property; {@code null} for an inlined message.
	 */
	void add(int number, @Nullable String name, FieldDecoder field) {
		this.fields[number] = field;
		this.names[number] = name;
	}

	/**
	 * Add a list or map.
	 * @param omitsZero whether JSON leaves it out if it is empty; otherwise it is null
	 * @return the bit to set when the field is present
	 */
	long addCollection(ObjectProperty property, boolean omitsZero) {
		long bit = 1L << this.collections;
		if (!omitsZero) {
			this.nullBits |= bit;
			this.nulls[this.collections] = property;
		}
		this.collections++;
		return bit;
	}

	/**
	 * Decode the message up to the limit of the reader.
	 */
	Object decode(MessageReader reader) {
		Object target = create();
		fill(reader, target);
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
	void fill(MessageReader reader, Object target) {
		@Nullable FieldDecoder[] fields = this.fields;
		long seen = 0;
		int number = 0;
		try {
			while (reader.hasNext()) {
				int tag = reader.tag();
				number = MessageReader.number(tag);
				FieldDecoder field = (number < fields.length) ? fields[number] : null;
				if (field == null) {
					reader.skip(tag);
				}
				else {
					seen |= field.read(reader, tag, target, seen);
				}
			}
		}
		catch (MalformedMessageException ex) {
			String name = (number < fields.length) ? this.names[number] : null;
			throw (name != null) ? ex.in(name) : ex;
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

	/**
	 * Decoder of a field.
	 */
	interface FieldDecoder {

		/**
		 * Read the value whose tag was read, and set the property.
		 * @param seen the bits of the lists and maps that were read before
		 * @return the bit of the field, see {@link #addCollection}
		 */
		long read(MessageReader reader, int tag, Object target, long seen);

	}

}
