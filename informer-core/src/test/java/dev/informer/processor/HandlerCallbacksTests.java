/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent.Added;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for code of the user that calls {@link HandlerRegistration} and
 * {@link SharedProcessor}, directly and on a thread that it waits for.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HandlerCallbacksTests {

	/**
	 * Calls of each callback that call everything. They add handlers, whose events would
	 * call the listener again, faster than a busy machine delivers them.
	 */
	private static final int CALLS = 20;

	private final Map<String, Integer> calls = new ConcurrentHashMap<>();

	private final Set<String> visited = ConcurrentHashMap.newKeySet();

	private final List<String> blocked = new CopyOnWriteArrayList<>();

	private final AtomicReference<@Nullable HandlerRegistration> registration = new AtomicReference<>();

	private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM, this::newThread);

	@AfterEach
	void close() {
		this.fixture.onEach(() -> {
		});
		this.fixture.close();
		this.inside.remove();
	}

	private Thread newThread(String handler, Runnable task) {
		callEverything("thread factory");
		return HandlerFixture.newThread(handler, task);
	}

	@Test
	void everyCallback_mayCallEveryMethod_alsoOnAThreadThatItWaitsFor() throws Exception {
		this.fixture.onEach(() -> callEverything("listener"));
		this.fixture.start();
		this.registration.set(this.fixture.add((event) -> {
			callEverything("handler");
			throw new IllegalStateException("for the test");
		}, (options) -> options.concurrency(2)
			.retry(new RetryPolicy(1, Duration.ZERO, 1, Duration.ZERO, Duration.ZERO))
			.filter((pod) -> {
				callEverything("filter");
				return true;
			})
			.errorHandler((failure) -> callEverything("error handler")), List.of()));
		HandlerRegistration added = this.registration.get();
		assertThat(added).isNotNull();
		added.whenSynced(() -> callEverything("action"));
		// whether the handler needs its second thread depends on the timing
		this.fixture.add((event) -> {
		}, (options) -> {
		}, List.of());
		for (int i = 0; i < 5; i++) {
			this.fixture.distribute(new Added<>(pod("pod" + i, i), false));
		}
		await().until(() -> this.visited
			.containsAll(Set.of("thread factory", "listener", "handler", "filter", "error handler", "action")));
		await().until(() -> added.pending() == 0);
		added.remove();
		assertThat(this.blocked).isEmpty();
	}

	private void callEverything(String callback) {
		HandlerRegistration current = this.registration.get();
		if (current == null || this.inside.get() || this.calls.merge(callback, 1, Integer::sum) > CALLS) {
			return;
		}
		call(current);
		CountDownLatch done = new CountDownLatch(1);
		Thread other = new Thread(() -> {
			call(current);
			done.countDown();
		}, "other");
		other.start();
		try {
			if (!done.await(LONG.toSeconds() / 2, TimeUnit.SECONDS)) {
				this.blocked.add(callback + " blocks " + List.of(other.getStackTrace()));
			}
		}
		catch (InterruptedException ex) {
			this.blocked.add(callback + " is interrupted");
		}
		this.visited.add(callback);
	}

	private void call(HandlerRegistration current) {
		this.inside.set(true);
		try {
			current.pause();
			current.isPaused();
			current.resume();
			current.pending();
			current.hasSynced();
			current.awaitSynced(Duration.ofMillis(1));
			current.awaitIdle(Duration.ofMillis(1));
			current.whenSynced(() -> {
			});
			SharedProcessor<?> processor = this.fixture.processor();
			processor.registrations();
			processor.setPaused(PauseReason.NOT_SYNCED, true);
			processor.setPaused(PauseReason.NOT_SYNCED, false);
			processor.wakeHandlers();
			this.fixture.distribute(new Added<>(pod("other", 1), false));
			HandlerRegistration late = this.fixture.processor().add((event) -> {
			}, HandlerOptions.defaults());
			late.remove(Duration.ofMillis(1));
		}
		catch (InterruptedException ex) {
			this.blocked.add("interrupted");
		}
		finally {
			this.inside.set(false);
		}
	}

	@Test
	void handler_mayRemoveAndPauseItself_addAnother_andStopItsProcessor() throws Exception {
		EventLog<V1Pod> another = new EventLog<>();
		CountDownLatch done = new CountDownLatch(1);
		HandlerFixture plain = new HandlerFixture(TimeSource.SYSTEM);
		plain.start();
		this.registration.set(plain.add((event) -> {
			HandlerRegistration self = this.registration.get();
			while (self == null) {
				Thread.onSpinWait();
				self = this.registration.get();
			}
			self.pause();
			plain.add(another, (options) -> options.name("another"), List.of(new Added<>(pod("b", 1), true)));
			assertThat(self.remove(LONG)).isTrue();
			plain.stop(LONG);
			done.countDown();
		}, (options) -> {
		}, List.of(new Added<>(pod("a", 1), true))));
		assertThat(done.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(another.events()).hasSize(1);
		plain.close();
		await().untilAsserted(() -> assertThat(NoThreadLeft.informerThreads()).isEmpty());
	}

}
