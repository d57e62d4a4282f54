/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no call begins after a pause, stop or close has returned.
 * {@code -Dhalt.rounds=10000} sets the number of rounds of each test.
 */
@Timeout(1800)
class ReconcilerHaltTests {

	private static final int ROUNDS = Integer.getInteger("halt.rounds", 500);

	private static final int OBJECTS = 4;

	private static final int CONCURRENCY = 2;

	private static final int LONGEST_SPIN = 20_000;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory factory = InformerFactory
		.create(new ClientBuilder().setBasePath(this.kubernetes.url()).build());

	private final SharedIndexInformer<V1ConfigMap> informer = this.factory.informer(V1ConfigMap.class);

	private final Random random = new Random(1);

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	private final AtomicInteger calls = new AtomicInteger();

	/** Keys of calls that began, or were about to run, after a halt. */
	private final Set<String> late = ConcurrentHashMap.newKeySet();

	private volatile boolean halted;

	@BeforeEach
	void create() throws InterruptedException {
		this.kubernetes.create(TestObjects.namespace("shop"));
		for (int i = 0; i < OBJECTS; i++) {
			this.kubernetes.create(TestObjects.configMap("shop", "object-" + i));
		}
		this.informer.start();
		assertThat(this.factory.awaitSynced(Duration.ofSeconds(30))).isTrue();
	}

	@AfterEach
	void close() {
		this.factory.close();
		this.kubernetes.close();
	}

	@Test
	void noCallBegins_afterAPause() {
		try (Reconcilers reconcilers = reconcilers()) {
			ReconcilerRegistration registration = started(reconcilers);
			for (int i = 0; i < ROUNDS; i++) {
				request(registration);
				registration.pause("test");
				halted(registration);
				registration.resume();
			}
		}
		verify();
	}

	@Test
	void noCallBegins_afterAStop_andConcurrencyIsNotExceededByTheNextStart() throws Exception {
		try (Reconcilers reconcilers = reconcilers()) {
			ReconcilerRegistration registration = started(reconcilers);
			for (int i = 0; i < ROUNDS; i++) {
				request(registration);
				reconcilers.stop(Duration.ZERO);
				halted(registration);
				reconcilers.start();
			}
		}
		verify();
	}

	@Test
	void noCallBegins_afterAClose() {
		for (int i = 0; i < ROUNDS; i++) {
			Reconcilers reconcilers = reconcilers();
			ReconcilerRegistration registration = started(reconcilers);
			await().pollDelay(Duration.ZERO).until(registration::hasSynced);
			request(registration);
			reconcilers.close();
			halted(registration);
			await().pollDelay(Duration.ZERO).until(() -> this.running.get() == 0);
		}
		verify();
	}

	/**
	 * Require that no call begins for a while. One that has begun may not have come to
	 * its first statement.
	 */
	private void halted(ReconcilerRegistration registration) {
		List<String> begun = registration.calls().stream().map(ReconcilerRegistration.Running::key).toList();
		this.late.clear();
		this.halted = true;
		spin();
		this.halted = false;
		assertThat(begun).containsAll(this.late);
	}

	private void verify() {
		assertThat(this.calls).hasValueGreaterThan(ROUNDS / 10);
		assertThat(this.most.get()).isLessThanOrEqualTo(CONCURRENCY);
	}

	private Reconcilers reconcilers() {
		return Reconcilers.of(this.factory, ObjectWriter.of(this.factory, "tests"));
	}

	private ReconcilerRegistration started(Reconcilers reconcilers) {
		ReconcilerRegistration registration = reconcilers.add(this.informer, (primary, context) -> {
			if (this.halted) {
				this.late.add("shop/" + primary.getMetadata().getName());
			}
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			try {
				this.calls.incrementAndGet();
				spin();
			}
			finally {
				this.running.decrementAndGet();
			}
			return null;
		}, (options) -> options.concurrency(CONCURRENCY).minInterval(Duration.ZERO));
		reconcilers.start();
		return registration;
	}

	private void request(ReconcilerRegistration registration) {
		for (int i = 0; i < OBJECTS; i++) {
			registration.request("shop", "object-" + i);
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
