/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sync of {@link ProcessorListener}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ProcessorListenerSyncTests {

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final List<String> log = new CopyOnWriteArrayList<>();

	private final Semaphore mayReturn = new Semaphore(0);

	@AfterEach
	void close() {
		this.mayReturn.release(100);
		this.fixture.close();
	}

	@Test
	void whenSynced_runsAfterLastAddOfInitialList_onThreadOfHandler() {
		HandlerRegistration registration = this.fixture.add(this::handle, (options) -> options.name("audit"),
				initialList("a", "b"));
		registration.whenSynced(() -> this.log.add("synced in " + Thread.currentThread().getName()));
		this.fixture.start();
		this.mayReturn.release();
		await().until(() -> this.log.equals(List.of("a")));
		this.fixture.distribute(new Added<>(pod("c", 3), false));
		this.mayReturn.release(2);
		await().untilAsserted(
				() -> assertThat(this.log).containsExactly("a", "b", "synced in informer-pods-handler-audit", "c"));
	}

	@Test
	void whenSynced_afterSync_runsAtOnceAndOnce() {
		HandlerRegistration registration = this.fixture.add(this::handle, (options) -> {
		}, List.of());
		this.fixture.start();
		assertThat(registration.hasSynced()).isTrue();
		registration.whenSynced(() -> this.log.add("one"));
		await().until(() -> this.log.equals(List.of("one")));
		registration.whenSynced(() -> this.log.add("two"));
		await().until(() -> this.log.equals(List.of("one", "two")));
	}

	@Test
	void whenSyncedThatThrows_doesNotEndThread() {
		HandlerRegistration registration = this.fixture.add(this::handle, (options) -> {
		}, List.of());
		registration.whenSynced(() -> {
			throw new AssertionError("for the test");
		});
		registration.whenSynced(() -> this.log.add("next"));
		this.fixture.start();
		await().until(() -> this.log.equals(List.of("next")));
		this.mayReturn.release();
		this.fixture.distribute(new Added<>(pod("a", 1), false));
		await().until(() -> this.log.equals(List.of("next", "a")));
	}

	@Test
	void handlerThatThrows_syncsWhenRetriesAreExhausted() throws Exception {
		HandlerRegistration registration = this.fixture.add((event) -> {
			throw new IllegalStateException("for the test");
		}, (options) -> options.retry(RetryPolicy.NONE), initialList("a", "b"));
		registration.whenSynced(() -> this.log.add("synced"));
		this.fixture.start();
		assertThat(registration.awaitSynced(HandlerFixture.LONG)).isTrue();
		await().until(() -> this.log.equals(List.of("synced")));
		assertThat(this.fixture.failures()).hasSize(2);
	}

	@Test
	void addCancelledByDeletion_countsAsDelivered() {
		HandlerRegistration registration = this.fixture.add(this::handle, (options) -> {
		}, initialList("a", "b"));
		V1Pod gone = initialList("b").get(0).object();
		registration.whenSynced(() -> this.log.add("synced"));
		this.fixture.distribute(new Deleted<>(gone, gone, false));
		this.fixture.start();
		this.mayReturn.release();
		await().until(() -> this.log.equals(List.of("a", "synced")));
	}

	@Test
	void removedBeforeSync_neverSyncs() throws Exception {
		HandlerRegistration registration = this.fixture.add(this::handle, (options) -> {
		}, initialList("a", "b"));
		registration.whenSynced(() -> this.log.add("synced"));
		this.fixture.start();
		await().until(() -> this.mayReturn.hasQueuedThreads());
		registration.remove();
		registration.whenSynced(() -> this.log.add("synced"));
		this.mayReturn.release();
		assertThat(registration.remove(HandlerFixture.LONG)).isTrue();
		assertThat(registration.hasSynced()).isFalse();
		assertThat(this.log).containsExactly("a");
	}

	private void handle(ResourceEvent<V1Pod> event) throws InterruptedException {
		this.mayReturn.acquire();
		this.log.add(event.object().getMetadata().getName());
	}

	private static List<ResourceEvent<V1Pod>> initialList(String... names) {
		return Stream.of(names).<ResourceEvent<V1Pod>>map((name) -> new Added<>(pod(name, 1), true)).toList();
	}

}
