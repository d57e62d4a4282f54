/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for suspended handlers.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class SuspendedHandlersTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final InformerFactory informers = InformerFactory
		.create(() -> new ApiClient().setBasePath(this.kubernetes.url()), (settings) -> {
		});

	private final SharedIndexInformer<V1Node> nodes = this.informers.informer(V1Node.class);

	private final EventLog<V1Node> log = new EventLog<>();

	private final CountDownLatch called = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private final List<Boolean> interrupts = new CopyOnWriteArrayList<>();

	@BeforeEach
	void createNode() {
		node("a");
	}

	@AfterEach
	void close() {
		this.released.countDown();
		this.informers.close();
		this.kubernetes.close();
	}

	@Test
	void suspend_waitsForInvocationsAndKeepsCacheUpToDate() throws Exception {
		this.nodes.addHandler(this::waitOnce);
		start();
		this.called.await();
		Thread waiting = new Thread(() -> {
			await().until(this.informers::areHandlersSuspended);
			node("b");
			await().until(() -> this.nodes.lister().size() == 2);
			this.released.countDown();
		});
		waiting.start();
		assertThat(this.informers.suspendHandlers(LONG)).isTrue();
		waiting.join();
		assertThat(this.log.story()).containsExactly("ADDED a");
		HandlerRegistration late = this.nodes.addHandler(new EventLog<>());
		node("c");
		await().until(() -> this.nodes.lister().size() == 3 && late.pending() == 3);
		assertThat(this.log.story()).containsExactly("ADDED a");
		this.informers.releaseHandlers();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("ADDED a", "ADDED b", "ADDED c"));
		assertThat(this.interrupts).isEmpty();
	}

	@Test
	void suspend_deliversPendingEvents_thoughAnotherHandlerHangs() throws Exception {
		EventLog<V1Node> slow = new EventLog<>();
		HandlerRegistration hung = this.nodes.addHandler((event) -> this.released.await(),
				(options) -> options.queue(QueuePolicy.KEEP_ALL).retry(RetryPolicy.NONE));
		HandlerRegistration other = this.nodes.addHandler((event) -> {
			this.called.countDown();
			await().until(this.informers::areHandlersSuspended);
			slow.handle(event);
		}, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		for (int i = 0; i < 20; i++) {
			node("n" + i);
		}
		start();
		this.called.await();
		await().until(() -> other.pending() == 20 && hung.pending() == 20);
		assertThat(this.informers.suspendHandlers(Duration.ofSeconds(2))).isFalse();
		assertThat(slow.events()).hasSize(21);
		assertThat(hung.pending()).isEqualTo(20);
	}

	@Test
	void invocationThatExceedsTheTimeout_isInterrupted() throws Exception {
		this.nodes.addHandler(this::waitOnce, (options) -> options.retry(RetryPolicy.NONE));
		start();
		this.called.await();
		assertThat(this.informers.suspendHandlers(Duration.ofMillis(20))).isFalse();
		await().until(() -> this.interrupts.contains(true));
		assertThat(this.informers.suspendHandlers(LONG)).isTrue();
	}

	@Test
	void stopWhileSuspended_keepsEventsForNextStart() throws Exception {
		HandlerRegistration registration = this.nodes.addHandler(this.log);
		start();
		await().until(registration::hasSynced);
		assertThat(this.informers.suspendHandlers(LONG)).isTrue();
		node("b");
		await().until(() -> registration.pending() == 1);
		this.informers.stop(LONG);
		assertThat(registration.pending()).isEqualTo(1);
		assertThat(this.log.story()).containsExactly("ADDED a");
		this.kubernetes.delete("nodes", null, "a");
		this.informers.holdHandlers(this.informers.informers());
		this.informers.start();
		await().untilAsserted(
				() -> assertThat(this.log.story()).containsExactlyInAnyOrder("ADDED a", "ADDED b", "DELETED a"));
	}

	@Test
	void suspendInHandler_doesNotWaitForItself() throws Exception {
		List<Boolean> idle = new CopyOnWriteArrayList<>();
		this.nodes.addHandler((event) -> idle.add(this.informers.suspendHandlers(LONG)));
		start();
		await().untilAsserted(() -> assertThat(idle).containsExactly(true));
	}

	private void start() throws InterruptedException {
		this.informers.start();
		assertThat(this.informers.awaitSynced(LONG)).isTrue();
	}

	private void waitOnce(ResourceEvent<V1Node> event) throws Exception {
		this.called.countDown();
		try {
			this.released.await();
		}
		catch (InterruptedException ex) {
			this.interrupts.add(true);
			throw ex;
		}
		this.log.handle(event);
	}

	private void node(String name) {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Node", "metadata", Map.of("name", name)));
	}

}
