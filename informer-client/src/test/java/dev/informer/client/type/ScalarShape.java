/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.client.type.JsonSampling.Notation;
import dev.informer.client.type.JsonSampling.Place;
import org.jspecify.annotations.Nullable;

import static dev.informer.client.type.TypeShape.Trait.COMPARABLE;
import static dev.informer.client.type.TypeShape.Trait.HASHED;
import static dev.informer.client.type.TypeShape.Trait.KEY;
import static dev.informer.client.type.TypeShape.Trait.NUMBER;

/**
 * Type of the JDK or the official client whose values are decoded as a whole.
 */
final class ScalarShape extends TypeShape {

	private static final List<String> TEXTS = List.of("", "a", "web-1", "a \"quote\"", "back\\slash",
			"line\nbreak\ttab", "\u0000\u001f", "grün", "東京", "\uD83D\uDE80", "</script>", "null", "true", "1e3",
			"x".repeat(300));

	static final ScalarShape STRING = new ScalarShape("String", ScalarShape::text, HASHED, COMPARABLE, KEY);

	static final ScalarShape OBJECT = new ScalarShape("Object", Notation.DOUBLE, (random) -> tree(random, 3, true));

	static final ScalarShape QUANTITY = new ScalarShape("io.kubernetes.client.custom.Quantity", Notation.QUANTITY,
			(random) -> text(List.of("1", "2Gi", "100m", "1500Mi", "0.5", "1e3", "12k").get(random.nextInt(7))),
			HASHED);

	static final ScalarShape TIME = new ScalarShape("java.time.OffsetDateTime", Notation.TIME,
			(random) -> text("20%02d-05-0%dT10:00:%02d%s%s".formatted(random.nextInt(30), 1 + random.nextInt(9),
					random.nextInt(60), List.of("", ".5", ".123456").get(random.nextInt(3)),
					List.of("Z", "+02:00", "-11:30").get(random.nextInt(3)))),
			HASHED, COMPARABLE);

	static final ScalarShape BYTES = new ScalarShape("byte[]", (random) -> {
		byte[] bytes = new byte[random.nextInt(5)];
		random.nextBytes(bytes);
		return text(Base64.getEncoder().encodeToString(bytes));
	});

	static final ScalarShape INT = primitive("Integer", "int", "0",
			(random) -> number(random.nextInt() >> random.nextInt(32)), HASHED, COMPARABLE, KEY, NUMBER);

	static final ScalarShape LONG = primitive("Long", "long", "0",
			(random) -> number(random.nextLong() >> random.nextInt(64)), HASHED, COMPARABLE, KEY, NUMBER);

	static final ScalarShape BOOLEAN = primitive("Boolean", "boolean", "false",
			(random) -> new JsonPrimitive(random.nextBoolean()), HASHED, COMPARABLE, KEY);

	static final ScalarShape CHARACTER = primitive("Character", "char", "\u0000",
			(random) -> text(String.valueOf("ab\"\\\u0000ж".charAt(random.nextInt(6)))), HASHED, COMPARABLE, KEY);

	static final ScalarShape DOUBLE = primitive("Double", "double", "0", Notation.DOUBLE,
			(random) -> new JsonPrimitive(random.nextBoolean() ? random.nextGaussian()
					: List.of(0.0, -0.0, 1.0, 1e21, 1e-7, 5e-324, Double.MAX_VALUE, 0.1).get(random.nextInt(8))),
			HASHED, COMPARABLE, NUMBER);

	static final ScalarShape FLOAT = primitive("Float", "float", "0", Notation.FLOAT,
			(random) -> new JsonPrimitive(random.nextFloat()), HASHED, COMPARABLE, NUMBER);

	static final ScalarShape SHORT = primitive("Short", "short", "0", (random) -> number((short) random.nextInt()),
			HASHED, COMPARABLE, KEY, NUMBER);

	static final ScalarShape BYTE = primitive("Byte", "byte", "0", (random) -> number((byte) random.nextInt()), HASHED,
			COMPARABLE, KEY, NUMBER);

	static final ScalarShape UUIDS = new ScalarShape("java.util.UUID",
			(random) -> text(new UUID(random.nextLong(), random.nextLong()).toString()), HASHED, COMPARABLE, KEY);

	/** Types that are as frequent as in users' classes. */
	static final List<ScalarShape> FREQUENT = List.of(STRING, INT, LONG, BOOLEAN, DOUBLE, TIME, OBJECT, QUANTITY,
			BYTES);

