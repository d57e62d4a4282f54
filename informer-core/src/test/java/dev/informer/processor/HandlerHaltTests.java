/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no invocation begins after a pause or removal has returned.
 * {@code -Dhalt.rounds=10000} sets the number of rounds of each test.
 */
@Timeout(1800)
class HandlerHaltTests {

	private static final int ROUNDS = Integer.getInteger("halt.rounds", 1000);

	private static final int OBJECTS = 4;

	private static final int LONGEST_SPIN = 20_000;

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final Random random = new Random(1);

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger calls = new AtomicInteger();

	private final AtomicInteger late = new AtomicInteger();

	private volatile boolean halted;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void noInvocationBegins_afterAPause() {
		HandlerRegistration registration = add();
		this.fixture.start();
		for (int i = 0; i < ROUNDS; i++) {
			distribute(i);
			registration.pause();
			this.halted = true;
			spin();
			this.halted = false;
			registration.resume();
		}
		verify();
	}

	@Test
	void noInvocationBegins_afterARemoval() {
		this.fixture.start();
		for (int i = 0; i < ROUNDS; i++) {
			HandlerRegistration registration = add();
			distribute(i);
			registration.remove();
			this.halted = true;
			spin();
			await().pollDelay(Duration.ZERO).until(() -> this.running.get() == 0);
			this.halted = false;
		}
		verify();
	}

	private void verify() {
		assertThat(this.late).hasValue(0);
		assertThat(this.calls).hasValueGreaterThan(ROUNDS / 10);
	}

	private HandlerRegistration add() {
		ResourceEventHandler<V1Pod> handler = (event) -> {
			if (this.halted) {
				this.late.incrementAndGet();
			}
			this.running.incrementAndGet();
			this.calls.incrementAndGet();
			spin();
			this.running.decrementAndGet();
		};
		return this.fixture.add(handler, (options) -> options.name("halted").concurrency(2), List.of());
	}

	private void distribute(int round) {
		for (int i = 0; i < OBJECTS; i++) {
			V1Pod previous = pod("object-" + i, round);
			this.fixture.distribute(new ResourceEvent.Updated<>(previous, pod("object-" + i, round + 1), false));
		}
		spin();
	}

	private void spin() {
		int times;
		synchronized (this.random) {
			times = this.random.nextInt(LONGEST_SPIN);
		}
		for (int i = 0; i < times; i++) {
			Thread.onSpinWait();
		}
	}

}
