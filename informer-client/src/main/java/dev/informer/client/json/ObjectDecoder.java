/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;

import dev.informer.client.model.ObjectProperty;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the objects of one class by its table. The table is built for the first
 * object, because a cluster uses only a part of what a pod may contain.
 */
final class ObjectDecoder implements ValueDecoder {

	private final Class<?> type;

	private final Supplier<ObjectNames> source;

	/** Racy single-check: threads may request the names twice; the results are equal. */
	private @Nullable ObjectNames names;

	ObjectDecoder(Class<?> type, Supplier<ObjectNames> source) {
		this.type = type;
		this.source = source;
	}

	Class<?> type() {
		return this.type;
	}

	/**
	 * Return the names, building the table if necessary.
	 */
	ObjectNames names() {
		ObjectNames known = this.names;
		if (known == null) {
			known = this.source.get();
			this.names = known;
		}
		return known;
	}

	@Override
	public Object decode(TokenReader reader) {
		Object target = create(reader);
		reader.enterObject();
		fill(reader, target, names().start(), null);
		return target;
	}

	Object create(TokenReader reader) {
		try {
			return names().table().create();
		}
		catch (Throwable ex) {
			// The constructor may be a user's. Not even its Error affects another object.
			Throwable cause = (ex instanceof InvocationTargetException wrapper) ? wrapper.getTargetException() : ex;
			throw reader.mismatch("an object, but the constructor of " + this.type.getName() + " threw "
					+ cause.getClass().getName());
		}
	}

	/**
	 * Set properties of an object.
	 * @param previous the name at which the last call stopped, or the start
	 * @param stop the property before whose value to stop; {@code null} for none
	 * @return the name of that property, or {@code null} if the object was read to its
	 * end
	 */
	@Nullable ExpectedName fill(TokenReader reader, Object target, ExpectedName previous, @Nullable ObjectProperty stop) {
		try {
			ObjectNames names = names();
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
				name.read(reader, target);
			}
		}
		catch (UndecodableValueException ex) {
			ex.addUnfinished(this, target);
			throw ex;
		}
		reader.leave();
		return null;
	}

}
