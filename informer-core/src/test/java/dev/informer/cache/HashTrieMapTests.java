/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HashTrieMap}.
 */
class HashTrieMapTests {

	private static final Comparator<Key> BY_NUMBER = Comparator.comparingInt(Key::number);

	/**
	 * With few hash codes there are long chains of nodes and keys that collide, with many
	 * there are wide nodes.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 40, 1_000_000 })
	void randomChanges_equalThoseOfAMap_andLeaveEarlierMapsAsTheyWere(int hashCodes) {
		Random random = new Random(hashCodes);
		HashTrieMap<Key, Integer> map = HashTrieMap.empty();
		Map<Key, Integer> expected = keysByNumber();
		List<HashTrieMap<Key, Integer>> earlier = new ArrayList<>();
		List<Map<Key, Integer>> expectedEarlier = new ArrayList<>();
		for (int step = 0; step < 4000; step++) {
			int number = random.nextInt(300);
			// Scattered over all bits, the highest ones included.
			Key key = new Key(number, (number % hashCodes) * 0x9E3779B9);
			if (random.nextInt(5) < (((step / 1000) % 2 == 0) ? 4 : 1)) {
				map = map.with(key, step);
				expected.put(key, step);
			}
			else {
				map = map.without(key);
				expected.remove(key);
			}
			if (step % 200 == 0) {
				earlier.add(map);
				expectedEarlier.add(keysByNumber());
				expectedEarlier.get(expectedEarlier.size() - 1).putAll(expected);
				assertEqual(map, expected);
			}
		}
		for (int i = 0; i < earlier.size(); i++) {
			assertEqual(earlier.get(i), expectedEarlier.get(i));
		}
	}

	/**
	 * Few hash codes give long chains and colliding keys, many give wide nodes. The
	 * changes are of new keys and of present ones.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 40, 1_000_000 })
	void withAll_equalsWithOneByOne(int hashCodes) {
		Random random = new Random(hashCodes);
		HashTrieMap<Key, Integer> bulk = HashTrieMap.empty();
		HashTrieMap<Key, Integer> single = HashTrieMap.empty();
		Map<Key, Integer> expected = keysByNumber();
		for (int step = 0; step < 300; step++) {
			Map<Key, Integer> more = keysByNumber();
			int size = random.nextInt(1 + random.nextInt(100));
			for (int i = 0; i < size; i++) {
				int number = random.nextInt(600);
				more.put(new Key(number, (number % hashCodes) * 0x9E3779B9), step);
			}
			HashTrieMap<Key, Integer> before = bulk;
			List<Integer> valuesBefore = before.values();
			bulk = bulk.withAll(more);
			for (Map.Entry<Key, Integer> entry : more.entrySet()) {
				single = single.with(entry.getKey(), entry.getValue());
			}
			expected.putAll(more);
			assertThat(before.values()).isEqualTo(valuesBefore);
			assertEqual(bulk, expected);
			assertThat(bulk.keys()).as("order").isEqualTo(single.keys());
			Key gone = new Key(step, (step % hashCodes) * 0x9E3779B9);
			bulk = bulk.without(gone);
			single = single.without(gone);
			expected.remove(gone);
			assertEqual(bulk, expected);
		}
	}

	@Test
	void withAll_nothing_isTheSameMap() {
		HashTrieMap<String, String> map = HashTrieMap.<String, String>empty().with("a", "1");
		assertThat(map.withAll(Map.of())).isSameAs(map);
	}

	@Test
	void without_lastKey_isTheEmptyMap() {
		HashTrieMap<String, String> map = HashTrieMap.<String, String>empty().with("a", "1").with("b", "2");
		assertThat(map.without("a").without("b")).isSameAs(HashTrieMap.empty());
	}

	@Test
	void without_unknownKey_isTheSameMap() {
		HashTrieMap<String, String> map = HashTrieMap.<String, String>empty().with("a", "1");
		assertThat(map.without("b")).isSameAs(map);
	}

	@Test
	void order_dependsOnTheKeysAlone() {
		HashTrieMap<String, Integer> up = HashTrieMap.empty();
		HashTrieMap<String, Integer> down = HashTrieMap.<String, Integer>empty().with("gone", 0);
		for (int i = 0; i < 500; i++) {
			up = up.with("key" + i, i);
			down = down.with("key" + (499 - i), i);
		}
		assertThat(up.keys()).isEqualTo(down.without("gone").keys());
	}

	/**
	 * Return a map whose cost does not depend on hash codes.
	 */
	private static Map<Key, Integer> keysByNumber() {
		return new TreeMap<>(BY_NUMBER);
	}

