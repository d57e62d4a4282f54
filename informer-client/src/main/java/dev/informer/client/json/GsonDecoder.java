/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.io.StringReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import com.google.gson.Gson;
import com.google.gson.JsonDeserializer;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import org.jspecify.annotations.Nullable;

/**
 * Decoder that passes the JSON of the value to a Gson adapter, for all other types.
 */
final class GsonDecoder implements ValueDecoder {

	private final TypeAdapter<?> adapter;

	private final String typeName;

	private GsonDecoder(@Nullable TypeAdapter<?> adapter, Type type) {
		if (adapter == null) {
			throw new IllegalArgumentException("the factory returned no adapter");
		}
		this.adapter = adapter;
		this.typeName = type.getTypeName();
	}

	/**
	 * Return a decoder with Gson's adapter of a type.
	 * @throws IllegalArgumentException if it has none
	 */
	static GsonDecoder of(Gson gson, Type type, String owner) {
		TypeAdapter<?> adapter;
		try {
			adapter = gson.getAdapter(TypeToken.get(type));
		}
		catch (RuntimeException ex) {
			throw unreadable(type, owner, ex);
		}
		if (isKotlin(TypeToken.get(type).getRawType()) && isReflective(adapter)) {
			throw new IllegalArgumentException("Cannot decode " + owner + ": the Kotlin class " + type.getTypeName()
					+ " has no constructor without arguments, so that its default values and non-null types would be "
					+ "ignored. Give each parameter of its constructor a default value.");
		}
		return new GsonDecoder(adapter, type);
	}

	private static boolean isKotlin(Class<?> type) {
		return Arrays.stream(type.getAnnotations())
			.anyMatch((annotation) -> annotation.annotationType().getName().equals("kotlin.Metadata"));
	}

	/**
	 * Return whether Gson fills the fields of an object. If its class has no constructor
	 * without arguments, Gson creates the object without any constructor.
	 */
	private static boolean isReflective(TypeAdapter<?> adapter) {
		return adapter.getClass().getName().startsWith("com.google.gson.internal.bind.ReflectiveTypeAdapterFactory");
	}

	/**
	 * Return a decoder with the adapter that a field specifies.
	 * @throws IllegalArgumentException if it cannot be created
	 */
	static GsonDecoder of(Gson gson, Type type, JsonAdapter annotation, String owner) {
		try {
			Constructor<?> constructor = annotation.value().getDeclaredConstructor();
			constructor.setAccessible(true);
			Object instance = constructor.newInstance();
			if (instance instanceof TypeAdapter<?> adapter) {
				return new GsonDecoder(annotation.nullSafe() ? adapter.nullSafe() : adapter, type);
			}
			if (instance instanceof TypeAdapterFactory factory) {
				return new GsonDecoder(factory.create(gson, TypeToken.get(type)), type);
			}
			if (instance instanceof JsonDeserializer<?>) {
				Gson extended = gson.newBuilder().registerTypeAdapter(type, instance).create();
				return new GsonDecoder(extended.getAdapter(TypeToken.get(type)), type);
			}
			return of(gson, type, owner);
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			throw unreadable(type, owner, ex);
		}
	}

	private static IllegalArgumentException unreadable(Type type, String owner, Exception cause) {
		return new IllegalArgumentException("Cannot decode " + owner + ": Gson has no adapter of " + type.getTypeName()
				+ ". Change the type of the field, add a @JsonAdapter, or make it transient.", cause);
	}

	@Override
	public @Nullable Object decode(TokenReader reader) {
		JsonReader json = new JsonReader(
				new StringReader(new String(JsonInput.copy(reader.parser()), StandardCharsets.UTF_8)));
		try {
			return this.adapter.read(json);
		}
		catch (Throwable ex) {
			// An adapter may be a user's. Not even its Error affects another object.
			throw reader.mismatch(this.typeName + " as Gson reads it" + position(json));
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
