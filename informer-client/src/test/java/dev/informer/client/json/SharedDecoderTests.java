/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import dev.informer.client.model.SharedValues;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedDecoder} and {@link SharedValues}.
 */
class SharedDecoderTests {

	private final SharedValues<String> values = new SharedValues<>(16, (text) -> text);

	private final SharedDecoder<String> decoder = new SharedDecoder<>(this.values, "a string");

	@Test
	void sameText_isSameValue() {
		List<Object> read = read(this.decoder, "\"grün 東京\"", "\"gr\\u00fcn \\u6771\\u4eac\"", "\"\"", "\"\"", "17",
				"\"17\"", "true", "\"true\"");
		assertThat(read).containsExactly("grün 東京", "grün 東京", "", "", "17", "17", "true", "true");
		for (int i = 0; i < read.size(); i += 2) {
			assertThat(read.get(i)).isSameAs(read.get(i + 1));
		}
	}

	@Test
	void sameTextOfOtherProperty_isSameValue() {
		List<Object> one = read(this.decoder, "\"a\"", "\"b\"", "\"a\"");
		List<Object> other = read(new SharedDecoder<>(this.values, "a string"), "\"b\"", "\"a\"");
		assertThat(other.get(0)).isSameAs(one.get(1));
		assertThat(other.get(1)).isSameAs(one.get(0)).isSameAs(one.get(2));
	}

	@Test
	void textsOfEqualHash_areDistinguished() {
		List<Object> read = read(this.decoder, "\"Aa\"", "\"BB\"", "\"Aa\"", "\"BB\"");
		assertThat(read).containsExactly("Aa", "BB", "Aa", "BB");
		assertThat(instances(read)).isEqualTo(2);
	}

	@Test
	void longText_isNotCached() {
		String text = "\"" + "x".repeat(257) + "\"";
		List<Object> read = read(this.decoder, text, text);
		assertThat(read.get(0)).isEqualTo(read.get(1)).isNotSameAs(read.get(1));
	}

	@Test
	void manyTexts_replaceEachOther() {
		List<Object> read = read(this.decoder, texts(1000));
		assertThat(read).isEqualTo(IntStream.range(0, 1000).mapToObj((i) -> "text-" + i).toList());
	}

	@Test
	void textsThatNeverRepeat_areSampled() {
		read(this.decoder, texts(100));
		List<Object> read = read(this.decoder, Collections.nCopies(8, "\"same\"").toArray(String[]::new));
		assertThat(read).containsOnly("same");
		assertThat(instances(read)).isEqualTo(8);
	}

	@Test
	void textsThatBeginToRepeat_areSharedAgain() {
		read(this.decoder, texts(100));
		List<Object> read = read(this.decoder, Collections.nCopies(100, "\"same\"").toArray(String[]::new));
		assertThat(instances(read)).isLessThan(20);
		assertThat(instances(read.subList(50, 100))).isOne();
	}

	private static String[] texts(int count) {
		return IntStream.range(0, count).mapToObj((i) -> "\"text-" + i + "\"").toArray(String[]::new);
	}

	private static int instances(List<Object> values) {
		Set<Object> instances = Collections.newSetFromMap(new IdentityHashMap<>());
		instances.addAll(values);
		return instances.size();
	}

	private static List<Object> read(SharedDecoder<String> decoder, String... texts) {
		List<Object> read = new ArrayList<>();
		String json = "[" + String.join(",", texts) + "]";
		try (TokenReader reader = JsonInput.open(json.getBytes(StandardCharsets.UTF_8))) {
			for (int i = 0; i < texts.length; i++) {
				reader.parser().nextToken();
				read.add(decoder.decode(reader));
			}
		}
		return read;
	}

}
