/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import dev.informer.client.type.ObjectProperty;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of JSON inside of another format into the values that the same property has
 * when the entire object is JSON.
 */
public enum EmbeddedJson {

	/** Any value. */
	TREE(new TreeDecoder()),

	/** Value of a property in {@code managedFields}. */
	PACKED(new PackedDecoder());

	private final ValueDecoder decoder;

	EmbeddedJson(ValueDecoder decoder) {
		this.decoder = decoder;
	}

	/**
	 * Return the decoder of a property of type {@code Object}.
	 */
	public static EmbeddedJson of(ObjectProperty property) {
		return (property.field().getDeclaringClass() == V1ManagedFieldsEntry.class) ? PACKED : TREE;
	}

	/**
	 * Decode a value; {@code null} for JSON's {@code null}.
	 * @throws IllegalArgumentException if it is invalid
	 */
	public @Nullable Object decode(byte[] json) {
		try (TokenReader reader = (this == PACKED) ? JsonInput.openManagedFields(json) : JsonInput.open(json)) {
			return this.decoder.decodeNullable(reader);
		}
		catch (RuntimeException ex) {
			throw new IllegalArgumentException("Invalid JSON", ex);
		}
	}

	ValueDecoder decoder() {
		return this.decoder;
	}

}
