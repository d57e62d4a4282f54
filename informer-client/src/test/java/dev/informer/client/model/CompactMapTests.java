/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CompactMap}, which must behave like a {@link LinkedHashMap}.
 */
class CompactMapTests {

	private static final List<Function<String, Function<Map<String, Integer>, @Nullable Object>>> OPERATIONS = List.of(
			(key) -> (map) -> map.put(key, key.length()), (key) -> (map) -> map.put(key, 7),
			(key) -> (map) -> map.remove(key), (key) -> (map) -> map.remove(key, 7),
			(key) -> (map) -> map.putIfAbsent(key, 9), (key) -> (map) -> map.merge(key, 1, Integer::sum),
			(key) -> (map) -> map.computeIfAbsent(key, String::length),
			(key) -> (map) -> map.computeIfPresent(key, (any, value) -> (value > 3) ? null : value + 1),
			(key) -> (map) -> map.compute(key, (any, value) -> (value != null) ? null : 2),
			(key) -> (map) -> map.replace(key, 5), (key) -> (map) -> {
				map.replaceAll((any, value) -> value + 1);
				return null;
			}, (key) -> (map) -> map.keySet().remove(key), (key) -> (map) -> map.keySet().removeIf(key::equals),
			(key) -> (map) -> map.values().removeIf((value) -> value == 3), (key) -> (map) -> map.values().remove(4),
			(key) -> (map) -> map.entrySet().retainAll(Map.of(key, 2, "a", 1, "bb", 2).entrySet()), (key) -> (map) -> {
				map.putAll(Map.of(key, 1));
				return null;
			}, (key) -> (map) -> {
				int sum = 0;
				for (Map.Entry<String, Integer> entry : map.entrySet()) {
					sum += entry.setValue(entry.getValue() + 1);
				}
				return sum;
			}, (key) -> (map) -> {
				Iterator<Map.Entry<String, Integer>> entries = map.entrySet().iterator();
				Map.Entry<String, Integer> first = entries.next();
				entries.remove();
				return first.getKey() + first.getValue() + entries.hasNext();
			}, (key) -> (map) -> {
				Iterator<String> keys = map.keySet().iterator();
				keys.next();
				keys.remove();
				keys.remove();
				return null;
			}, (key) -> (map) -> {
				if (map.size() > 8) {
					map.clear();
				}
				return null;
			});

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void randomOperations_behaveLikeLinkedHashMap(long seed) {
		Random random = new Random(seed);
		Map<String, Integer> expected = new LinkedHashMap<>();
		Map<String, Integer> actual = new CompactMap<>();
		for (int i = 0; i < 4000; i++) {
			int operation = random.nextInt(OPERATIONS.size());
			String key = "abc".substring(random.nextInt(3)).repeat(1 + random.nextInt(4));
			Function<Map<String, Integer>, @Nullable Object> todo = OPERATIONS.get(operation).apply(key);
			assertThat(outcome(todo, actual)).as("operation %d", operation).isEqualTo(outcome(todo, expected));
			verify(actual, expected, key);
		}
	}

	private static void verify(Map<String, Integer> actual, Map<String, Integer> expected, String key) {
		assertThat(actual.equals(expected)).isTrue();
		assertThat(expected.equals(actual)).isTrue();
		assertThat(actual).hasSameHashCodeAs(expected).hasToString(expected.toString()).hasSameSizeAs(expected);
		assertThat(List.copyOf(actual.keySet())).isEqualTo(List.copyOf(expected.keySet()));
		assertThat(List.copyOf(actual.values())).isEqualTo(List.copyOf(expected.values()));
		assertThat(actual.entrySet()).isEqualTo(expected.entrySet());
		assertThat(actual.get(key)).isEqualTo(expected.get(key));
		assertThat(actual.containsKey(key)).isEqualTo(expected.containsKey(key));
		assertThat(actual.containsValue(7)).isEqualTo(expected.containsValue(7));
		assertThat(actual.getOrDefault(key, -1)).isEqualTo(expected.getOrDefault(key, -1));
	}

	private static @Nullable Object outcome(Function<Map<String, Integer>, @Nullable Object> operation,
			Map<String, Integer> map) {
		try {
			return operation.apply(map);
		}
		catch (RuntimeException ex) {
			return ex.getClass();
		}
	}

	@Test
	void nullKeyAndNullValue_areKept() {
		Map<@Nullable String, @Nullable String> map = new CompactMap<>();
		map.put(null, "a");
		map.put("b", null);
		assertThat(map).containsEntry(null, "a").containsEntry("b", null).hasSize(2);
		assertThat(map.remove(null)).isEqualTo("a");
		assertThat(map).hasSize(1);
	}

	@Test
	void entries_areLiveLikeThoseOfLinkedHashMap() {
		Map<String, Integer> expected = new LinkedHashMap<>(Map.of("a", 1));
		expected.put("b", 2);
		expected.put("c", 3);
		Map<String, Integer> actual = new CompactMap<>(new Object[] { "a", 1, "b", 2, "c", 3 });
		assertThat(entriesWhileChanging(actual)).isEqualTo(entriesWhileChanging(expected));
		assertThat(actual).isEqualTo(expected);
	}

	private static List<Object> entriesWhileChanging(Map<String, Integer> map) {
		List<Map.Entry<String, Integer>> entries = new ArrayList<>(map.entrySet());
		List<Object> seen = new ArrayList<>();
		List<Runnable> changes = List.of(() -> map.put("b", 7), () -> entries.get(1).setValue(8), () -> map.remove("a"),
				() -> entries.get(0).setValue(9), () -> map.put("d", 4), () -> entries.get(2).setValue(5),
				() -> map.replaceAll((key, value) -> value + 1), map::clear, () -> entries.get(1).setValue(6));
		for (Runnable change : changes) {
			change.run();
			entries.forEach((entry) -> seen.add(List.of(entry.getKey(), entry.getValue(), entry.toString(),
					entry.hashCode(), entry.equals(Map.entry("b", 8)), Map.entry("b", 8).equals(entry))));
			seen.add(Map.copyOf(map));
		}
		return seen;
	}

	@Test
	void iteratorOfModifiedMap_fails() {
		Map<String, Integer> map = new CompactMap<>(new Object[] { "a", 1, "b", 2 });
		Iterator<String> keys = map.keySet().iterator();
		keys.next();
		map.put("c", 3);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(keys::next);
	}

}
