/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunGate}.
 */
@Timeout(120)
class RunGateTests {

	private final AtomicInteger beginnings = new AtomicInteger();

	private final StateLock lock = new StateLock(TimeSource.SYSTEM);

	@Test
	void threads_waitForTheLaunch_andTheFirstOneBegins() throws Exception {
		RunGate gate = gate(null);
		assertThat(gate.enter("a")).isTrue();
		FutureTask<Boolean> turn = awaitTurn(gate);
		assertThat(gate.hasBegun()).isFalse();
		gate.launch();
		assertThat(turn.get(60, TimeUnit.SECONDS)).isTrue();
		assertThat(gate.awaitTurn()).isTrue();
		assertThat(gate.hasBegun()).isTrue();
		assertThat(this.beginnings).hasValue(1);
	}

	@Test
	void threads_waitUntilThoseOfAllEarlierRunsHaveEnded() throws Exception {
		RunGate first = gate(null);
		first.enter("a");
		stop(first);
		RunGate second = gate(first);
		stop(second);
		RunGate third = gate(second);
		third.launch();
		FutureTask<Boolean> turn = awaitTurn(third);
		assertThat(third.hasBegun()).isFalse();
		first.leave("a");
		assertThat(turn.get(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void stop_refusesThreads_andEndsTheWait() throws Exception {
		RunGate gate = gate(null);
		FutureTask<Boolean> turn = awaitTurn(gate);
		gate.requestStop();
		assertThat(turn.get(60, TimeUnit.SECONDS)).isFalse();
		assertThat(gate.enter("a")).isFalse();
		gate.pause(() -> false, Long.MAX_VALUE);
		assertThat(this.beginnings).hasValue(0);
	}

	@Test
	void interruptedThread_waitsOn() throws Exception {
		RunGate gate = gate(null);
		FutureTask<Boolean> turn = new FutureTask<>(() -> {
			Thread.currentThread().interrupt();
			return gate.awaitTurn();
		});
		new Thread(turn).start();
		gate.launch();
		assertThat(turn.get(60, TimeUnit.SECONDS)).isTrue();
	}

	private RunGate gate(@Nullable RunGate previous) {
		return this.lock.get(() -> new RunGate(this.lock, previous, this.beginnings::incrementAndGet));
	}

	private static void stop(RunGate gate) {
		gate.requestStop();
		gate.completeStop();
	}

	private static FutureTask<Boolean> awaitTurn(RunGate gate) {
		FutureTask<Boolean> turn = new FutureTask<>(gate::awaitTurn);
		new Thread(turn).start();
		return turn;
	}

}
