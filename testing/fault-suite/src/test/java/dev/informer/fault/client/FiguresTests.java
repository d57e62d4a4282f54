/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Figures}.
 */
class FiguresTests {

	private static final Figures BEFORE = figures(Map.of("main", 1, "worker-N", 10), 6, 30_000_000);

	@Test
	void usualFluctuation_isNoGrowth() {
		assertThat(figures(Map.of("main", 1, "worker-N", 13), 9, 45_000_000).growthSince(BEFORE)).isEmpty();
	}

	@Test
	void moreThreads_areGrowthWithTheirNames() {
		assertThat(figures(Map.of("worker-N", 9, "other", 7), 6, 30_000_000).growthSince(BEFORE))
			.containsExactly("threads grew from 11 to 16 by {other=7}");
	}

	@Test
	void moreSocketsAndHeap_areGrowth() {
		assertThat(figures(Map.of("main", 1), 10, 46_000_000).growthSince(BEFORE))
			.containsExactly("sockets grew from 6 to 10", "heap grew from 30000000 to 46000000");
	}

	@Test
	void text_isParsed() throws IOException {
		Figures measured = Figures.measure();
		assertThat(Figures.parse(measured.toText())).isEqualTo(measured);
		assertThat(measured.threadsByName()).containsKey("main");
	}

	private static Figures figures(Map<String, Integer> threads, int sockets, long heap) {
		return new Figures(new TreeMap<>(threads), sockets, heap);
	}

}
