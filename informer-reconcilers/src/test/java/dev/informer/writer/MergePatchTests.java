/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MergePatch}.
 */
class MergePatchTests {

	@Test
	void equalObjects_needNoPatch() {
		assertThat(between("{'a': {'b': [1]}}", "{'a': {'b': [1]}}")).isEqualTo(json("{}"));
	}

	@Test
	void patch_hasOnlyWhatDiffers() {
		assertThat(between("{'a': {'b': 1, 'c': 2}, 'd': 3}", "{'a': {'b': 1, 'c': 4}, 'd': 3}"))
			.isEqualTo(json("{'a': {'c': 4}}"));
		assertThat(between("{'a': {'b': 1}}", "{}")).isEqualTo(json("{'a': null}"));
		assertThat(between("{}", "{'a': {'b': {'c': 1}}}")).isEqualTo(json("{'a': {'b': {'c': 1}}}"));
		assertThat(between("{'a': [1]}", "{'a': {'b': 1}}")).isEqualTo(json("{'a': {'b': 1}}"));
	}

	@Test
	void listThatDiffers_isReplaced() {
		assertThat(replacesList("{'a': {'b': [1]}}", "{'a': {'b': [2]}}")).isTrue();
		assertThat(replacesList("{'a': {'b': [1]}}", "{'a': {}}")).isTrue();
		assertThat(replacesList("{}", "{'a': {'b': [1]}}")).isTrue();
		assertThat(replacesList("{'a': {'b': [1], 'c': 1}}", "{'a': {'b': [1], 'c': 2}}")).isFalse();
	}

	private static boolean replacesList(String before, String after) {
		return MergePatch.replacesList(between(before, after), json(before));
	}

	private static JsonObject between(String before, String after) {
		return MergePatch.between(json(before), json(after));
	}

	private static JsonObject json(String text) {
		return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
	}

}
