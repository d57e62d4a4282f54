/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import dev.informer.leader.FakeLeadership;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for handlers that are invoked only by the leader.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class LeaderOnlyHandlerTests {

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final FakeLeadership leadership = new FakeLeadership();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.fixture.close();
		assertThat(this.leadership.running()).isZero();
	}

	@Test
	void notLeader_keepsTheLatestStatePerObject() throws Exception {
		HandlerRegistration handler = add();
		V1Pod first = pod("1", "one");
		V1Pod second = pod("2", "two");
		this.fixture.distribute(new ResourceEvent.Added<>(first, false),
				new ResourceEvent.Updated<>(first, pod("1", "one-b"), false), new ResourceEvent.Added<>(second, false),
				new ResourceEvent.Deleted<>(second, second, false));
		assertThat(handler.pending()).isEqualTo(1);
		assertThat(this.calls).isEmpty();
		this.leadership.acquire();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED one-b");
	}

	@Test
	void lostAndAcquiredAgain_deliversTheDifference() throws Exception {
		this.leadership.acquire();
		HandlerRegistration handler = add();
		V1Pod first = pod("1", "one");
		V1Pod second = pod("2", "two");
		this.fixture.distribute(new ResourceEvent.Added<>(first, false), new ResourceEvent.Added<>(second, false));
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		this.leadership.lose();
		V1Pod changed = pod("1", "one-b");
		this.fixture.distribute(new ResourceEvent.Updated<>(first, changed, false),
				new ResourceEvent.Deleted<>(second, second, false));
		assertThat(handler.awaitIdle(Duration.ofMillis(50))).isFalse();
		this.leadership.acquire();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED one", "ADDED two", "UPDATED one-b", "DELETED two");
	}

	@Test
	void expiredBeforeItIsNoticed_beginsNoInvocationAndLosesNothing() throws Exception {
		this.leadership.acquire();
		HandlerRegistration handler = add();
		this.leadership.expire();
		this.fixture.distribute(new ResourceEvent.Added<>(pod("1", "one"), false));
		assertThat(handler.awaitIdle(Duration.ofMillis(100))).isFalse();
		assertThat(this.calls).isEmpty();
		assertThat(handler.pending()).isEqualTo(1);
		this.leadership.lose();
		this.leadership.acquire();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED one");
		assertThat(this.fixture.attempts()).containsExactly(1);
	}

	@Test
	void renewedAfterRefusal_isInvokedAgain() throws Exception {
		this.leadership.acquire();
		HandlerRegistration handler = add();
		this.leadership.expire();
		this.fixture.distribute(new ResourceEvent.Added<>(pod("1", "one"), false));
		// a pause of the queue has a time, a gate that is closed has none
		await().until(() -> handler.diagnose()
			.causes()
			.stream()
			.anyMatch((cause) -> cause.reason() == Reason.GATE_CLOSED && cause.since() != null));
		this.leadership.renew();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED one");
	}

	@Test
	void expiredDuringFilter_beginsNoInvocation() throws Exception {
		this.leadership.acquire();
		AtomicBoolean expires = new AtomicBoolean(true);
		HandlerRegistration handler = this.fixture.add(this::handle,
				(options) -> options.name("handler").gate(this.leadership.gate()).filter((pod) -> {
					if (expires.getAndSet(false)) {
						this.leadership.expire();
					}
					return true;
				}), List.of());
		this.fixture.start();
		this.fixture.distribute(new ResourceEvent.Added<>(pod("1", "one"), false));
		await().untilFalse(expires);
		assertThat(handler.awaitIdle(Duration.ofMillis(50))).isFalse();
		assertThat(this.calls).isEmpty();
		this.leadership.acquire();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED one");
	}

	@Test
	void lost_interruptsRunningInvocationWhichIsRepeated() throws Exception {
		this.leadership.acquire();
		CountDownLatch running = new CountDownLatch(1);
		AtomicBoolean first = new AtomicBoolean(true);
		HandlerRegistration handler = this.fixture.add((event) -> {
			if (first.getAndSet(false)) {
				running.countDown();
				new CountDownLatch(1).await();
			}
			handle(event);
		}, (options) -> options.name("handler").gate(this.leadership.gate()), List.of());
		this.fixture.start();
		this.fixture.distribute(new ResourceEvent.Added<>(pod("1", "one"), false));
		running.await();
		assertThat(this.leadership.running()).isEqualTo(1);
		this.leadership.lose();
		await().until(() -> this.leadership.running() == 0);
		assertThat(handler.awaitIdle(Duration.ofMillis(50))).isFalse();
		this.leadership.acquire();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED one");
	}

	@Test
	void lostWithoutRetries_isNotRepeatedByTheSameProcess() throws Exception {
		this.leadership.acquire();
		CountDownLatch running = new CountDownLatch(1);
		HandlerRegistration handler = this.fixture.add((event) -> {
			handle(event);
			running.countDown();
			new CountDownLatch(1).await();
		}, (options) -> options.name("handler").retry(RetryPolicy.NONE).gate(this.leadership.gate()), List.of());
		this.fixture.start();
		this.fixture.distribute(new ResourceEvent.Added<>(pod("1", "one"), false));
		running.await();
		this.leadership.lose();
		await().until(() -> this.leadership.running() == 0);
		this.leadership.acquire();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED one");
	}

	@Test
	void pausedOnRequest_isNotResumedByTheLeadership() throws Exception {
		HandlerRegistration handler = add();
		this.fixture.distribute(new ResourceEvent.Added<>(pod("1", "one"), false));
		handler.pause();
		this.leadership.acquire();
		assertThat(handler.pending()).isEqualTo(1);
		assertThat(this.calls).isEmpty();
		this.leadership.lose();
		handler.resume();
		assertThat(handler.awaitIdle(Duration.ofMillis(50))).isFalse();
		assertThat(this.calls).isEmpty();
		this.leadership.acquire();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		assertThat(this.calls).containsExactly("ADDED one");
	}

	@Test
	void notLeader_isTheReasonInTheDiagnosis() {
		HandlerRegistration handler = add();
		this.fixture.distribute(new ResourceEvent.Added<>(pod("1", "one"), false));
		assertThat(handler.diagnose().causes()).extracting(Cause::reason).contains(Reason.GATE_CLOSED);
		assertThat(handler.diagnose().causes()).extracting(Cause::message)
			.contains("It is leader-only, and no other leader is known");
		this.leadership.observe("shop-2");
		assertThat(handler.diagnose().causes()).extracting(Cause::message)
			.contains("It is leader-only, and the leader is 'shop-2'");
		this.leadership.acquire();
		assertThat(handler.diagnose().causes()).extracting(Cause::reason).doesNotContain(Reason.GATE_CLOSED);
	}

	@Test
	void removed_followsNoMore() {
		HandlerRegistration handler = add();
		assertThat(this.leadership.listeners()).isEqualTo(1);
		handler.remove();
		assertThat(this.leadership.listeners()).isZero();
	}

	@Test
	void closed_followsNoMore() {
		add();
		this.fixture.processor().close();
		assertThat(this.leadership.listeners()).isZero();
	}

	@Test
	void notLeader_isNotDrainedByStop() {
		add();
		this.fixture.distribute(new ResourceEvent.Added<>(pod("1", "one"), false));
		this.fixture.stop(Duration.ofSeconds(30));
		assertThat(this.calls).isEmpty();
	}

	private HandlerRegistration add() {
		HandlerRegistration handler = this.fixture.add(this::handle,
				(options) -> options.name("handler").gate(this.leadership.gate()), List.of());
		this.fixture.start();
		return handler;
	}

	private void handle(ResourceEvent<V1Pod> event) {
		this.calls.add(event.type() + " " + event.object().getMetadata().getLabels().get("state"));
	}

	private static V1Pod pod(String name, String state) {
		V1Pod pod = TestObjects.pod("shop", name);
		pod.getMetadata().uid(name).putLabelsItem("state", state);
		return pod;
	}

}
