/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.client.model.SharedNumbers;
import dev.informer.client.model.SharedValues;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Decoder of any value into Gson's tree. Numbers keep all their digits. What repeats most
 * takes no memory: a tree has 112 bytes for each <code>{}</code>.
 */
final class JsonElementDecoder implements ValueDecoder {

	private static final int MAX_LONG_DIGITS = 18;

	/** Longer numbers remain text, because parsing them takes quadratic time. */
	private static final int MAX_DIGITS = 1000;

	private static final SharedValues<JsonPrimitive> STRINGS = new SharedValues<>(1 << 14, JsonPrimitive::new);

	private static final JsonPrimitive TRUE = new JsonPrimitive(true);

	private static final JsonPrimitive FALSE = new JsonPrimitive(false);

	private static final JsonPrimitive EMPTY_STRING = new JsonPrimitive("");

	private static final List<JsonPrimitive> DIGITS = LongStream.range(0, 1000).mapToObj(JsonPrimitive::new).toList();

	private static final int SHARED_DIGITS = 3;

	private final JsonObject emptyObject = new JsonObject();

	private final JsonArray emptyArray = new JsonArray(0);

	private final boolean shares;

	private final ValueDecoder strings = SharedDecoder.byName(() -> new SharedDecoder<>(STRINGS, "a string"));

	/**
	 * Create a decoder.
	 * @param shares whether values share empty objects and arrays, so that none is
	 * modified
	 */
	JsonElementDecoder(boolean shares) {
		this.shares = shares;
	}

	@Override
	public JsonElement decode(TokenReader reader) {
		return switch (reader.parser().currentToken()) {
			case START_OBJECT -> object(reader);
			case START_ARRAY -> array(reader);
			case VALUE_STRING -> string(reader.string());
			case VALUE_TRUE -> TRUE;
			case VALUE_FALSE -> FALSE;
			case VALUE_NUMBER_INT -> integer(reader.string());
			case VALUE_NUMBER_FLOAT -> new JsonPrimitive(decimal(reader));
			case VALUE_NULL -> JsonNull.INSTANCE;
			default -> throw reader.mismatch("a value");
		};
	}

	private JsonObject object(TokenReader reader) {
		JsonParser parser = reader.parser();
		reader.limitDepth();
		JsonObject object = new JsonObject();
		String name;
		while ((name = parser.nextName()) != null) {
			parser.nextToken();
			object.add(name, property(reader));
		}
		// one that was modified, against its contract, is not used again
		return (this.shares && object.isEmpty() && this.emptyObject.isEmpty()) ? this.emptyObject : object;
	}

	/**
	 * Decode the value of a property. Strings are shared.
	 */
	JsonElement property(TokenReader reader) {
		return (reader.parser().currentToken() == JsonToken.VALUE_STRING
				&& this.strings.decode(reader) instanceof JsonElement string) ? string : decode(reader);
	}

	private JsonArray array(TokenReader reader) {
		JsonParser parser = reader.parser();
		reader.limitDepth();
		JsonArray array = new JsonArray();
		while (parser.nextToken() != JsonToken.END_ARRAY) {
			array.add(decode(reader));
		}
		if (this.shares && array.isEmpty() && this.emptyArray.isEmpty()) {
			return this.emptyArray;
		}
		// without room for more
		JsonArray exact = new JsonArray(array.size());
		exact.addAll(array);
		return exact;
	}

	private static JsonPrimitive string(String text) {
		return text.isEmpty() ? EMPTY_STRING : new JsonPrimitive(text);
	}

	@Override
	public @Nullable Object share(@Nullable Object value, @Nullable Object known) {
		if (value instanceof JsonObject object && known instanceof JsonObject other) {
			return share(object, other);
		}
		if (value instanceof JsonArray array && known instanceof JsonArray other) {
			return share(array, other);
		}
		// JsonPrimitive.equals compares numbers as doubles
		return (value instanceof JsonPrimitive primitive && known instanceof JsonPrimitive other
				&& primitive.isNumber() == other.isNumber() && primitive.isString() == other.isString()
				&& primitive.getAsString().equals(other.getAsString())) ? other : value;
	}

	private JsonObject share(JsonObject object, JsonObject known) {
		boolean equal = object.size() == known.size();
		Iterator<Map.Entry<String, JsonElement>> others = known.entrySet().iterator();
		for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
			JsonElement other = known.get(entry.getKey());
			if (share(entry.getValue(), other) instanceof JsonElement element) {
				entry.setValue(element);
				equal &= element == other;
			}
			equal = equal && others.next().getKey().equals(entry.getKey());
		}
		return equal ? known : object;
	}

	private JsonArray share(JsonArray array, JsonArray known) {
		int common = Math.min(array.size(), known.size());
		boolean equal = array.size() == known.size();
		for (int i = 0; i < common; i++) {
			if (share(array.get(i), known.get(i)) instanceof JsonElement element) {
				array.set(i, element);
				equal &= element == known.get(i);
			}
		}
		return equal ? known : array;
	}

	private static JsonPrimitive integer(String digits) {
		if (digits.length() > MAX_DIGITS) {
			return new JsonPrimitive(SharedNumbers.unparsed(digits));
		}
		if (digits.length() <= SHARED_DIGITS && digits.charAt(0) != '-') {
			return DIGITS.get(Integer.parseInt(digits));
		}
		return new JsonPrimitive(
				(digits.length() <= MAX_LONG_DIGITS) ? (Number) Long.valueOf(digits) : new BigInteger(digits));
	}

	private static Number decimal(TokenReader reader) {
		String text = reader.string();
		if (text.length() > MAX_DIGITS) {
			return SharedNumbers.unparsed(text);
		}
		try {
			BigDecimal number = new BigDecimal(text);
			return number.toString().equals(text) ? number : SharedNumbers.unparsed(text);
		}
		catch (NumberFormatException ex) {
			throw reader.mismatch("a number whose exponent has 32 bits");
		}
	}

}
