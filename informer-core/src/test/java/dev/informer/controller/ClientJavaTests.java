/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.informer.testing.ClientJavaLog;
import dev.informer.testing.ClientJavaSource;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.EventType;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.DeltaFIFO;
import io.kubernetes.client.informer.impl.DefaultSharedIndexInformer;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Shows seven things that fail in the informers of the official client 27. What is shown
 * of each here to fail is shown of this project's informers to work in
 * {@link KnownFailuresTests}, by a test that begins alike. When one of these tests fails,
 * the official client has been repaired.
 */
@Timeout(120)
class ClientJavaTests {

	private static final Logger logger = (Logger) LoggerFactory.getLogger("io.kubernetes.client");

	private final ClientJavaLog log = new ClientJavaLog();

	private @Nullable DefaultSharedIndexInformer<V1Pod, V1PodList> informer;

	@BeforeAll
	static void keepQuiet() {
		logger.setLevel(Level.OFF);
	}

	@AfterAll
	static void speakAgain() {
		logger.setLevel(null);
	}

	@AfterEach
	void stop() {
		if (this.informer != null) {
			this.informer.stop();
		}
	}

	@Test
	void noResyncRequested_officialClientResyncs() {
		var resynced = informer(ClientJavaSource.of(pod("a", 1)), 1000, new Cache<>());
		resynced.addEventHandlerWithResyncPeriod(this.log, 0);
		resynced.run();
		await().untilAsserted(() -> assertThat(this.log.story()).startsWith("ADDED a", "UPDATED a"));
	}

	@Test
	void relistsWithResyncOn_officialClientLosesObjects() {
		Cache<V1Pod> cache = new Cache<>();
		DeltaFIFO fifo = fifo(cache);
		var relisted = new DefaultSharedIndexInformer<V1Pod, V1PodList>(V1Pod.class, ClientJavaSource.of(pod("a", 1)),
				2000, fifo, cache);
		this.informer = relisted;
		ClientJavaLog early = new ClientJavaLog();
		relisted.addEventHandler(early);
		relisted.run();
		await().untilAsserted(() -> assertThat(early.story()).contains("ADDED a"));
		await().pollDelay(ofMillis(500)).until(() -> true);
		relisted.addEventHandler(this.log);
		await().untilAsserted(() -> assertThat(this.log.story()).contains("ADDED a"));
		await().untilAsserted(() -> assertThat(early.story()).contains("UPDATED a"));
		List<KubernetesObject> objects = new ArrayList<>(List.of(pod("a", 1)));
		for (int i = 1; i <= 15; i++) {
			objects.add(pod("new" + i, i + 1));
			fifo.replace(objects, String.valueOf(i + 1));
		}
		await().until(() -> cache.list().size() == 16);
		await().during(ofMillis(200)).untilAsserted(() -> assertThat(this.log.story()).doesNotContain("ADDED new1"));
	}

