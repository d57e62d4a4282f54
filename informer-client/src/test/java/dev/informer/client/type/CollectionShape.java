/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.List;
import java.util.function.Predicate;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import dev.informer.client.type.JsonSampling.Place;

/**
 * Collection or array of elements of another type.
 */
final class CollectionShape extends TypeShape {

	private static final Predicate<TypeShape> ANY = (elements) -> true;

	private static final Predicate<TypeShape> HASHED = (elements) -> elements.is(Trait.HASHED);

	private static final Predicate<TypeShape> SORTED = (elements) -> elements.is(Trait.COMPARABLE);

	static final List<Kind> KINDS = List.of(new Kind("List", ANY, true, false, false),
			new Kind("List", ANY, true, false, false), new Kind("List", ANY, true, false, false),
			new Kind("List", ANY, true, false, false), new Kind("Collection", ANY, true, false, false),
			new Kind("Set", ANY, false, false, true), new Kind("Set", HASHED, false, false, true),
			new Kind("SortedSet", SORTED, false, true, true), new Kind("NavigableSet", SORTED, false, true, true),
			new Kind("Queue", ANY, false, false, false), new Kind("Deque", ANY, false, false, false),
			new Kind("ArrayList", ANY, true, false, false), new Kind("LinkedList", ANY, true, false, false),
			new Kind("Vector", ANY, true, false, false), new Kind("Stack", ANY, true, false, false),
			new Kind("HashSet", HASHED, false, true, true), new Kind("LinkedHashSet", ANY, false, false, true),
			new Kind("TreeSet", SORTED, false, true, true),
			new Kind("EnumSet", (elements) -> elements.is(Trait.ENUM), false, true, true),
			new Kind("ArrayDeque", ANY, false, false, false), new Kind("PriorityQueue", SORTED, false, true, false),
			new Kind("concurrent.CopyOnWriteArrayList", ANY, true, false, false),
			new Kind("concurrent.CopyOnWriteArraySet", ANY, false, false, true),
			new Kind("concurrent.ConcurrentLinkedQueue", ANY, false, false, false),
			new Kind("concurrent.ConcurrentLinkedDeque", ANY, false, false, false),
			new Kind("concurrent.LinkedBlockingDeque", ANY, false, false, false),
			new Kind("concurrent.LinkedBlockingQueue", ANY, false, false, false),
			new Kind("concurrent.PriorityBlockingQueue", SORTED, false, true, false),
			new Kind("concurrent.ConcurrentSkipListSet", SORTED, false, true, true));

	private final Kind kind;

	private final TypeShape elements;

	/**
	 * Create a shape.
	 * @param source the type as an argument
	 */
	CollectionShape(String source, Kind kind, TypeShape elements) {
		super(source);
		this.kind = kind;
		this.elements = elements;
	}

	static CollectionShape of(Kind kind, TypeShape elements, String argument) {
		return new CollectionShape("java.util." + kind.name + "<" + argument + ">", kind, elements);
	}

	static CollectionShape arrayOf(TypeShape elements) {
		Kind kind = new Kind("[]", ANY, !elements.isPrimitive(), false, false);
		return new CollectionShape(elements.declared() + "[]", kind, elements);
	}

	/**
	 * Return the type of what an immutable copy contains.
	 * @param sorted whether the copy has another order
	 */
	CollectionShape copied(boolean sorted) {
		return new CollectionShape(source(),
				new Kind(this.kind.name, this.kind.elements, false, sorted, this.kind.distinct), this.elements);
	}

	boolean isOfScalars() {
		return ScalarShape.FREQUENT.contains(this.elements) && this.elements.is(Trait.HASHED);
	}

	@Override
	JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
		JsonArray input = new JsonArray();
		JsonArray expected = new JsonArray();
		if (this.kind.sorted) {
			sampling.unordered(expected);
		}
		Place below = (this.kind.distinct || this.kind.sorted) ? place.inexact() : place;
		int size = sampling.random().nextInt(4);
		for (int i = 0; i < size; i++) {
			int index = input.size();
			if (this.kind.nulls && sampling.chance(0.05)) {
				input.add(JsonNull.INSTANCE);
				expected.add(JsonNull.INSTANCE);
				continue;
			}
			int leaves = sampling.leaves().size();
			JsonSample element = this.elements.sample(sampling, below.element(index), this.kind.nulls);
			if (this.kind.distinct && isKnown(sampling, expected, element)) {
				sampling.forgetLeavesFrom(leaves);
				continue;
			}
			input.add(element.input());
			expected.add(element.expected());
			if (this.kind.distinct && this.elements == ScalarShape.STRING && sampling.chance(0.1)) {
				input.add(element.input());
			}
			else if (this.elements.isLeaf()) {
				sampling.addLeaf(below.element(index), element, (other) -> input.set(index, other),
						() -> this.elements.sample(sampling, below, false));
			}
		}
		return new JsonSample(input, expected);
	}

	private static boolean isKnown(JsonSampling sampling, JsonArray known, JsonSample element) {
		return known.asList().stream().anyMatch((other) -> sampling.difference(other, element.expected()) == null);
	}

	/**
	 * Class of collections.
	 *
	 * @param name the name in {@code java.util}
	 * @param elements what the elements must be
	 * @param nulls whether an element can be {@code null}
	 * @param sorted whether the elements have another order than in JSON
	 * @param distinct whether equal elements are one
	 */
	record Kind(String name, Predicate<TypeShape> elements, boolean nulls, boolean sorted, boolean distinct) {

		boolean fits(TypeShape type) {
			// trees are equal if their numbers are the same as doubles
			return this.elements.test(type) && !(this.distinct && type.source().startsWith("com.google.gson."));
		}

	}

}
