/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.informer.QueuePolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests for {@link HandlerQueue} with all short and with long random sequences of events,
 * against a model.
 */
class HandlerQueueConsistencyTests {

	private static final int STEPS = 6;

	/**
	 * Each step is an update, a resync, a deletion or a recreation, matching the filter
	 * or not, of wanted parts or of others, or the beginning or the end of a delivery.
	 * Six steps include all triples of changes with all interleaved deliveries.
	 */
	@ParameterizedTest
	@MethodSource("replays")
	void everySequence_isConsistent(QueuePolicy policy, boolean filtered, boolean masked) {
		replayAll(() -> new QueueReplay(policy, filtered, masked));
	}

	/**
	 * Replay the actions, and those that continue them. If the last one has no effect,
	 * they are the same as without it.
	 */
	private static void replayAll(Supplier<QueueReplay> replays, int... actions) {
		QueueReplay replay = replays.get();
		boolean effect = true;
		for (int action : actions) {
			effect = replay.step(action);
		}
		if (!effect) {
			return;
		}
		replay.finish();
		if (actions.length < STEPS) {
			int[] longer = Arrays.copyOf(actions, actions.length + 1);
			for (int action = 0; action < QueueReplay.ACTIONS; action++) {
				longer[actions.length] = action;
				replayAll(replays, longer);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("replays")
	void longRandomSequences_areConsistent(QueuePolicy policy, boolean filtered, boolean masked) {
		Random random = new Random(1);
		for (int round = 0; round < 1_000; round++) {
			QueueReplay replay = new QueueReplay(policy, filtered, masked);
			for (int step = 0; step < 60; step++) {
				replay.step(random.nextInt(QueueReplay.ACTIONS_WITH_GATE));
			}
			replay.finish();
		}
	}

	static Stream<Arguments> replays() {
		return Stream.of(QueuePolicy.values())
			.flatMap((policy) -> Stream.of(Arguments.of(policy, false, false), Arguments.of(policy, true, false),
					Arguments.of(policy, false, true), Arguments.of(policy, true, true)));
	}

}
