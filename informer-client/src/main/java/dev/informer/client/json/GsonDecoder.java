/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;

import com.google.gson.stream.JsonReader;
import dev.informer.client.type.AdaptedType;
import org.jspecify.annotations.Nullable;

/**
 * Decoder that passes the JSON of the value to a Gson adapter, for all other types.
 */
final class GsonDecoder implements ValueDecoder {

	private final AdaptedType type;

	GsonDecoder(AdaptedType type) {
		this.type = type;
	}

	@Override
	public @Nullable Object decode(TokenReader reader) {
		JsonReader json = new JsonReader(
				new StringReader(new String(JsonInput.copy(reader.parser()), StandardCharsets.UTF_8)));
		try {
			return this.type.adapter().read(json);
		}
		catch (Throwable ex) {
			// An adapter may be a user's. Not even its Error affects another object.
			throw reader.mismatch(this.type + " as Gson reads it" + position(json));
		}
	}

	/**
	 * Return the decoded value: only its adapter knows what is equal.
	 */
	@Override
	public @Nullable Object share(@Nullable Object value, @Nullable Object known) {
		return value;
	}

	/**
	 * Return where Gson has failed inside of the value. The message of its exception is
	 * not used: it may have the content of the object.
	 */
	private static String position(JsonReader json) {
		String path = json.getPath().substring(1);
		return path.isEmpty() ? "" : "; failed at " + (path.startsWith(".") ? path.substring(1) : path);
	}

}
