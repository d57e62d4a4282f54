/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent.Added;
import dev.informer.RetryPolicy;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for handlers, filters and objects of a user that throw or leave interrupts.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HandlerUserCodeTests {

	private final FakeTime time = FakeTime.manual();

	private final HandlerFixture fixture = new HandlerFixture(this.time);

	private final EventLog<V1Pod> one = new EventLog<>();

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void userCodeThatLeavesInterrupts_neitherEndsNorSpinsThreads() throws Exception {
		List<String> interrupted = new CopyOnWriteArrayList<>();
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration registration = this.fixture.add((event) -> {
			check("handler", interrupted);
			if (calls.incrementAndGet() % 2 == 1) {
				throw new IllegalStateException("for the test");
			}
		}, (options) -> options.retry(new RetryPolicy(3, Duration.ZERO, 1, Duration.ZERO, Duration.ZERO))
			.filter((pod) -> check("filter", interrupted))
			.errorHandler((failure) -> check("error handler", interrupted)), List.of());
		registration.whenSynced(() -> check("action", interrupted));
		this.fixture.onEach(() -> check("listener", interrupted));
		this.fixture.start();
		for (int i = 0; i < 100; i++) {
			this.fixture.distribute(new Added<>(pod("pod" + i, i), false));
		}
		await().until(() -> calls.get() == 200);
		assertThat(registration.awaitIdle(Duration.ofDays(1))).isTrue();
		assertThat(interrupted).isEmpty();
		Thread thread = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((each) -> each.getName().startsWith("informer-pods-handler"))
			.findFirst()
			.orElseThrow();
		await()
			.until(() -> thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
	}

	private static boolean check(String code, List<String> interrupted) {
		if (Thread.currentThread().isInterrupted()) {
			interrupted.add(code);
		}
		Thread.currentThread().interrupt();
		return true;
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void errorsOfAllUserCode_areReported_andThreadsContinue(QueuePolicy policy) throws Exception {
		List<Error> errors = List.of(new OutOfMemoryError("for the test"), new StackOverflowError("for the test"),
				new LinkageError("for the test"), new ThreadDeath(), new AssertionError("for the test"));
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration registration = this.fixture.add((event) -> {
			if (calls.getAndIncrement() % 2 == 0) {
				throw errors.get(calls.get() / 2 % errors.size());
			}
			this.one.handle(event);
		}, (options) -> options.queue(policy)
			.retry(new RetryPolicy(3, Duration.ZERO, 1, Duration.ZERO, Duration.ZERO))
			.filter((pod) -> {
				throw errors.get(calls.get() % errors.size());
			})
			.errorHandler((failure) -> {
				throw errors.get(calls.get() % errors.size());
			}), List.of());
		registration.whenSynced(() -> {
			throw new ThreadDeath();
		});
		this.fixture.onEach(() -> {
			throw new OutOfMemoryError("for the test");
		});
		this.fixture.start();
		for (int i = 0; i < 20; i++) {
			this.fixture.distribute(new Added<>(pod("pod" + i, i), false));
		}
		await().until(() -> this.one.events().size() == 20 && registration.pending() == 0);
		assertThat(registration.hasSynced()).isTrue();
		assertThat(NoThreadLeft.informerThreads()).hasSize(1);
	}

	@Test
	void objectWhoseGettersThrow_isReportedAndRetried_andDoesNotBlockOthers() {
		V1Pod broken = new BrokenPod();
		this.fixture.add(this.one, (options) -> {
		}, List.of());
		this.fixture.distribute(new Added<>(broken, false), new Added<>(pod("b", 1), false));
		((BrokenPod) broken).broken.set(true);
		this.fixture.start();
		await().until(() -> this.one.events().size() >= 1);
		assertThat(NoThreadLeft.informerThreads()).hasSize(1);
	}

	private static final class BrokenPod extends V1Pod {

		private final AtomicBoolean broken = new AtomicBoolean();

		BrokenPod() {
			setMetadata(pod("broken", 1).getMetadata());
		}

		@Override
		public @Nullable V1ObjectMeta getMetadata() {
			if (this.broken != null && this.broken.get()) {
				throw new IllegalStateException("for the test");
			}
			return super.getMetadata();
		}

	}

}