	static final List<ScalarShape> ALL = List.of(STRING, INT, LONG, BOOLEAN, DOUBLE, TIME, OBJECT, QUANTITY, BYTES,
			CHARACTER, FLOAT, SHORT, BYTE, UUIDS,
			new ScalarShape("java.math.BigDecimal", Notation.DECIMAL,
					(random) -> new JsonPrimitive(
							new java.math.BigDecimal(new java.math.BigInteger(90, random), random.nextInt(12) - 2)),
					HASHED, NUMBER),
			new ScalarShape("java.math.BigInteger", Notation.INTEGER,
					(random) -> new JsonPrimitive(new java.math.BigInteger(1 + random.nextInt(90), random)), HASHED,
					COMPARABLE, KEY, NUMBER),
			new ScalarShape("Number",
					(random) -> random.nextBoolean() ? number(random.nextLong()) : new JsonPrimitive(1.5)),
			new ScalarShape("java.time.LocalDate", (random) -> text(date(random)), HASHED, COMPARABLE, KEY),
			new ScalarShape("java.util.Date",
					(random) -> text(date(random) + "T10:00:00." + (100 + random.nextInt(900)) + "Z"), HASHED,
					COMPARABLE),
			new ScalarShape("java.sql.Date", (random) -> text(date(random)), HASHED),
			new ScalarShape("java.util.Calendar", ScalarShape::calendar),
			new ScalarShape("java.util.GregorianCalendar", ScalarShape::calendar),
			new ScalarShape("java.net.URI", (random) -> text("http://example.com/" + random.nextInt(100)), HASHED,
					COMPARABLE, KEY),
			new ScalarShape("java.net.URL", (random) -> text("http://127.0.0.1/" + random.nextInt(100))),
			new ScalarShape("java.util.Locale",
					(random) -> text(List.of("de", "en_GB", "fr_FR_x").get(random.nextInt(3))), HASHED, KEY),
			new ScalarShape("java.util.Currency", (random) -> text(List.of("EUR", "USD", "JPY").get(random.nextInt(3))),
					HASHED, KEY),
			new ScalarShape("java.util.BitSet", (random) -> {
				JsonArray bits = new JsonArray();
				for (int i = random.nextInt(5); i > 0; i--) {
					bits.add(random.nextInt(2));
				}
				bits.add(1);
				return bits;
			}, HASHED),
			new ScalarShape("java.util.concurrent.atomic.AtomicInteger", (random) -> number(random.nextInt())),
			new ScalarShape("java.util.concurrent.atomic.AtomicLong", (random) -> number(random.nextLong())),
			new ScalarShape("java.util.concurrent.atomic.AtomicBoolean",
					(random) -> new JsonPrimitive(random.nextBoolean())),
			new ScalarShape("java.util.concurrent.atomic.AtomicIntegerArray", (random) -> {
				JsonArray numbers = new JsonArray();
				for (int i = random.nextInt(3); i > 0; i--) {
					numbers.add(random.nextInt());
				}
				return numbers;
			}), new ScalarShape("java.util.concurrent.atomic.AtomicLongArray", (random) -> {
				JsonArray numbers = new JsonArray();
				for (int i = random.nextInt(3); i > 0; i--) {
					numbers.add(random.nextLong());
				}
				return numbers;
			}),
			new ScalarShape("java.sql.Timestamp",
					(random) -> text(date(random) + "T10:00:00." + (100 + random.nextInt(900)) + "Z"), HASHED),
			new ScalarShape("StringBuilder", ScalarShape::text), new ScalarShape("StringBuffer", ScalarShape::text),
			new ScalarShape("java.net.InetAddress",
					(random) -> text("10.0." + random.nextInt(256) + "." + random.nextInt(256)), HASHED),
			new ScalarShape("com.google.gson.JsonObject", (random) -> object(random, 3, true)),
			new ScalarShape("com.google.gson.JsonArray", (random) -> array(random, 3, true)),
			new ScalarShape("com.google.gson.JsonElement", (random) -> tree(random, 3, true)),
			new ScalarShape("com.google.gson.JsonPrimitive", ScalarShape::text),
			new ScalarShape("io.kubernetes.client.custom.IntOrString",
					(random) -> random.nextBoolean() ? text(random) : number(random.nextInt()), HASHED));

	private final Function<Random, JsonElement> values;

	private final Notation notation;

	private @Nullable String primitive;

	private @Nullable JsonElement unset;

	private ScalarShape(String source, Function<Random, JsonElement> values, Trait... traits) {
		this(source, Notation.TEXT, values, traits);
	}

	private ScalarShape(String source, Notation notation, Function<Random, JsonElement> values, Trait... traits) {
		super(source, traits);
		this.values = values;
		this.notation = notation;
	}

	private static ScalarShape primitive(String source, String primitive, String unset,
			Function<Random, JsonElement> values, Trait... traits) {
		return primitive(source, primitive, unset, Notation.TEXT, values, traits);
	}