	@Test
	void handlerAddedDuringDeletion_officialClientDeliversAddAfterDelete() throws Exception {
		CountDownLatch deleted = new CountDownLatch(1);
		CountDownLatch listed = new CountDownLatch(1);
		Cache<V1Pod> cache = new Cache<>() {

			@Override
			public List<V1Pod> list() {
				List<V1Pod> list = super.list();
				listed.countDown();
				awaitLatch(deleted);
				return list;
			}

		};
		ClientJavaSource source = ClientJavaSource.of(pod("a", 1));
		var raced = informer(source, 0, cache);
		ClientJavaLog early = new ClientJavaLog();
		raced.addEventHandler(early);
		raced.run();
		await().untilAsserted(() -> assertThat(early.story()).containsExactly("ADDED a"));
		Thread adding = new Thread(() -> raced.addEventHandler(this.log));
		adding.start();
		awaitLatch(listed);
		source.send(EventType.DELETED, pod("a", 2));
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("DELETED a"));
		deleted.countDown();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("DELETED a", "ADDED a"));
		adding.join();
	}

	@Test
	void deletionFoundByRelist_officialClientHandsTombstoneToTransform_andKeepsObject() throws Exception {
		Cache<V1Pod> cache = new Cache<>();
		DeltaFIFO fifo = fifo(cache);
		var transformed = new DefaultSharedIndexInformer<V1Pod, V1PodList>(V1Pod.class, ClientJavaSource.of(), 0, fifo,
				cache);
		List<String> given = new ArrayList<>();
		transformed.setTransform((object) -> {
			given.add(object.getClass().getSimpleName());
			return ((V1Pod) object).spec(null);
		});
		fifo.replace(List.of(pod("a", 1), pod("b", 1)), "1");
		fifo.pop(transformed::handleDeltas);
		fifo.pop(transformed::handleDeltas);
		fifo.replace(List.of(pod("b", 1)), "2");
		popQuietly(fifo, transformed);
		popQuietly(fifo, transformed);
		assertThat(given).contains("DeletedFinalStateUnknown");
		assertThat(fifo.listKeys()).isEmpty();
		assertThat(cache.listKeys()).contains("ns/a");
	}

	@Test
	void watchesEndAtOnce_officialClientSendsThousandsOfRequestsASecond() {
		ClientJavaSource source = new ClientJavaSource(true);
		var looping = informer(source, 0, new Cache<>());
		looping.run();
		await().until(() -> source.watches() >= 5000);
	}

	@Test
	void indexFunctionThrows_officialClientLosesEvent() {
		ClientJavaSource source = ClientJavaSource.of(pod("a", 1));
		var indexed = informer(source, 0, new Cache<>());
		indexed.addIndexers(Map.of("bad", (pod) -> {
			if (pod.getMetadata().getName().equals("bad")) {
				throw new IllegalStateException("for the test");
			}
			return List.of();
		}));
		indexed.addEventHandler(this.log);
		indexed.run();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("ADDED a"));
		source.send(EventType.ADDED, pod("bad", 2));
		source.send(EventType.ADDED, pod("c", 3));
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("ADDED a", "ADDED c"));
	}

	@Test
	void objectOnlyQueuedWhenRelistLacksIt_officialClientAddsAndNeverDeletesIt() throws Exception {
		Cache<V1Pod> cache = new Cache<>();
		DeltaFIFO fifo = fifo(cache);
		var relisted = new DefaultSharedIndexInformer<V1Pod, V1PodList>(V1Pod.class, ClientJavaSource.of(), 0, fifo,
				cache);
		fifo.add(pod("a", 1));
		fifo.replace(List.of(pod("b", 2)), "2");
		while (!fifo.listKeys().isEmpty()) {
			fifo.pop(relisted::handleDeltas);
		}
		assertThat(cache.listKeys()).containsExactlyInAnyOrder("ns/a", "ns/b");
	}

	private DefaultSharedIndexInformer<V1Pod, V1PodList> informer(ClientJavaSource source, long resync,
			Cache<V1Pod> cache) {
		var created = new DefaultSharedIndexInformer<V1Pod, V1PodList>(V1Pod.class, source, resync, cache);
		this.informer = created;
		return created;
	}

	private static DeltaFIFO fifo(Cache<V1Pod> cache) {
		Function<KubernetesObject, String> key = (object) -> object.getMetadata().getNamespace() + "/"
				+ object.getMetadata().getName();
		return new DeltaFIFO(key, cache);
	}

	/**
	 * Pop as the official client does, which logs an exception and continues.
	 */
	private static void popQuietly(DeltaFIFO fifo, DefaultSharedIndexInformer<V1Pod, V1PodList> informer)
			throws InterruptedException {
		try {
			fifo.pop(informer::handleDeltas);
		}
		catch (RuntimeException ex) {
			assertThat(ex).hasStackTraceContaining("DeletedFinalStateUnknown");
		}
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
