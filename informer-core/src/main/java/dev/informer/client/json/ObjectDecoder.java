/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Decodes the objects of one class by its table, which is made when the first of them
 * comes: of all that can be in a pod, a cluster uses a part.
 */
final class ObjectDecoder implements ValueDecoder {

	private final Class<?> type;

	private final Supplier<ObjectTable> source;

	/** Whoever does not see it makes or asks for another one, which is as good. */
	private @Nullable ObjectTable table;

	/**
	 * Creates a decoder.
	 * @param type the class
	 * @param source makes the table, or gives the one that was made
	 */
	ObjectDecoder(Class<?> type, Supplier<ObjectTable> source) {
		this.type = type;
		this.source = source;
	}

	Class<?> type() {
		return this.type;
	}

	/**
	 * The table, made now at the latest.
	 */
	ObjectTable table() {
		ObjectTable known = this.table;
		if (known == null) {
			known = this.source.get();
			this.table = known;
		}
		return known;
	}

	@Override
	public Object decode(TokenReader reader) {
		Object target = create(reader);
		reader.enterObject();
		fill(reader, target, table().start(), null);
		return target;
	}

	Object create(TokenReader reader) {
		try {
			return table().create();
		}
		catch (InvocationTargetException ex) {
			throw reader.mismatch("an object, but the constructor of " + this.type.getName() + " throws "
					+ ex.getTargetException().getClass().getName());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Cannot create a " + this.type.getName(), ex);
		}
	}

	/**
	 * Sets properties of an object.
	 * @param previous the name at which the last call has stopped, or the start
	 * @param stop the property at whose value to stop, before it is read; {@code null}
	 * for none
	 * @return the name of that property; {@code null} when the object was read to its end
	 */
	@Nullable ExpectedName fill(TokenReader reader, Object target, ExpectedName previous, @Nullable ObjectProperty stop) {
		try {
			ObjectTable names = table();
			ExpectedName name = previous;
			while ((name = names.next(reader.parser(), name)) != null) {
				ObjectProperty property = name.property();
				if (property == null) {
					reader.parser().skipChildren();
					continue;
				}
				if (property == stop) {
					return name;
				}
				property.read(reader, target);
			}
		}
		catch (UndecodableValueException ex) {
			ex.leaves(this, target);
			throw ex;
		}
		reader.leave();
		return null;
	}

}
