/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import java.util.List;

import com.google.gson.JsonNull;
import com.google.gson.JsonPrimitive;
import dev.informer.client.type.JsonSampling.Place;

/**
 * Enum, with the values that its constants have in JSON.
 */
final class EnumShape extends TypeShape {

	private final List<List<JsonPrimitive>> constants;

	/**
	 * Create a shape.
	 * @param constants for each constant the value that is written, and others that are
	 * read
	 */
	EnumShape(String source, List<List<JsonPrimitive>> constants, Trait... traits) {
		super(source, traits);
		this.constants = constants;
	}

	@Override
	JsonSample sample(JsonSampling sampling, Place place, boolean nullable) {
		if (nullable && sampling.chance(0.03)) {
			return new JsonSample(new JsonPrimitive("unknown"), JsonNull.INSTANCE);
		}
		List<JsonPrimitive> constant = this.constants.get(sampling.random().nextInt(this.constants.size()));
		return new JsonSample(constant.get(sampling.random().nextInt(constant.size())).deepCopy(),
				constant.get(0).deepCopy());
	}

	@Override
	boolean isLeaf() {
		return true;
	}

}
