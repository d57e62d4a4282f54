/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEventHandler;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory that {@link SharedProcessor} retains.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class SharedProcessorMemoryTests {

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void removedHandler_isCollectable(boolean running) throws Exception {
		if (running) {
			this.fixture.start();
		}
		List<WeakReference<?>> references = addAndRemove();
		awaitCollected(references);
		this.fixture.start();
		this.fixture.distribute(new Added<>(pod("a", 1), false));
	}

	/**
	 * Add a handler as a child context does: with its own class loader as the context
	 * class loader, actions, and failures whose class belongs to it.
	 */
	private List<WeakReference<?>> addAndRemove() throws Exception {
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		URLClassLoader child = new URLClassLoader(new URL[0], before);
		Thread.currentThread().setContextClassLoader(child);
		try {
			RuntimeException failure = new IllegalStateException("for the test");
			ResourceEventHandler<V1Pod> handler = (event) -> {
				assertThat(child).isNotNull();
				throw failure;
			};
			HandlerRegistration registration = this.fixture.add(handler,
					(options) -> options.retry(RetryPolicy.NONE).filter((pod) -> child != null).concurrency(2),
					List.of(new Added<>(pod("a", 1), true), new Added<>(pod("b", 1), true)));
			registration.whenSynced(() -> assertThat(child).isNotNull());
			await().until(() -> registration.hasSynced() || registration.pending() == 2);
			registration.remove(Duration.ofSeconds(20));
			this.fixture.forget();
			return List.of(new WeakReference<>(child), new WeakReference<>(handler), new WeakReference<>(failure));
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	@Test
	void handlerRemovedDuringItsInvocation_isCollectableAfterIt() throws Exception {
		CountDownLatch mayLeave = new CountDownLatch(1);
		this.fixture.start();
		WeakReference<?> handler = addAndRemoveDuringInvocation(mayLeave);
		System.gc();
		assertThat(handler.get()).isNotNull();
		mayLeave.countDown();
		awaitCollected(List.of(handler));
	}

	private WeakReference<?> addAndRemoveDuringInvocation(CountDownLatch mayLeave) throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		ResourceEventHandler<V1Pod> handler = (event) -> {
			entered.countDown();
			mayLeave.await();
		};
		HandlerRegistration registration = this.fixture.add(handler, (options) -> {
		}, List.of(new Added<>(pod("a", 1), true)));
		entered.await();
		registration.remove();
		return new WeakReference<>(handler);
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void idleHandler_retainsNoEvent(QueuePolicy policy) throws Exception {
		this.fixture.add((event) -> {
		}, (options) -> options.queue(policy).concurrency(2), List.of());
		this.fixture.start();
		awaitCollected(List.of(deliver()));
	}

	private WeakReference<V1Pod> deliver() throws Exception {
		V1Pod pod = pod("a", 1);
		ResourceEvent<V1Pod> event = new Added<>(pod, false);
		this.fixture.distribute(event, new Deleted<>(pod, pod, false));
		for (HandlerRegistration each : this.fixture.processor().registrations()) {
			assertThat(each.awaitIdle(Duration.ofSeconds(60))).isTrue();
		}
		this.fixture.forget();
		return new WeakReference<>(pod);
	}

	private static void awaitCollected(List<WeakReference<?>> references) {
		await().until(() -> {
			System.gc();
			return references.stream().allMatch((each) -> each.refersTo(null));
		});
	}

}
