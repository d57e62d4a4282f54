/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryPolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.shard.FakeSharding;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for sharded handlers whose slots move while events are being delivered.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ShardedHandlerLossTests {

	private static final RetryPolicy HOURLY = new RetryPolicy(4, Duration.ofHours(1), 1, Duration.ofHours(1),
			Duration.ZERO);

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final FakeSharding sharding = new FakeSharding("me", 4);

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final List<String> interrupted = new CopyOnWriteArrayList<>();

	/** Latches that invocations wait for, by the name of the object. */
	private final Map<String, CountDownLatch> blocked = new ConcurrentHashMap<>();

	private final AtomicInteger failures = new AtomicInteger();

	private final V1Pod own = pod("0-own", 1);

	private final V1Pod other = pod("1-other", 1);

	@AfterEach
	void close() {
		this.blocked.values().forEach(CountDownLatch::countDown);
		this.fixture.close();
		for (int slot = 0; slot < this.sharding.slots(); slot++) {
			assertThat(this.sharding.running(slot)).isZero();
		}
	}

	@Test
	void released_letsTheRunningInvocationEnd() throws Exception {
		this.sharding.acquire(0, 1);
		HandlerRegistration handler = add(1);
		CountDownLatch end = block(this.other);
		this.fixture.distribute(new Added<>(this.other, false));
		await().until(() -> this.sharding.running(1) == 1);
		this.sharding.release(1);
		V1Pod changed = pod("1-other", 2);
		this.fixture.distribute(new Updated<>(this.other, changed, false), new Added<>(this.own, false));
		assertThat(handler.pending()).isEqualTo(2);
		assertThat(this.sharding.running(1)).isEqualTo(1);
		end.countDown();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1", "ADDED 0-own@1");
		assertThat(this.interrupted).isEmpty();
		assertThat(handler.diagnose().held()).isEqualTo(1);
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).last().isEqualTo("UPDATED 1-other@2");
	}

	@Test
	void released_holdsWhatIsReady() throws Exception {
		this.sharding.acquire(0, 1);
		HandlerRegistration handler = add(1);
		CountDownLatch end = block(this.own);
		this.fixture.distribute(new Added<>(this.own, false), new Added<>(this.other, false));
		assertThat(handler.awaitIdle(Duration.ofMillis(20))).isFalse();
		assertThat(handler.pending()).isEqualTo(1);
		this.sharding.release(1);
		assertThat(handler.pending()).isZero();
		assertThat(handler.diagnose().held()).isEqualTo(1);
		end.countDown();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 0-own@1");
	}

	@Test
	void lost_interruptsOnlyInvocationsOfTheSlot() throws Exception {
		this.sharding.acquire(0, 1);
		HandlerRegistration handler = add(2);
		CountDownLatch end = block(this.own);
		block(this.other);
		this.fixture.distribute(new Added<>(this.own, false), new Added<>(this.other, false));
		await().until(() -> handler.invocations().size() == 2);
		List<String> lines = logged(() -> {
			this.sharding.lose(1);
			await().until(() -> this.sharding.running(1) == 0);
		});
		assertThat(lines).singleElement()
			.asString()
			.startsWith("Informer 'pods' lost its slots of group 'shop' and interrupted handler 'handler', "
					+ "which has been busy with ADDED of ns/1-other for ");
		assertThat(this.interrupted).containsExactly("1-other");
		assertThat(this.sharding.running(0)).isEqualTo(1);
		end.countDown();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 0-own@1");
		this.blocked.clear();
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 0-own@1", "ADDED 1-other@1");
		assertThat(this.interrupted).containsExactly("1-other");
	}

	@Test
	void lostDuringLastRetry_isRepeatedNevertheless() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add(1,
				new RetryPolicy(1, Duration.ofHours(1), 1, Duration.ofHours(1), Duration.ZERO));
		this.failures.set(1);
		this.fixture.distribute(new Added<>(this.other, false));
		await().until(() -> handler.diagnose().waitingForRetry() == 1);
		block(this.other);
		handler.retryNow();
		await().until(() -> this.sharding.running(1) == 1);
		this.sharding.lose(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(handler.diagnose().retriesExhausted()).isZero();
		this.blocked.clear();
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
	}

	@Test
	void lostWithoutRetries_isNotRepeatedByTheSameProcess() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add(1, RetryPolicy.NONE);
		block(this.other);
		this.fixture.distribute(new Added<>(this.other, false));
		await().until(() -> this.sharding.running(1) == 1);
		this.sharding.lose(1);
		await().until(() -> this.sharding.running(1) == 0);
		this.blocked.clear();
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).isEmpty();
	}

	@Test
	void expiredBeforeItIsNoticed_beginsNoInvocationAndLosesNothing() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add(1);
		handler.pause();
		this.fixture.distribute(new Added<>(this.other, false));
		this.sharding.expire(1);
		handler.resume();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		this.fixture.distribute(new Added<>(pod("1-late", 1), false));
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).isEmpty();
		assertThat(handler.diagnose().held()).isEqualTo(2);
		this.sharding.lose(1);
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1", "ADDED 1-late@1");
		assertThat(this.fixture.attempts()).containsExactly(1, 1);
	}

	@Test
	void expiredDuringFilter_beginsNoInvocation() throws Exception {
		this.sharding.acquire(1);
		AtomicBoolean expires = new AtomicBoolean(true);
		HandlerRegistration handler = this.fixture.add(this::handle,
				(options) -> options.gate(this.sharding.gate()).filter((pod) -> {
					if (expires.getAndSet(false)) {
						this.sharding.expire(1);
					}
					return true;
				}), List.of());
		this.fixture.start();
		this.fixture.distribute(new Added<>(this.other, false));
		await().untilFalse(expires);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).isEmpty();
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
	}

	@Test
	void acquiredBetweenRefusalAndReturnToTheQueue_isDelivered() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add(1);
		handler.pause();
		this.fixture.distribute(new Added<>(this.other, false));
		assertThat(handler.pending()).isEqualTo(1);
		this.sharding.expire(1);
		AtomicInteger refusals = new AtomicInteger();
		this.sharding.onRefusal(() -> {
			refusals.incrementAndGet();
			this.sharding.acquire(1);
		});
		handler.resume();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
		assertThat(refusals).hasValue(1);
	}

	@Test
	void failedAfterRelease_isHeldAndRetriedOnAcquiring() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add(1, HOURLY);
		this.failures.set(1);
		CountDownLatch end = block(this.other);
		this.fixture.distribute(new Added<>(this.other, false));
		await().until(() -> this.sharding.running(1) == 1);
		this.sharding.release(1);
		end.countDown();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(handler.diagnose().waitingForRetry()).isZero();
		assertThat(handler.diagnose().held()).isEqualTo(1);
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
		assertThat(this.fixture.attempts()).containsExactly(1, 2);
	}

	@Test
	void waitingForRetry_isHeldByRelease() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add(1, HOURLY);
		this.failures.set(1);
		this.fixture.distribute(new Added<>(this.other, false));
		await().until(() -> handler.diagnose().waitingForRetry() == 1);
		this.sharding.release(1);
		assertThat(handler.diagnose().waitingForRetry()).isZero();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(handler.retryNow()).isZero();
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
	}

	@Test
	void retryOnRequestWhileNotOwned_isHeld() throws Exception {
		this.sharding.acquire(1);
		HandlerRegistration handler = add(1, RetryPolicy.NONE);
		this.failures.set(1);
		this.fixture.distribute(new Added<>(this.other, false));
		await().until(() -> handler.diagnose().retriesExhausted() == 1);
		this.sharding.release(1);
		assertThat(handler.retryNow("ns", "1-other")).isTrue();
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(handler.diagnose().held()).isEqualTo(1);
		assertThat(this.calls).isEmpty();
		this.sharding.acquire(1);
		assertThat(handler.awaitIdle(LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED 1-other@1");
	}

	private HandlerRegistration add(int concurrency) {
		return add(concurrency, RetryPolicy.DEFAULT);
	}

	private HandlerRegistration add(int concurrency, RetryPolicy retry) {
		HandlerRegistration handler = this.fixture.add(this::handle,
				(options) -> options.name("handler").concurrency(concurrency).retry(retry).gate(this.sharding.gate()),
				List.of());
		this.fixture.start();
		return handler;
	}

	private CountDownLatch block(V1Pod pod) {
		CountDownLatch latch = new CountDownLatch(1);
		this.blocked.put(pod.getMetadata().getName(), latch);
		return latch;
	}

	private void handle(ResourceEvent<V1Pod> event) throws InterruptedException {
		String name = event.object().getMetadata().getName();
		CountDownLatch latch = this.blocked.get(name);
		if (latch != null) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				this.interrupted.add(name);
				throw ex;
			}
		}
		if (this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			throw new IllegalStateException("for the test");
		}
		this.calls.add(event.type() + " " + name + "@" + event.object().getMetadata().getResourceVersion());
	}

	private static List<String> logged(Runnable action) {
		Logger logger = (Logger) LoggerFactory.getLogger(SharedIndexInformer.class);
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		try {
			action.run();
			return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
		}
		finally {
			logger.detachAppender(lines);
		}
	}

}
