/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.informer.client.type.ObjectProperty;
import dev.informer.client.type.RecordType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/**
 * Decoder of records, which are created from their components.
 */
final class RecordDecoder implements ValueDecoder {

	private final RecordType type;

	private final Function<ObjectProperty, ValueDecoder> decoders;

	/** Racy single-check: threads may build the map twice; the results are equal. */
	private @Nullable Map<String, Component> components;

	/**
	 * Create a decoder.
	 * @param decoders builds the decoders of the components at the first use: a record
	 * may contain itself
	 */
	RecordDecoder(RecordType type, Function<ObjectProperty, ValueDecoder> decoders) {
		this.type = type;
		this.decoders = decoders;
	}

	private Map<String, Component> components() {
		Map<String, Component> known = this.components;
		if (known == null) {
			known = this.type.properties()
				.entrySet()
				.stream()
				.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, (entry) -> new Component(entry.getValue(),
						this.type.position(entry.getValue()), this.decoders.apply(entry.getValue()))));
			this.components = known;
		}
		return known;
	}

	@Override
	public Object decode(TokenReader reader) {
		reader.requireObject();
		Map<String, Component> known = components();
		@Nullable Object[] values = this.type.unset();
		JsonParser parser = reader.parser();
		String name;
		while ((name = parser.nextName()) != null) {
			parser.nextToken();
			Component component = known.get(name);
			if (component == null) {
				parser.skipChildren();
				continue;
			}
			Object value = component.decoder.decodeNullable(reader);
			if (value != null || !component.property.skipsNull()) {
				values[component.position] = value;
			}
		}
		return create(reader, values);
	}

	private Object create(TokenReader reader, @Nullable Object[] values) {
		try {
			return this.type.create(values);
		}
		catch (Throwable ex) {
			// The constructor may be a user's. Not even its Error affects another object.
			Throwable cause = (ex instanceof InvocationTargetException wrapper) ? wrapper.getTargetException() : ex;
			throw reader.mismatch("components that the constructor of " + this.type.raw().getName()
					+ " accepts, which threw " + cause.getClass().getName());
		}
	}

	/**
	 * Return the known record if all components are equal; a component cannot be
	 * replaced.
	 */
	@Override
	public @Nullable Object share(@Nullable Object value, @Nullable Object known) {
		if (value == null || known == null || known.getClass() != value.getClass()) {
			return value;
		}
		for (Component component : components().values()) {
			Object own = component.property.get(value);
			Object other = component.property.get(known);
			boolean equal = own == other
					|| (own != null && other != null && component.decoder.share(own, other) == other);
			if (!equal) {
				return value;
			}
		}
		return known;
	}

	private record Component(ObjectProperty property, int position, ValueDecoder decoder) {
	}

}
