/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import dev.informer.client.model.SharedNumbers;
import org.jspecify.annotations.Nullable;

/**
 * Type of values of an open schema, {@code Object}: what was decoded are maps, lists,
 * strings, booleans, and a {@code Long}, {@code BigInteger} or {@code Double}. Code of
 * the user may put any other object into such a property, which its own class describes.
 */
public final class TreeType extends ValueType {

	static final TreeType INSTANCE = new TreeType();

	private static final CollectionType LIST = new CollectionType(Collection.class, INSTANCE, null);

	private static final CollectionType SET = new CollectionType(Set.class, INSTANCE, LinkedHashSet::new);

	private static final MapType MAP = new MapType(Map.class, INSTANCE, INSTANCE, null);

	/** Number of decimal digits that is enough for any double. */
	private static final int MAX_PRECISION = 17;

	private TreeType() {
		super(Object.class);
	}

	@Override
	ValueType describing(Object value) {
		if (value instanceof Map<?, ?>) {
			return MAP;
		}
		if (value instanceof Set<?>) {
			return SET;
		}
		if (value instanceof Collection<?>) {
			return LIST;
		}
		if (value instanceof Enum<?> constant) {
			return of(constant.getDeclaringClass());
		}
		if (value instanceof Double) {
			return this;
		}
		if (value.getClass() == Object.class) {
			throw new InvalidValueException("it is a java.lang.Object. Set a map, list, text, number or boolean");
		}
		try {
			return of(classOf(value));
		}
		catch (InvalidValueException ex) {
			throw ex;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidValueException(String.valueOf(ex.getMessage()).replaceFirst("\\.$", ""));
		}
	}

	/**
	 * Return the class that describes a value. An anonymous class only sets the
	 * properties of its superclass.
	 */
	static Class<?> classOf(Object value) {
		Class<?> type = value.getClass();
		while (type.isAnonymousClass() && type.getSuperclass() != Object.class) {
			type = type.getSuperclass();
		}
		return type;
	}

	@Override
	Object copy(Object value, int depth) {
		return value;
	}

	@Override
	JsonElement write(Object value, int depth) {
		double number = (Double) value;
		if (!Double.isFinite(number)) {
			throw new InvalidValueException("JSON has no number " + number + ". Use a finite one");
		}
		return new JsonPrimitive(SharedNumbers.unparsed(text(number)));
	}

	@Override
	@Nullable String difference(Object one, Object other, int depth) {
		return one.equals(other) ? null : "";
	}

	/**
	 * Return a number as the API server writes it, except that an integer keeps its
	 * decimal point: the server does not write one as a {@code double}.
	 * @see <a href="https://pkg.go.dev/encoding/json#Marshal">Marshal</a>
	 */
	private static String text(double number) {
		double absolute = Math.abs(number);
		BigDecimal digits = shortest(number);
		if (absolute == 0 || (absolute >= 1e-6 && absolute < 1e21)) {
			String plain = digits.toPlainString();
			String signed = (number == 0 && 1 / number < 0) ? "-0" : plain;
			return signed.contains(".") ? signed : signed + ".0";
		}
		return digits.toString().replace('E', 'e');
	}

	/**
	 * Return the shortest decimal number that is read as this one. Before Java 19,
	 * {@code Double.toString} may return a longer one.
	 */
	private static BigDecimal shortest(double number) {
		BigDecimal exact = new BigDecimal(number);
		for (int precision = 1; precision <= MAX_PRECISION; precision++) {
			BigDecimal rounded = exact.round(new MathContext(precision));
			if (rounded.doubleValue() == number) {
				return (rounded.signum() == 0) ? BigDecimal.ZERO : rounded.stripTrailingZeros();
			}
		}
		return exact;
	}

}
