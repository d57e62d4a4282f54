/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventQueue}.
 */
class EventQueueTests {

	private static final int CAPACITY = 12;

	private final EventQueue queue = new EventQueue(CAPACITY);

	private long number;

	@Test
	void aloneNamespace_hasAllRoom() {
		add("a", 20);
		assertThat(count("a")).isEqualTo(CAPACITY);
	}

	@Test
	void otherNamespaces_takeTheirShareFromTheLargest() {
		add("a", 20);
		add("b", 20);
		assertThat(List.of(count("a"), count("b"))).containsExactly(6, 6);
		add("c", 20);
		assertThat(List.of(count("a"), count("b"), count("c"))).containsExactly(4, 4, 4);
		add("a", 20);
		assertThat(List.of(count("a"), count("b"), count("c"))).containsExactly(4, 4, 4);
	}

	@Test
	void smallNamespace_keepsItsSeries() {
		add("a", 2);
		add("b", 20);
		add("c", 20);
		assertThat(List.of(count("a"), count("b"), count("c"))).containsExactly(2, 6, 4);
	}

	@Test
	void moreNamespacesThanRoom_areNotAdmitted() {
		for (int i = 0; i < CAPACITY; i++) {
			add("ns-" + i, 1);
		}
		assertThat(this.queue.admits("other")).isFalse();
		assertThat(this.queue.admits("ns-0")).isFalse();
	}

	@Test
	void namespaces_takeTurns_andEachIsInOrder() {
		add("a", 4);
		add("b", 2);
		add("c", 1);
		List<String> taken = new ArrayList<>();
		while (!this.queue.isEmpty()) {
			EventSeries next = this.queue.take(0);
			taken.add(next.namespace() + next.identity().name());
			this.queue.remove(next);
		}
		assertThat(taken).hasSize(7);
		assertThat(taken.subList(0, 3)).containsExactlyInAnyOrder("a1", "b5", "c7");
		assertThat(taken.subList(3, 5)).containsExactlyInAnyOrder("a2", "b6");
		assertThat(taken.subList(5, 7)).containsExactly("a3", "a4");
	}

	@Test
	void seriesThatWaitsLongest_isInExcess() {
		add("a", CAPACITY);
		EventSeries last = this.queue.waiting().get(3);
		this.queue.reschedule(last, 1_000);
		assertThat(this.queue.excess()).isSameAs(last);
		assertThat(this.queue.nanosToNext(0)).isZero();
		this.queue.remove(last);
		assertThat(this.queue.excess()).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5 })
	void anyOrderOfCalls_keepsTheBounds(int seed) {
		Random random = new Random(seed);
		List<EventSeries> taken = new ArrayList<>();
		for (int step = 0; step < 20_000; step++) {
			switch (random.nextInt(4)) {
				case 0, 1 -> add("ns-" + random.nextInt(5), 1 + random.nextInt(3));
				case 2 -> {
					// at most one is being written
					if (taken.isEmpty() && !this.queue.isEmpty()) {
						taken.add(this.queue.take(0));
					}
				}
				default -> {
					if (!taken.isEmpty()) {
						EventSeries ended = taken.remove(0);
						if (random.nextBoolean()) {
							this.queue.add(ended);
						}
						else {
							this.queue.remove(ended);
						}
					}
				}
			}
			assertThat(this.queue.waiting().size() + taken.size()).isLessThanOrEqualTo(CAPACITY);
		}
	}

	private void add(String namespace, int count) {
		for (int i = 0; i < count; i++) {
			if (this.queue.admits(namespace)) {
				EventSeries excess = this.queue.excess();
				if (excess != null) {
					this.queue.remove(excess);
				}
				this.number++;
				this.queue.add(EventSeriesTests.series(namespace, String.valueOf(this.number), this.number));
			}
		}
	}

	private int count(String namespace) {
		Map<String, Integer> counts = new HashMap<>();
		this.queue.waiting().forEach((series) -> counts.merge(series.namespace(), 1, Integer::sum));
		return counts.getOrDefault(namespace, 0);
	}

}
