/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.type;

import com.google.gson.JsonElement;

/**
 * Value in JSON for a generated type.
 *
 * @param input what is decoded
 * @param expected what is written for the decoded value, with the differences that
 * {@link JsonSampling} allows
 */
record JsonSample(JsonElement input, JsonElement expected) {

	static JsonSample of(JsonElement json) {
		return new JsonSample(json, json);
	}

	boolean isNull() {
		return this.expected.isJsonNull();
	}

}
