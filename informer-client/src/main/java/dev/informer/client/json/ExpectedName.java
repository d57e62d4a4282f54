/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.Objects;

import dev.informer.client.model.ObjectProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;

/**
 * Name of a property and the name that followed it the last time. The successor is
 * compared first because the API server writes properties in a fixed order. Racy: the
 * successor is a prediction, and a lost update costs a lookup.
 */
final class ExpectedName {

	private final SerializableString name;

	private final @Nullable ObjectProperty property;

	private final @Nullable ValueDecoder decoder;

	private ExpectedName successor = this;

	/**
	 * Create the name of a property in JSON. Its values are skipped if the property is
	 * {@code null}.
	 */
	ExpectedName(String name, @Nullable ObjectProperty property, @Nullable ValueDecoder decoder) {
		this.name = new SerializedString(name);
		this.property = property;
		this.decoder = decoder;
	}

	SerializableString name() {
		return this.name;
	}

	@Nullable ObjectProperty property() {
		return this.property;
	}

	@Nullable ValueDecoder decoder() {
		return this.decoder;
	}

	/**
	 * Decode the current value into the property. JSON's {@code null} overwrites the
	 * value that the constructor set, unless the type of the field is primitive.
	 */
	void read(TokenReader reader, Object target) {
		ObjectProperty known = Objects.requireNonNull(this.property);
		Object value = Objects.requireNonNull(this.decoder).decodeNullable(reader);
		if (value != null || !known.field().getType().isPrimitive()) {
			known.set(target, value);
		}
	}

	ExpectedName successor() {
		return this.successor;
	}

	void successor(ExpectedName successor) {
		this.successor = successor;
	}

}