	private static ScalarShape primitive(String source, String primitive, String unset, Notation notation,
			Function<Random, JsonElement> values, Trait... traits) {
		ScalarShape shape = new ScalarShape(source, notation, values, traits);
		shape.primitive = primitive;
		shape.unset = switch (unset) {
			case "0" -> (notation == Notation.TEXT) ? new JsonPrimitive(0) : new JsonPrimitive(0.0);
			case "false" -> new JsonPrimitive(false);
			default -> new JsonPrimitive(unset);
		};
		return shape;
	}

	/**
	 * Return the same type as a primitive one; {@code null} if it has none.
	 */
	@Nullable TypeShape unboxed() {
		String name = this.primitive;
		JsonElement zero = this.unset;
		return (name == null || zero == null) ? null : new TypeShape(source()) {

			@Override
			String declared() {
				return name;
			}

			@Override
			JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
				return ScalarShape.this.sample(sampling, place, false);
			}

			@Override
			JsonElement unset() {
				return zero;
			}

			@Override
			boolean isLeaf() {
				return true;
			}

		};
	}

	@Override
	JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
		JsonElement value = this.values.apply(sampling.random());
		markNumbers(sampling, value);
		boolean convertible = this == STRING || (this.primitive != null && this != CHARACTER);
		return (convertible && sampling.chance(0.05)) ? converted(value) : JsonSample.of(value);
	}

	/**
	 * Return a value as Gson converts it: a number of a text, or a text of another value.
	 */
	private JsonSample converted(JsonElement value) {
		if (this == STRING) {
			JsonElement input = (value.getAsString().length() % 2 == 0) ? new JsonPrimitive(12)
					: new JsonPrimitive(true);
			return new JsonSample(input, new JsonPrimitive(input.getAsString()));
		}
		return new JsonSample(new JsonPrimitive(value.getAsString()), value);
	}

	/**
	 * Mark the value, or the fractions in the tree of an open schema.
	 */
	private void markNumbers(JsonSampling sampling, JsonElement value) {
		if (this.notation == Notation.TEXT) {
			return;
		}
		if (value instanceof JsonObject object) {
			object.asMap().values().forEach((member) -> markNumbers(sampling, member));
		}
		else if (value instanceof JsonArray array) {
			array.forEach((element) -> markNumbers(sampling, element));
		}
		else if (value instanceof JsonPrimitive primitive
				&& (this != OBJECT || (primitive.isNumber() && primitive.getAsNumber() instanceof Double))) {
			sampling.written(value, this.notation);
		}
	}

	@Override
	boolean isLeaf() {
		return true;
	}

	private static JsonPrimitive text(String text) {
		return new JsonPrimitive(text);
	}

	private static JsonElement text(Random random) {
		return text((random.nextInt(3) == 0) ? TEXTS.get(random.nextInt(TEXTS.size()))
				: Integer.toString(random.nextInt(1 << 20), 36));
	}

	private static JsonPrimitive number(long number) {
		return new JsonPrimitive(number);
	}

	private static String date(Random random) {
		return "20%02d-%02d-1%d".formatted(random.nextInt(30), 1 + random.nextInt(12), random.nextInt(10));
	}

	private static JsonElement calendar(Random random) {
		JsonObject calendar = new JsonObject();
		List.of("year", "month", "dayOfMonth", "hourOfDay", "minute", "second")
			.forEach((name) -> calendar.addProperty(name,
					name.equals("year") ? 2000 + random.nextInt(30) : 1 + random.nextInt(11)));
		return calendar;
	}

	/**
	 * Return a value of an open schema.
	 * @param nulls whether members can be {@code null}
	 */
	private static JsonElement tree(Random random, int depth, boolean nulls) {
		return switch (random.nextInt((depth > 0) ? 10 : 7)) {
			case 0 -> new JsonPrimitive(random.nextBoolean());
			case 1 -> number(random.nextInt(100));
			case 2 -> number((1L << 53) + 1 + random.nextInt(100));
			case 3 -> new JsonPrimitive(new java.math.BigInteger("1234567890123456789012345" + random.nextInt(10)));
			case 4 -> new JsonPrimitive(random.nextGaussian() * Math.pow(10, random.nextInt(60) - 30));
			case 5, 6 -> text(random);
			case 7 -> array(random, depth - 1, nulls);
			default -> object(random, depth - 1, nulls);
		};
	}

	private static JsonObject object(Random random, int depth, boolean nulls) {
		JsonObject object = new JsonObject();
		for (int i = random.nextInt(4); i > 0; i--) {
			object.add("k" + random.nextInt(10),
					(nulls && random.nextInt(5) == 0) ? JsonNull.INSTANCE : tree(random, depth, nulls));
		}
		return object;
	}

	private static JsonArray array(Random random, int depth, boolean nulls) {
		JsonArray array = new JsonArray();
		for (int i = random.nextInt(4); i > 0; i--) {
			array.add((random.nextInt(6) == 0) ? JsonNull.INSTANCE : tree(random, depth, nulls));
		}
		return array;
	}

}
