/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.informer.client.type.JsonSampling.Place;
import org.jspecify.annotations.Nullable;

/**
 * Class or record with fields. The fields are added after its creation, because it may
 * contain itself.
 */
final class ClassShape extends TypeShape {

	private static final int MAX_DEPTH = 8;

	private static final int MAX_LEAVES = 60;

	private final List<Member> members = new ArrayList<>();

	ClassShape(String source, Trait... traits) {
		super(source, traits);
	}

	ClassShape add(Member member) {
		this.members.add(member);
		return this;
	}

	/**
	 * Return the name in JSON of a field that was added.
	 */
	String nameOf(String field) {
		return this.members.stream()
			.map((member) -> member.names.get(0))
			.filter((name) -> name.equals(field) || name.equals(field + "-x"))
			.findFirst()
			.orElseThrow();
	}

	@Override
	JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
		return sample(sampling, place, 0.7);
	}

	JsonSample sample(JsonSampling sampling, Place place, double presence) {
		JsonObject input = new JsonObject();
		JsonObject expected = sampling.unordered(new JsonObject());
		boolean tooLarge = sampling.enter() > MAX_DEPTH || sampling.leaves().size() > MAX_LEAVES;
		List<Member> order = new ArrayList<>(this.members);
		if (sampling.chance(0.5)) {
			Collections.shuffle(order, sampling.random());
		}
		for (Member member : order) {
			sample(member, input, expected, sampling, place, tooLarge ? 0 : presence);
		}
		sampling.leave();
		if (sampling.chance(0.1)) {
			input.add("unknown-name", ScalarShape.OBJECT.sample(sampling, place, true).input());
		}
		return new JsonSample(input, expected);
	}

	private void sample(Member member, JsonObject input, JsonObject expected, JsonSampling sampling, Place place,
			double presence) {
		List<String> names = member.names;
		String name = names.get(sampling.random().nextInt(names.size()));
		String written = names.get(0);
		if (!sampling.chance(presence)) {
			put(expected, written, member.unset);
			return;
		}
		if (sampling.chance(0.08)) {
			input.add(name, JsonNull.INSTANCE);
			setToNull(sampling, member, expected);
			return;
		}
		Place below = place.member(written);
		int leaves = sampling.leaves().size();
		JsonSample value = member.type.sample(sampling, below, true);
		input.add(name, value.input());
		if (member.ignored) {
			sampling.forgetLeavesFrom(leaves);
			put(expected, written, member.unset);
			return;
		}
		if (value.isNull()) {
			setToNull(sampling, member, expected);
		}
		else if (member.omitsEmpty && isEmpty(value.input())) {
			sampling.loseNull();
		}
		else {
			expected.add(written, value.expected());
		}
		if (member.type.isLeaf()) {
			sampling.addLeaf(below, value, (other) -> input.add(name, other),
					() -> member.type.sample(sampling, below, false));
		}
	}

	private static void setToNull(JsonSampling sampling, Member member, JsonObject expected) {
		put(expected, member.names.get(0), member.setToNull);
		if (member.setToNull == null && (member.unset != null || member.omitsEmpty)) {
			sampling.loseNull();
		}
	}

	private static void put(JsonObject json, String name, @Nullable JsonElement value) {
		if (value != null) {
			json.add(name, value);
		}
	}

	private static boolean isEmpty(JsonElement value) {
		return (value instanceof JsonArray array && array.isEmpty())
				|| (value instanceof JsonObject object && object.isEmpty());
	}

	/**
	 * Field of a class.
	 *
	 * @param names the names in JSON; the first one is written
	 * @param unset what is written if it was not set
	 * @param setToNull what is written if it was set to {@code null}
	 * @param omitsEmpty whether an empty collection is not written
	 * @param ignored whether it is not read
	 */
	record Member(List<String> names, TypeShape type, @Nullable JsonElement unset, @Nullable JsonElement setToNull,
			boolean omitsEmpty, boolean ignored) {

		static Member of(String name, TypeShape type) {
			return of(List.of(name), type);
		}

		static Member of(List<String> names, TypeShape type) {
			return new Member(names, type, type.unset(), type.unset(), false, false);
		}

		/**
		 * Return a field whose empty collection is the default.
		 */
		static Member emptyByDefault(List<String> names, TypeShape type) {
			return new Member(names, type, null, null, true, false);
		}

		/**
		 * Return a field of a record in place of whose {@code null} the constructor
		 * stores an empty collection.
		 */
		static Member neverNull(List<String> names, TypeShape type, JsonElement empty) {
			return new Member(names, type, empty, empty, false, false);
		}

		static Member ignored(String name, TypeShape type) {
			return new Member(List.of(name), type, null, null, false, true);
		}

	}

}
