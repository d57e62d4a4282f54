/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryPolicy;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the lag that {@link ProcessorListener} reports.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ProcessorListenerLagTests {

	private final FakeTime time = FakeTime.manual();

	private final HandlerFixture fixture = new HandlerFixture(this.time);

	private final V1Pod one = pod("a", 1);

	private final V1Pod two = pod("a", 2);

	private final V1Pod three = pod("a", 3);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void lag_endsWhenHandlerReturns() {
		this.fixture.add((event) -> this.time.advance(Duration.ofSeconds(2)), (options) -> {
		}, List.of());
		this.fixture.start();
		receive();
		this.time.advance(Duration.ofSeconds(3));
		this.fixture.distribute(new Added<>(this.one, false));
		awaitLags(Duration.ofSeconds(5));
	}

	@Test
	void coalescedChanges_lagSinceTheFirst() throws Exception {
		receiveThreeWhilePaused(QueuePolicy.COALESCE);
		awaitLags(Duration.ofSeconds(3));
	}

	@Test
	void keepAll_lagIsPerEvent() throws Exception {
		receiveThreeWhilePaused(QueuePolicy.KEEP_ALL);
		awaitLags(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1));
	}

	@Test
	void failedInvocation_isNoDelivery_andRetryLagsSinceTheBeginning() throws Exception {
		FakeTime advancing = FakeTime.autoAdvancing();
		try (HandlerFixture retrying = new HandlerFixture(advancing)) {
			AtomicBoolean failed = new AtomicBoolean();
			retrying.add((event) -> {
				if (failed.compareAndSet(false, true)) {
					advancing.advance(Duration.ofSeconds(4));
					throw new IllegalStateException("for the test");
				}
			}, (options) -> options
				.retry(new RetryPolicy(1, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), Duration.ZERO)), List.of());
			retrying.start();
			retrying.distribute(new Added<>(this.one, false));
			await().untilAsserted(() -> assertThat(retrying.lags()).containsExactly(Duration.ofSeconds(5)));
		}
	}

	@Test
	void initialList_lagsSinceHandlerWasAdded_andResyncHasNoLag() throws Exception {
		this.time.advance(Duration.ofSeconds(7));
		HandlerRegistration registration = this.fixture.add((event) -> {
		}, (options) -> {
		}, List.of(new Added<>(this.one, true)));
		this.time.advance(Duration.ofSeconds(1));
		this.fixture.start();
		assertThat(registration.awaitIdle(LONG)).isTrue();
		this.fixture.distribute(new Updated<>(this.one, this.one));
		assertThat(registration.awaitIdle(LONG)).isTrue();
		awaitLags(Duration.ofSeconds(1));
	}

	@Test
	void addAndRemove_publishHandlersChanged() {
		HandlerRegistration audit = this.fixture.add((event) -> {
		}, (options) -> options.name("audit"), List.of());
		this.fixture.add((event) -> {
		}, (options) -> options.name("cache"), List.of());
		audit.remove();
		audit.remove();
		assertThat(this.fixture.handlers()).containsExactly(List.of("audit"), List.of("audit", "cache"),
				List.of("cache"));
	}

	private void receiveThreeWhilePaused(QueuePolicy policy) throws InterruptedException {
		HandlerRegistration registration = this.fixture.add((event) -> {
		}, (options) -> options.queue(policy), List.of());
		registration.pause();
		this.fixture.start();
		receive();
		this.fixture.distribute(new Added<>(this.one, false));
		this.time.advance(Duration.ofSeconds(1));
		receive();
		this.fixture.distribute(new Updated<>(this.one, this.two));
		this.time.advance(Duration.ofSeconds(1));
		receive();
		this.fixture.distribute(new Updated<>(this.two, this.three));
		this.time.advance(Duration.ofSeconds(1));
		registration.resume();
		assertThat(registration.awaitIdle(LONG)).isTrue();
	}

	private void receive() {
		this.fixture.receive();
	}

	private void awaitLags(Duration... lags) {
		await().untilAsserted(() -> assertThat(this.fixture.lags()).containsExactly(lags));
	}

}
