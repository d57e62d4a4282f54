/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Random choice of the JSON of one object, the differences that its writing may have, and
 * the leaves that can be changed. The differences are all here:
 * <ul>
 * <li>the members of an object of a class, and of a map without an order of its own, have
 * any order, and so do the elements of a sorted or hashed collection;</li>
 * <li>a number of a {@code double}, {@code float}, {@code BigDecimal} or
 * {@code BigInteger} is another text of the same number; a timestamp is one of the same
 * instant, a quantity one of the same amount.</li>
 * </ul>
 * The shapes know which values are not written at all: {@code null} in an object or a
 * map, an empty collection that is the default, and what is unknown or ignored.
 */
final class JsonSampling {

	private static final int ATTEMPTS = 20;

	private final Random random;

	private final Set<JsonElement> unordered = Collections.newSetFromMap(new IdentityHashMap<>());

	private final Map<JsonElement, Notation> notations = new IdentityHashMap<>();

	private final List<Leaf> leaves = new ArrayList<>();

	private int depth;

	private boolean losesNull;

	JsonSampling(Random random) {
		this.random = random;
	}

	Random random() {
		return this.random;
	}

	boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	/**
	 * Begin a class, and return the number of enclosing ones.
	 */
	int enter() {
		return this.depth++;
	}

	void leave() {
		this.depth--;
	}

	/**
	 * Note that the object has a {@code null} that is not written, but is not the same as
	 * an absent value: it replaces a default, or is an entry of a map.
	 */
	void loseNull() {
		this.losesNull = true;
	}

	boolean losesNull() {
		return this.losesNull;
	}

	<E extends JsonElement> E unordered(E expected) {
		this.unordered.add(expected);
		return expected;
	}

	/**
	 * Return a new element with a notation of its own.
	 */
	JsonElement written(JsonElement element, Notation notation) {
		this.notations.put(element, notation);
		return element;
	}

	/**
	 * Add a leaf.
	 * @param replacement sets another value in the input
	 * @param other creates another value
	 */
	void addLeaf(Place place, JsonSample sample, Consumer<JsonElement> replacement, Supplier<JsonSample> other) {
		this.leaves.add(new Leaf(place, sample, replacement, other));
	}

	/**
	 * Forget the leaves of a value that is not used.
	 */
	void forgetLeavesFrom(int index) {
		this.leaves.subList(index, this.leaves.size()).clear();
	}

	List<Leaf> leaves() {
		return this.leaves;
	}

	/**
	 * Return another value of a leaf; {@code null} if none was found.
	 */
	@Nullable JsonSample otherThan(Leaf leaf) {
		for (int i = 0; i < ATTEMPTS; i++) {
			JsonSample other = leaf.other.get();
			if (difference(leaf.sample.expected(), other.expected()) != null) {
				return other;
			}
		}
		return null;
	}

	/**
	 * Return where JSON is not as expected; {@code null} if it is.
	 */
	@Nullable String difference(JsonElement expected, @Nullable JsonElement actual) {
		if (expected instanceof JsonObject object && actual instanceof JsonObject other) {
			return differenceOfMembers(object, other);
		}
		if (expected instanceof JsonArray array && actual instanceof JsonArray other) {
			return this.unordered.contains(array) ? differenceOfBags(array, other) : differenceOfElements(array, other);
		}
		boolean same = (expected instanceof JsonPrimitive one && actual instanceof JsonPrimitive other)
				? one.isString() == other.isString() && one.isBoolean() == other.isBoolean()
						&& this.notations.getOrDefault(one, Notation.TEXT).same.test(one.getAsString(),
								other.getAsString())
				: expected.equals(actual);
		return same ? null : ": expected " + expected + ", got " + actual;
	}

	private @Nullable String differenceOfMembers(JsonObject expected, JsonObject actual) {
		if (!this.unordered.contains(expected)
				&& !List.copyOf(expected.keySet()).equals(List.copyOf(actual.keySet()))) {
			return ": expected the names " + expected.keySet() + ", got " + actual.keySet();
		}
		if (!expected.keySet().equals(actual.keySet())) {
			return ": expected the names " + expected.keySet() + " in any order, got " + actual.keySet();
		}
		for (String name : expected.keySet()) {
			String difference = difference(expected.get(name), actual.get(name));
			if (difference != null) {
				return "." + name + difference;
			}
		}
		return null;
	}

	private @Nullable String differenceOfElements(JsonArray expected, JsonArray actual) {
		for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
			String difference = difference(expected.get(i), actual.get(i));
			if (difference != null) {
				return "[" + i + "]" + difference;
			}
		}
		return (expected.size() == actual.size()) ? null : ": expected " + expected + ", got " + actual;
	}

	private @Nullable String differenceOfBags(JsonArray expected, JsonArray actual) {
		List<JsonElement> rest = new ArrayList<>(actual.asList());
		for (JsonElement element : expected) {
			boolean found = false;
			for (Iterator<JsonElement> others = rest.iterator(); others.hasNext() && !found;) {
				found = difference(element, others.next()) == null;
				if (found) {
					others.remove();
				}
			}
			if (!found) {
				return ": expected " + element + " among " + actual;
			}
		}
		return rest.isEmpty() ? null : ": expected " + expected + " in any order, got " + actual;
	}

	/**
	 * What is the same in spite of another text.
	 */
	enum Notation {

		TEXT(String::equals),

		DOUBLE((one,
				other) -> Double.doubleToLongBits(Double.parseDouble(one)) == Double
					.doubleToLongBits(Double.parseDouble(other))),

		FLOAT((one,
				other) -> Float.floatToIntBits(Float.parseFloat(one)) == Float.floatToIntBits(Float.parseFloat(other))),

		DECIMAL((one, other) -> new BigDecimal(one).equals(new BigDecimal(other))),

		INTEGER((one, other) -> new BigDecimal(one).compareTo(new BigDecimal(other)) == 0),

		TIME((one, other) -> instant(one).equals(instant(other))),

		QUANTITY((one, other) -> Quantity.fromString(one).equals(Quantity.fromString(other)));

		private final BiPredicate<String, String> same;

		Notation(BiPredicate<String, String> same) {
			this.same = same;
		}

		private static Instant instant(String text) {
			return OffsetDateTime.parse(text).toInstant();
		}

	}

	/**
	 * Place of a value in an object.
	 *
	 * @param path the path with which that of a difference begins
	 * @param exact whether parts of the value have a path of their own, as opposed to
	 * those of a set, whose order changes
	 */
	record Place(String path, boolean exact) {

		Place member(String name) {
			return this.exact ? new Place(this.path.isEmpty() ? name : this.path + "." + name, true) : this;
		}

		Place element(int index) {
			return this.exact ? new Place(this.path + "[" + index + "]", true) : this;
		}

		Place inexact() {
			return new Place(this.path, false);
		}

		boolean isNamedBy(String difference) {
			return this.path.isEmpty() || difference.equals(this.path) || difference.startsWith(this.path + ".")
					|| difference.startsWith(this.path + "[");
		}

	}

	/**
	 * Value that can be replaced in the input.
	 */
	record Leaf(Place place, JsonSample sample, Consumer<JsonElement> replacement, Supplier<JsonSample> other) {

	}

}
