/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.HandlerRegistration;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Type;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.TimeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ProcessorListener} with some event types, and for waiting until it is
 * idle.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ProcessorListenerEventTypesTests {

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final List<ResourceEvent<V1Pod>> events = new CopyOnWriteArrayList<>();

	private final V1Pod one = pod("a", 1);

	private final V1Pod two = pod("a", 2);

	private final V1Pod three = pod("a", 3);

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void handlerOfOneType_isInvokedForThatTypeOnly(QueuePolicy policy) throws Exception {
		HandlerRegistration deletions = add(policy, Type.DELETED);
		this.fixture.start();
		deliverOneByOne(deletions, new Added<>(this.one, true), new Updated<>(this.one, this.two),
				new Deleted<>(this.three, this.two, false));
		assertThat(this.events).containsExactly(new Deleted<>(this.three, this.two, false));
		assertThat(this.fixture.attempts()).containsExactly(1);
		assertThat(deletions.hasSynced()).isTrue();
	}

	@ParameterizedTest
	@EnumSource(QueuePolicy.class)
	void previousObject_isStateBefore_thoughItWasNotDelivered(QueuePolicy policy) throws Exception {
		HandlerRegistration updates = add(policy, Type.UPDATED);
		this.fixture.start();
		deliverOneByOne(updates, new Added<>(this.one, true), new Updated<>(this.one, this.two),
				new Updated<>(this.two, this.three));
		assertThat(this.events).containsExactly(new Updated<>(this.one, this.two), new Updated<>(this.two, this.three));
	}

	@ParameterizedTest
	@MethodSource("masks")
	void deletionOfObjectWithFinalizers_isDeliveredUnderEveryMask(QueuePolicy policy, ChangedPart part)
			throws Exception {
		this.one.getMetadata().finalizers(List.of("mine", "other"));
		this.two.getMetadata().finalizers(List.of("mine")).generation(2L);
		V1Pod deleting = pod("a", 4);
		deleting.getMetadata().finalizers(List.of("mine", "last")).deletionTimestamp(OffsetDateTime.MIN);
		V1Pod same = pod("a", 5);
		same.getMetadata().finalizers(List.of("mine", "last")).deletionTimestamp(OffsetDateTime.MIN);
		V1Pod proceeding = pod("a", 6);
		proceeding.getMetadata().finalizers(List.of("mine")).deletionTimestamp(OffsetDateTime.MIN);
		HandlerRegistration handler = this.fixture.add(this.events::add,
				(options) -> options.queue(policy).changes(part), List.of(new Added<>(this.one, true)));
		this.fixture.start();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		deliverOneByOne(handler, new Updated<>(this.one, this.two));
		assertThat(this.events).containsExactly(new Added<>(this.one, true));
		handler.pause();
		this.fixture.distribute(new Updated<>(this.two, this.three), new Updated<>(this.three, deleting));
		handler.resume();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
		deliverOneByOne(handler, new Updated<>(deleting, same), new Updated<>(same, proceeding));
		assertThat(this.events.subList(1, 3)).containsExactly(new Updated<>(this.one, deleting),
				new Updated<>(deleting, proceeding));
		assertThat(this.events).hasSize(3);
	}

	static Stream<Arguments> masks() {
		return Stream.of(QueuePolicy.values())
			.flatMap((policy) -> Stream.of(ChangedPart.values()).map((part) -> Arguments.of(policy, part)));
	}

	@Test
	void awaitIdle_waitsForRunningInvocation() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch mayEnd = new CountDownLatch(1);
		HandlerRegistration handler = this.fixture.add((event) -> {
			running.countDown();
			mayEnd.await();
		}, (options) -> {
		}, List.of(new Added<>(this.one, true)));
		assertThat(handler.awaitIdle(Duration.ZERO)).isFalse();
		this.fixture.start();
		running.await();
		assertThat(handler.pending()).isZero();
		assertThat(handler.awaitIdle(Duration.ofMillis(1))).isFalse();
		mayEnd.countDown();
		assertThat(handler.awaitIdle(HandlerFixture.LONG)).isTrue();
	}

	@Test
	void noEventType_isRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new HandlerOptions.Builder<V1Pod>().on().build())
			.withMessageContaining("event types of a handler must not be empty");
	}

	private HandlerRegistration add(QueuePolicy policy, Type type) {
		return this.fixture.add(this.events::add, (options) -> options.queue(policy).on(type), List.of());
	}

	@SafeVarargs
	private void deliverOneByOne(HandlerRegistration registration, ResourceEvent<V1Pod>... events)
			throws InterruptedException {
		for (ResourceEvent<V1Pod> event : events) {
			this.fixture.distribute(event);
			assertThat(registration.awaitIdle(HandlerFixture.LONG)).isTrue();
		}
	}

}
