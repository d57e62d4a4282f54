/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.ObjectType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/**
 * Decoder of the objects of one class by its table. The table is built for the first
 * object, because a cluster uses only a part of what a pod may contain.
 */
final class ObjectDecoder implements ValueDecoder {

	private final ObjectType type;

	private final Supplier<Properties> source;

	/** Racy single-check: threads may build the table twice; the results are equal. */
	private @Nullable Properties properties;

	ObjectDecoder(ObjectType type, Supplier<Properties> source) {
		this.type = type;
		this.source = source;
	}

	ObjectType type() {
		return this.type;
	}

	/**
	 * Return the properties, building the table if necessary.
	 */
	Properties properties() {
		Properties known = this.properties;
		if (known == null) {
			known = this.source.get();
			this.properties = known;
		}
		return known;
	}

	@Override
	public Object decode(TokenReader reader) {
		Object target = create(reader);
		reader.requireObject();
		fill(reader, target, properties().start(), null);
		return target;
	}

	Object create(TokenReader reader) {
		try {
			return this.type.create();
		}
		catch (Throwable ex) {
			// The constructor may be a user's. Not even its Error affects another object.
			Throwable cause = (ex instanceof InvocationTargetException wrapper) ? wrapper.getTargetException() : ex;
			throw reader.mismatch("an object, but the constructor of " + this.type.raw().getName() + " threw "
					+ cause.getClass().getName());
		}
	}

	/**
	 * Set properties of an object, and return the one before whose value this method
	 * stopped; {@code null} if the object was read to its end. The previous one is that
	 * of the last call, or the start.
	 */
	@Nullable Property fill(TokenReader reader, Object target, Property previous, @Nullable ObjectProperty stop) {
		Properties properties = properties();
		Property property = previous;
		while ((property = properties.next(reader.parser(), property)) != null) {
			if (property.model == null) {
				reader.parser().skipChildren();
			}
			else if (property.model == stop) {
				return property;
			}
			else {
				property.read(reader, target);
			}
		}
		return null;
	}

	@Override
	public @Nullable Object share(@Nullable Object value, @Nullable Object known) {
		if (value == known || value == null || known == null || known.getClass() != value.getClass()) {
			return value;
		}
		boolean equal = true;
		for (Property property : properties().decoded) {
			equal &= property.share(value, known);
		}
		return equal ? known : value;
	}

	/**
	 * Properties of a class by their names in JSON.
	 */
	static final class Properties {

		private final Map<String, Property> properties = new HashMap<>();

		private final Property[] decoded;

		/** Precedes the first property, and stands for those of other names. */
		private final Property start = new Property("", null, null);

		/**
		 * Create the properties from those in their most likely order.
		 */
		Properties(List<Property> properties) {
			Property previous = this.start;
			for (Property property : properties) {
				this.properties.put(property.name.getValue(), property);
				previous.successor = property;
				previous = property;
			}
			this.decoded = properties.stream().filter((property) -> property.model != null).toArray(Property[]::new);
		}

		Property start() {
			return this.start;
		}

		@Nullable Property find(String name) {
			return this.properties.get(name);
		}

		/**
		 * Advance to the value of the next property; {@code null} at the end of the
		 * object.
		 */
		private @Nullable Property next(JsonParser parser, Property previous) {
			Property next = previous.successor;
			if (!parser.nextName(next.name)) {
				if (parser.currentToken() == JsonToken.END_OBJECT) {
					return null;
				}
				next = this.properties.getOrDefault(parser.currentName(), this.start);
				if (next != this.start) {
					previous.successor = next;
				}
			}
			parser.nextToken();
			return next;
		}

	}

	/**
	 * Property of a name in JSON, and the one that followed it the last time. The
	 * successor is compared first because the API server writes properties in a fixed
	 * order. Racy: the successor is a prediction, and a lost update costs a lookup.
	 */
	static final class Property {

		private final SerializableString name;

		private final @Nullable ObjectProperty model;

		private final @Nullable ValueDecoder decoder;

		private Property successor = this;

		/**
		 * Create a property. Its values are skipped if the model has none.
		 */
		Property(String name, @Nullable ObjectProperty model, @Nullable ValueDecoder decoder) {
			this.name = new SerializedString(name);
			this.model = model;
			this.decoder = decoder;
		}

		@Nullable ObjectProperty model() {
			return this.model;
		}

		@Nullable ValueDecoder decoder() {
			return this.decoder;
		}

		/**
		 * Decode the current value into the property. JSON's {@code null} overwrites the
		 * value that the constructor set, unless the property skips it.
		 */
		void read(TokenReader reader, Object target) {
			ObjectProperty known = Objects.requireNonNull(this.model);
			Object value = Objects.requireNonNull(this.decoder).decodeNullable(reader);
			if (value != null || !known.skipsNull()) {
				known.set(target, value);
			}
		}

		/**
		 * Share what is equal, and return whether the entire value is.
		 */
		boolean share(Object target, Object known) {
			ObjectProperty property = Objects.requireNonNull(this.model);
			Object own = property.get(target);
			Object other = property.get(known);
			if (own == null || other == null || own == other) {
				return own == other;
			}
			Object shared = Objects.requireNonNull(this.decoder).share(own, other);
			if (shared != own) {
				property.set(target, shared);
			}
			return shared == other;
		}

	}

}
