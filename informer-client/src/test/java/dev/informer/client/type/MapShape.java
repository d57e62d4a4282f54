/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.informer.client.type.JsonSampling.Place;

/**
 * Map with keys and values of other types.
 */
final class MapShape extends TypeShape {

	static final List<Kind> KINDS = List.of(new Kind("Map", true, true, false, false),
			new Kind("Map", true, true, false, false), new Kind("Map", true, true, false, false),
			new Kind("LinkedHashMap", true, true, false, false), new Kind("HashMap", false, true, false, false),
			new Kind("TreeMap", false, true, true, false), new Kind("SortedMap", false, true, true, false),
			new Kind("NavigableMap", false, true, true, false),
			new Kind("concurrent.ConcurrentMap", false, false, false, false),
			new Kind("concurrent.ConcurrentHashMap", false, false, false, false),
			new Kind("concurrent.ConcurrentNavigableMap", false, false, true, false),
			new Kind("concurrent.ConcurrentSkipListMap", false, false, true, false),
			new Kind("Hashtable", false, false, false, false), new Kind("EnumMap", false, true, false, true));

	private final Kind kind;

	private final TypeShape keys;

	private final TypeShape values;

	MapShape(String source, Kind kind, TypeShape keys, TypeShape values) {
		super(source);
		this.kind = kind;
		this.keys = keys;
		this.values = values;
	}

	static MapShape of(Kind kind, TypeShape keys, TypeShape values, String argument) {
		return new MapShape("java.util." + kind.name + "<" + keys.source() + ", " + argument + ">", kind, keys, values);
	}

	static MapShape properties() {
		return new MapShape("java.util.Properties", new Kind("Properties", false, false, false, false),
				ScalarShape.STRING, ScalarShape.STRING);
	}

	/**
	 * Return the type of what an immutable copy contains.
	 */
	MapShape copied() {
		return new MapShape(source(), new Kind(this.kind.name, false, false, this.kind.sorted, this.kind.enums),
				this.keys, this.values);
	}

	@Override
	JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
		JsonObject input = new JsonObject();
		JsonObject expected = new JsonObject();
		if (!this.kind.ordered) {
			sampling.unordered(expected);
		}
		Set<String> known = new HashSet<>();
		int size = sampling.random().nextInt(4);
		for (int i = 0; i < size; i++) {
			JsonSample key = this.keys.sample(sampling, place, false);
			String name = key.input().getAsString();
			String written = key.expected().getAsString();
			if (!known.add(written) || input.has(name)) {
				continue;
			}
			// the name in a path is that of the Java object
			Place below = (this.keys == ScalarShape.STRING) ? place.member(written) : place.inexact();
			if (this.kind.nulls && sampling.chance(0.1)) {
				input.add(name, JsonNull.INSTANCE);
				addNull(sampling, expected, written);
				continue;
			}
			JsonSample value = this.values.sample(sampling, below, this.kind.nulls);
			input.add(name, value.input());
			if (value.isNull()) {
				addNull(sampling, expected, written);
			}
			else {
				expected.add(written, value.expected());
			}
			if (this.values.isLeaf()) {
				sampling.addLeaf(below, value, (other) -> input.add(name, other),
						() -> this.values.sample(sampling, below, false));
			}
		}
		return new JsonSample(input, expected);
	}

	/**
	 * Add a {@code null}, which is a value of an open schema only.
	 */
	private void addNull(JsonSampling sampling, JsonObject expected, String name) {
		if (this.values == ScalarShape.OBJECT) {
			expected.add(name, JsonNull.INSTANCE);
		}
		else {
			sampling.loseNull();
		}
	}

	/**
	 * Class of maps.
	 *
	 * @param name the name in {@code java.util}
	 * @param ordered whether the entries keep the order of the JSON
	 * @param nulls whether a value can be {@code null}
	 * @param sorted whether the keys must be comparable
	 * @param enums whether the keys must be constants of an enum
	 */
	record Kind(String name, boolean ordered, boolean nulls, boolean sorted, boolean enums) {

		boolean fits(TypeShape keys) {
			return (!this.sorted || keys.is(Trait.COMPARABLE)) && (!this.enums || keys.is(Trait.ENUM));
		}

	}

}
