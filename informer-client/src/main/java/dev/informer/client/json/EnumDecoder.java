/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.util.HashMap;
import java.util.Map;

import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of enum constants by the names that Gson uses. An unknown name becomes
 * {@code null}, as with Gson.
 */
final class EnumDecoder implements ValueDecoder {

	private final Map<String, Object> constants = new HashMap<>();

	EnumDecoder(Class<?> type) {
		for (Object constant : type.getEnumConstants()) {
			String name = ((Enum<?>) constant).name();
			SerializedName serializedName = serializedName(type, name);
			if (serializedName == null) {
				this.constants.put(name, constant);
				continue;
			}
			this.constants.put(serializedName.value(), constant);
			for (String alternate : serializedName.alternate()) {
				this.constants.put(alternate, constant);
			}
		}
		for (Object constant : type.getEnumConstants()) {
			this.constants.putIfAbsent(constant.toString(), constant);
		}
	}

	private static @Nullable SerializedName serializedName(Class<?> type, String name) {
		try {
			return type.getField(name).getAnnotation(SerializedName.class);
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException("Cannot find constant " + name + " of " + type.getName(), ex);
		}
	}

	@Override
	public @Nullable Object decode(TokenReader reader) {
		if (!reader.parser().currentToken().isScalarValue()) {
			throw reader.mismatch("a string");
		}
		return this.constants.get(reader.parser().getString());
	}

}
