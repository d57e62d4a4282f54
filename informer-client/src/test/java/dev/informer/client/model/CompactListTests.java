/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Random;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CompactList}, which must behave like an {@link ArrayList}.
 */
class CompactListTests {

	private static final List<Function<Random, Function<List<Integer>, @Nullable Object>>> OPERATIONS = List
		.of((random) -> (list) -> list.add(3), (random) -> {
			int index = random.nextInt(6);
			return (list) -> {
				list.add(index, 5);
				return null;
			};
		}, (random) -> {
			int index = random.nextInt(6) - 1;
			return (list) -> list.remove(index);
		}, (random) -> {
			Integer element = random.nextInt(6);
			return (list) -> list.remove(element);
		}, (random) -> {
			int index = random.nextInt(6) - 1;
			int element = random.nextInt(6);
			return (list) -> list.set(index, element);
		}, (random) -> {
			int index = random.nextInt(6);
			return (list) -> list.addAll(index, List.of(4, 2, 4));
		}, (random) -> (list) -> list.addAll(List.of()), (random) -> (list) -> list.removeAll(List.of(4, 5)),
				(random) -> (list) -> list.retainAll(List.of(2, 3, 4)), (random) -> {
					int bound = random.nextInt(6);
					return (list) -> list.removeIf((element) -> element > bound);
				}, (random) -> (list) -> {
					list.replaceAll((element) -> element + 1);
					return null;
				}, (random) -> (list) -> {
					list.sort(null);
					return null;
				}, (random) -> (list) -> {
					Collections.reverse(list);
					return null;
				}, (random) -> {
					int from = random.nextInt(3);
					int to = from + random.nextInt(3);
					return (list) -> {
						list.subList(from, to).clear();
						return null;
					};
				}, (random) -> {
					int at = random.nextInt(4);
					return (list) -> {
						ListIterator<Integer> elements = list.listIterator(at);
						int sum = elements.previousIndex() + elements.next();
						elements.set(sum);
						elements.add(7);
						sum += elements.previous();
						elements.remove();
						return sum;
					};
				}, (random) -> (list) -> {
					int sum = 0;
					for (Iterator<Integer> elements = list.iterator(); elements.hasNext();) {
						int element = elements.next();
						sum += element;
						if (element % 2 == 0) {
							elements.remove();
						}
					}
					return sum;
				}, (random) -> (list) -> {
					for (Integer element : list) {
						list.add(element);
					}
					return null;
				}, (random) -> (list) -> {
					if (list.size() > 8) {
						list.clear();
					}
					return null;
				}, (random) -> (list) -> {
					List<Integer> part = list.subList(0, 1);
					list.add(1);
					return part.get(0);
				});

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void randomOperations_behaveLikeArrayList(long seed) {
		Random random = new Random(seed);
		List<Integer> expected = new ArrayList<>();
		List<Integer> actual = new CompactList<>();
		for (int i = 0; i < 4000; i++) {
			int operation = random.nextInt(OPERATIONS.size());
			Function<List<Integer>, @Nullable Object> todo = OPERATIONS.get(operation).apply(random);
			assertThat(outcome(todo, actual)).as("operation %d", operation).isEqualTo(outcome(todo, expected));
			verify(actual, expected);
		}
	}

	private static void verify(List<Integer> actual, List<Integer> expected) {
		assertThat(actual.equals(expected)).isTrue();
		assertThat(expected.equals(actual)).isTrue();
		assertThat(actual).hasSameHashCodeAs(expected).hasToString(expected.toString()).hasSameSizeAs(expected);
		assertThat(actual.toArray()).isEqualTo(expected.toArray());
		assertThat(actual.toArray(new Integer[0])).isEqualTo(expected.toArray(new Integer[0]));
		assertThat(actual.stream().toList()).isEqualTo(expected);
		for (int element = 0; element < 4; element++) {
			assertThat(actual.contains(element)).isEqualTo(expected.contains(element));
			assertThat(actual.indexOf(element)).isEqualTo(expected.indexOf(element));
			assertThat(actual.lastIndexOf(element)).isEqualTo(expected.lastIndexOf(element));
		}
	}

	/**
	 * Return the result of an operation; of an exception its type, as messages differ.
	 */
	private static @Nullable Object outcome(Function<List<Integer>, @Nullable Object> operation, List<Integer> list) {
		try {
			return operation.apply(list);
		}
		catch (IndexOutOfBoundsException ex) {
			return IndexOutOfBoundsException.class;
		}
		catch (RuntimeException ex) {
			return ex.getClass();
		}
	}

	@Test
	void arrayOfOtherType_acceptsAnyElement() {
		List<Object> list = new CompactList<>();
		list.addAll(List.of("a"));
		list.add(1);
		assertThat(list).containsExactly("a", 1);
		assertThat(list.toArray()).isExactlyInstanceOf(Object[].class);
	}

	@Test
	void nullElement_isKept() {
		List<@Nullable String> list = new CompactList<>();
		list.add(null);
		assertThat(list).containsExactly((String) null);
		assertThat(list.indexOf(null)).isZero();
	}

	@Test
	void onlyElementThatIsAnArray_isKept() {
		List<Object> list = new CompactList<>(new Object[] { new Object[] { 1, 2 } });
		assertThat(list).hasSize(1);
		assertThat(list.set(0, "a")).isEqualTo(new Object[] { 1, 2 });
		assertThat(list).containsExactly("a");
		list.set(0, new Object[] { 3, 4 });
		assertThat(list).hasSize(1);
		assertThat(list.get(0)).isEqualTo(new Object[] { 3, 4 });
	}

	@Test
	void iteratorOfListWhoseOnlyElementIsReplaced_continues() {
		List<String> list = new CompactList<>(new Object[] { "a" });
		ListIterator<String> elements = list.listIterator();
		elements.next();
		list.set(0, "b");
		assertThat(elements.previous()).isEqualTo("b");
	}

	@Test
	void iteratorOfModifiedList_fails() {
		List<Integer> list = new CompactList<>(new Object[] { 1, 2, 3 });
		Iterator<Integer> elements = list.iterator();
		elements.next();
		list.remove(0);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(elements::next);
	}

	@Test
	void iteratorOfOnlyElementThatIsRemoved_fails() {
		List<Integer> list = new CompactList<>(new Object[] { 1 });
		Iterator<Integer> elements = list.iterator();
		list.remove(0);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(elements::next);
	}

}
