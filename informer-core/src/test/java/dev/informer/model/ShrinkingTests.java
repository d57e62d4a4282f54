/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Shrinking}.
 */
class ShrinkingTests {

	private static final List<Integer> ALL = IntStream.rangeClosed(1, 60).boxed().toList();

	@Test
	void sequence_isShrunkToFailingOperations() {
		Shrinking shrinking = new Shrinking((operations) -> operations.containsAll(List.of(7, 31, 60)));
		assertThat(shrinking.shrink(ALL)).containsExactly(7, 31, 60);
	}

	@Test
	void sequenceThatAlwaysFails_isShrunkToNothing() {
		assertThat(new Shrinking((operations) -> true).shrink(ALL)).isEmpty();
	}

	@Test
	void sequenceThatFailsOnlyAsAWhole_isNotShrunk() {
		assertThat(new Shrinking((operations) -> operations.size() == 60).shrink(ALL)).isEqualTo(ALL);
	}

}
