/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.informer.controller.FakeInformers;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.FakeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ends deliveries at random times: no invocation begins after {@code remove}, {@code
 * pause} or a successful {@code suspendHandlers} has returned. The long form has 10,000
 * rounds: {@code -Dhandler.rounds=10000}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(600)
class HandlerRaceTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int ROUNDS = Integer.getInteger("handler.rounds", 300);

	@Test
	void noInvocationBegins_afterRemove() throws Exception {
		assertNoneBegins(HandlerRegistration::remove);
	}

	@Test
	void noInvocationBegins_afterPause() throws Exception {
		assertNoneBegins(HandlerRegistration::pause);
	}

	private static void assertNoneBegins(Consumer<HandlerRegistration> end) throws Exception {
		FakeSource source = new FakeSource();
		for (int i = 0; i < 5; i++) {
			source.put("pod" + i);
		}
		int late = 0;
		int begun = 0;
		try (SharedIndexInformer<V1Pod> informer = FakeInformers.pods(source, InformerOptions.DEFAULT, (settings) -> {
		})) {
			informer.start();
			assertThat(informer.awaitSynced(LONG)).isTrue();
			for (int round = 0; round < ROUNDS; round++) {
				AtomicBoolean ended = new AtomicBoolean();
				Collection<String> calls = new ConcurrentLinkedQueue<>();
				AtomicInteger before = new AtomicInteger();
				HandlerRegistration handler = informer.addHandler((event) -> {
					if (ended.get()) {
						calls.add("ns/" + event.object().getMetadata().getName());
					}
					else {
						before.incrementAndGet();
					}
				}, (options) -> options.filter((pod) -> {
					spin(20);
					return true;
				}));
				spin(200);
				end.accept(handler);
				List<HandlerRegistration.Invocation> running = handler.invocations();
				ended.set(true);
				assertThat(handler.remove(LONG)).isTrue();
				running.forEach((invocation) -> calls.remove(invocation.key()));
				late += calls.size();
				begun += (before.get() > 0) ? 1 : 0;
			}
		}
		assertThat(late).as("invocations that began after the end").isZero();
		assertThat(begun).as("rounds with an invocation before the end").isPositive();
	}

	@Test
	void noInvocationRunsOrBegins_afterHandlersAreSuspended() throws Exception {
		EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
		AtomicInteger calls = new AtomicInteger();
		AtomicBoolean suspended = new AtomicBoolean();
		AtomicInteger late = new AtomicInteger();
		try (InformerFactory informers = InformerFactory.create(() -> new ApiClient().setBasePath(kubernetes.url()),
				(settings) -> {
				})) {
			kubernetes.create(TestObjects.configMap("default", "a"));
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class);
			HandlerRegistration handler = informer.addHandler((event) -> {
				calls.incrementAndGet();
				late.addAndGet(suspended.get() ? 1 : 0);
				throw new IllegalStateException("for the test");
			}, (options) -> options
				.retry(new RetryPolicy(Integer.MAX_VALUE, Duration.ZERO, 1, Duration.ZERO, Duration.ZERO)));
			informers.start();
			for (int round = 0; round < ROUNDS; round++) {
				int called = calls.get();
				await().until(() -> calls.get() > called);
				spin(50);
				if (informers.suspendHandlers(LONG)) {
					suspended.set(true);
					late.addAndGet(handler.invocations().size());
					spin(50);
					suspended.set(false);
				}
				informers.releaseHandlers();
			}
		}
		finally {
			kubernetes.close();
		}
		assertThat(late).as("invocations after the suspension").hasValue(0);
	}

	/**
	 * Use the processor for a random time.
	 */
	private static void spin(int micros) {
		long end = System.nanoTime() + ThreadLocalRandom.current().nextLong(micros * 1000L);
		while (System.nanoTime() < end) {
			Thread.onSpinWait();
		}
	}

}