	private static void assertEqual(HashTrieMap<Key, Integer> map, Map<Key, Integer> expected) {
		assertThat(map.size()).isEqualTo(expected.size());
		assertThat(map.keys().stream().sorted(BY_NUMBER)).containsExactlyElementsOf(expected.keySet());
		assertThat(map.values().stream().sorted())
			.containsExactlyElementsOf(expected.values().stream().sorted().toList());
		Map<Key, Integer> copy = keysByNumber();
		map.forEach(copy::put);
		assertThat(copy).isEqualTo(expected);
		copy.replaceAll((key, value) -> map.get(key));
		assertThat(copy).isEqualTo(expected);
		assertThat(map.get(new Key(-1, 5))).isNull();
	}

	/**
	 * The keys have one hash code, as the names of objects can have that a user of the
	 * cluster chooses. With branches of 32, three levels hold 16,384 keys.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 500, 16_384 })
	void collidingKeys_costAFewComparisonsEach(int size) {
		List<Key> keys = IntStream.range(0, size).mapToObj((number) -> new Key(number, 5)).toList();
		Map<Key, Integer> all = keysByNumber();
		keys.forEach((key) -> all.put(key, 0));
		assertThat(operations(size, () -> HashTrieMap.<Key, Integer>empty().withAll(all))).isLessThan(10);
		HashTrieMap<Key, Integer> map = HashTrieMap.<Key, Integer>empty().withAll(all);
		assertThat(operations(size, () -> keys.forEach((key) -> map.with(key, 1)))).isLessThan(10);
		assertThat(operations(size, () -> keys.forEach((key) -> assertThat(map.get(key)).isZero()))).isLessThan(10);
		assertThat(operations(size, () -> keys.forEach(map::without))).isLessThan(10);
		assertThat(operations(size, () -> {
			HashTrieMap<Key, Integer> rest = map;
			for (Key key : keys) {
				rest = rest.without(key);
			}
			assertThat(rest).isSameAs(HashTrieMap.empty());
		})).isLessThan(10);
	}

	/**
	 * Return the mean number of comparisons and of hashes of all characters.
	 */
	private static double operations(int keys, Runnable action) {
		Key.operations = 0;
		action.run();
		return (double) Key.operations / keys;
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 40, 1_000_000 })
	void forEachNotIn_passesTheDifferencesToAnotherMap(int hashCodes) {
		Random random = new Random(hashCodes);
		HashTrieMap<Key, Integer> one = HashTrieMap.empty();
		for (int step = 0; step < 200; step++) {
			HashTrieMap<Key, Integer> other = one;
			Map<Key, Integer> changed = keysByNumber();
			for (int i = random.nextInt(10); i > 0; i--) {
				int number = random.nextInt(300);
				Key key = new Key(number, (number % hashCodes) * 0x9E3779B9);
				if (random.nextInt(3) > 0) {
					other = other.with(key, step);
					changed.put(key, step);
				}
				else {
					other = other.without(key);
					changed.remove(key);
				}
			}
			Map<Key, Integer> differences = keysByNumber();
			other.forEachNotIn(one, differences::put);
			assertThat(differences).isEqualTo(changed);
			one = other;
		}
		Map<Key, Integer> all = keysByNumber();
		one.forEachNotIn(HashTrieMap.empty(), all::put);
		assertEqual(one, all);
	}

	@Test
	void forEachNotIn_costsTimeForTheDifferencesOnly() {
		Map<Key, Integer> all = keysByNumber();
		IntStream.range(0, 10_000).forEach((number) -> all.put(new Key(number, number * 0x9E3779B9), number));
		HashTrieMap<Key, Integer> map = HashTrieMap.<Key, Integer>empty().withAll(all);
		HashTrieMap<Key, Integer> changed = map.with(new Key(7, 7 * 0x9E3779B9), 8);
		assertThat(operations(1, () -> changed.forEachNotIn(map, (key, value) -> {
		}))).isLessThan(100);
	}

	/**
	 * Key that counts how often a key was compared or its characters were hashed.
	 */
	private record Key(int number, int hash) implements CharSequence {

		private static long operations;

		@Override
		public boolean equals(Object other) {
			operations++;
			return other instanceof Key key && key.number == this.number;
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

		@Override
		public int length() {
			return 2;
		}

		@Override
		public char charAt(int index) {
			operations += (index == 0) ? 1 : 0;
			return (char) (this.number >>> (Character.SIZE * index));
		}

		@Override
		public CharSequence subSequence(int start, int end) {
			throw new UnsupportedOperationException();
		}

		@Override
		public String toString() {
			return "key " + this.number;
		}

	}

}
