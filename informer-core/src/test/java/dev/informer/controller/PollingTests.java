/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Cancellation;
import dev.informer.client.TimeSource;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import dev.informer.work.FollowedCache;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for informers without a watch on a {@link FakeSource}.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class PollingTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final FakeSource source = new FakeSource();

	private final EventLog<V1Pod> log = new EventLog<>();

	private final List<InformerState> states = new CopyOnWriteArrayList<>();

	private final FakeTime time = FakeTime.manual();

	private SharedIndexInformer<V1Pod> informer = informer(this.time, Duration.ofMinutes(1));

	@BeforeEach
	void createObjects() {
		this.source.put("a");
		this.source.put("b");
	}

	@AfterEach
	void close() {
		this.informer.close();
	}

	@Test
	void changesBetweenTwoLists_areDeliveredAsDifferences() throws Exception {
		start();
		this.source.put("a");
		this.source.delete("b");
		this.source.put("c");
		this.time.advance(Duration.ofSeconds(59));
		assertThat(this.source.requests()).hasSize(1);
		poll();
		await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.source.versions()));
		assertThat(this.log.story().subList(2, 5)).containsExactlyInAnyOrder("UPDATED ns/a", "DELETED ns/b",
				"ADDED ns/c");
		poll();
		await().until(() -> this.source.requests().size() == 3);
		assertThat(this.source.requests()).allMatch((request) -> request.startsWith("LIST"));
		assertThat(this.log.story()).hasSize(5);
		assertThat(this.states).extracting(InformerState::phase).containsExactly(Phase.LISTING, Phase.WATCHING);
	}

	@Test
	void failedList_isAFailureUntilOneSucceeds() throws Exception {
		start();
		String version = this.informer.lastSyncResourceVersion();
		this.source.failList(new ConnectException("Connection refused"));
		poll();
		await().until(() -> this.informer.state().phase() == Phase.BACKING_OFF);
		assertThat(this.informer.state().failingSince()).isNotNull();
		assertThat(this.informer.state().failure()).extracting(InformerFailure::message)
			.asString()
			.contains("Cannot list pods");
		assertThat(this.informer.awaitAtLeast(version, Duration.ZERO)).isFalse();
		poll();
		await().until(() -> this.informer.state().phase() == Phase.WATCHING);
		assertThat(this.informer.state().failingSince()).isNull();
		assertThat(this.informer.awaitAtLeast(version, Duration.ZERO)).isTrue();
	}

	@Test
	void requestedRelist_endsTheInterval() throws Exception {
		start();
		this.source.put("c");
		this.informer.relist();
		await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.source.versions()));
	}

	@Test
	void awaitAtLeast_waitsForTheNextList() throws Exception {
		this.informer.close();
		this.informer = informer(TimeSource.SYSTEM, Duration.ofSeconds(1));
		start();
		this.source.put("a");
		assertThat(this.informer.awaitAtLeast(String.valueOf(this.source.version()), LONG)).isTrue();
		assertThat(this.informer.lister().get("ns", "a").orElseThrow().getMetadata().getResourceVersion())
			.isEqualTo(this.source.versions().get("ns/a"));
	}

	@Test
	void waits_endTheInterval_byOneListForAll() throws Exception {
		start();
		this.time.advance(Duration.ofSeconds(5));
		this.source.put("a");
		String version = String.valueOf(this.source.version());
		List<CompletableFuture<Boolean>> waits = IntStream.range(0, 3)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> awaitAtLeast(version)))
			.toList();
		assertThat(waits).allSatisfy((wait) -> assertThat(wait.get(60, TimeUnit.SECONDS)).isTrue());
		assertThat(this.source.requests()).hasSizeBetween(2, 3);
	}

	@Test
	void polls_haveAPace() throws Exception {
		start();
		V1Pod deleted = this.informer.lister().get("ns", "b").orElseThrow();
		this.source.delete("b");
		CompletableFuture<Boolean> wait = CompletableFuture.supplyAsync(() -> awaitDeleted(deleted));
		await().during(Duration.ofMillis(200)).until(() -> this.source.requests().size() == 1);
		this.time.advance(Duration.ofSeconds(5));
		assertThat(wait.get(60, TimeUnit.SECONDS)).isTrue();
		assertThat(this.source.requests()).hasSize(2);
	}

	@Test
	void listOfTheServer_isAPollOfItsMostRecentVersion() throws Exception {
		start();
		this.time.advance(Duration.ofSeconds(5));
		this.source.put("c");
		FollowedCache cache = FollowedCache.of(this.informer);
		long epoch = cache.epoch();
		List<String> keys = new ArrayList<>();
		String version = cache.list("", (state) -> keys.add(String.valueOf(state.key())), new Cancellation());
		assertThat(version).isEqualTo(String.valueOf(this.source.version()));
		assertThat(keys).containsExactlyInAnyOrder("ns/a", "ns/b", "ns/c");
		assertThat(cache.find("ns/c")).isNotNull();
		assertThat(this.source.requests()).hasSize(2);
		assertThat(cache.epoch()).isEqualTo(epoch);
	}

	@Test
	void cancellation_endsTheListOfTheServer() throws Exception {
		start();
		Cancellation cancellation = new Cancellation();
		cancellation.cancel();
		assertThatIOException().isThrownBy(() -> FollowedCache.of(this.informer).list("", (state) -> {
		}, cancellation)).withMessage("informer 'pods' has not listed in time");
	}

	private boolean awaitAtLeast(String version) {
		try {
			return this.informer.awaitAtLeast(version, LONG);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private boolean awaitDeleted(V1Pod pod) {
		try {
			return this.informer.awaitDeleted(pod, LONG);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void stop_endsTheInterval() throws Exception {
		start();
		this.informer.stop(LONG);
		assertThat(this.informer.state().phase()).isEqualTo(Phase.STOPPED);
		this.informer.start();
		await().until(() -> this.informer.state().phase() == Phase.WATCHING);
	}

	private SharedIndexInformer<V1Pod> informer(TimeSource clock, Duration interval) {
		return FakeInformers.pods(this.source,
				new InformerOptions.Builder(InformerOptions.DEFAULT).streamingList(true)
					.watch(false)
					.pollInterval(interval)
					.build(),
				(settings) -> settings.time(clock).addListener((event) -> {
					if (event instanceof InformerEvent.StateChanged changed) {
						this.states.add(changed.state());
					}
				}));
	}

	private void start() throws InterruptedException {
		this.informer.addHandler(this.log);
		this.informer.start();
		await().until(this.informer::hasSynced);
		await().until(() -> this.informer.state().phase() == Phase.WATCHING && this.log.story().size() == 2);
	}

	/**
	 * Let more than the interval and its jitter pass.
	 */
	private void poll() {
		this.time.advance(Duration.ofSeconds(67));
	}

}
