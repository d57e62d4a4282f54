/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.client.TimeSource;
import dev.informer.work.StateLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SyncLatch}.
 */
class SyncLatchTests {

	@Test
	void callbackThatFails_isRepeatedByTheNextCall() {
		AtomicInteger settled = new AtomicInteger();
		SyncLatch latch = new SyncLatch(new StateLock(TimeSource.SYSTEM), "pods", () -> {
			if (settled.incrementAndGet() == 1) {
				throw new IllegalStateException("for the test");
			}
		});
		assertThatIllegalStateException().isThrownBy(latch::synced);
		latch.synced();
		assertThat(settled).hasValue(2);
		assertThat(latch.isSynced()).isTrue();
	}

	@Test
	void predicateThatHeldOnce_isReportedAlthoughItNoLongerHolds() throws InterruptedException {
		SyncLatch latch = new SyncLatch(new StateLock(TimeSource.SYSTEM), "pods", () -> {
		});
		AtomicInteger calls = new AtomicInteger();
		assertThat(latch.await(() -> calls.getAndIncrement() == 0, Duration.ofMinutes(1))).isTrue();
		assertThat(latch.await(() -> false, Duration.ZERO)).isFalse();
	}

}
