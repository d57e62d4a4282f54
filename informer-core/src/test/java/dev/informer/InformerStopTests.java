/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerState.Phase;
import dev.informer.testing.EmbeddedConfigMaps;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for stop, restart and close of informers, over HTTP against the embedded API
 * server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class InformerStopTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedConfigMaps maps = new EmbeddedConfigMaps();

	private final InformerFactory informers = this.maps.informers();

	@AfterEach
	void close() {
		this.maps.close();
	}

	@Test
	void restart_deliversDifferencesOnly() throws Exception {
		this.maps.create("shop", "same", "1");
		this.maps.create("shop", "gone", "1");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.maps.startAndSync();
		this.maps.awaitAgreement(informer, log);
		for (int cycle = 1; cycle <= 3; cycle++) {
			informer.stop(LONG);
			assertThat(NoThreadLeft.informerThreads()).isEmpty();
			assertThat(informer.state().phase()).isEqualTo(Phase.STOPPED);
			assertThat(informer.lister().list()).isNotEmpty();
			log.clear();
			this.maps.create("shop", "new" + cycle, "1");
			if (cycle == 1) {
				this.maps.delete("shop", "gone");
			}
			informer.start();
			informer.start();
			this.maps.awaitAgreement(informer, log);
			assertThat(log.story()).containsExactlyInAnyOrderElementsOf(
					(cycle == 1) ? List.of("DELETED shop/gone", "ADDED shop/new1") : List.of("ADDED shop/new" + cycle));
		}
	}

	@Test
	void stop_drainsPendingEventsAndKeepsTheRest() throws Exception {
		this.maps.create("shop", "a", "1");
		this.maps.create("shop", "b", "1");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch never = new CountDownLatch(1);
		List<String> delivered = new CopyOnWriteArrayList<>();
		HandlerRegistration registration = informer.addHandler((event) -> {
			delivered.add(event.object().getMetadata().getName());
			if (delivered.size() == 1) {
				called.countDown();
				never.await();
			}
		});
		this.maps.startAndSync();
		called.await();
		informer.stop(Duration.ofMillis(50));
		assertThat(delivered).hasSize(1);
		assertThat(registration.pending()).isEqualTo(2);
		informer.start();
		await().untilAsserted(() -> assertThat(delivered).hasSize(3).contains("a", "b"));
		assertThat(registration.awaitSynced(LONG)).isTrue();
	}

	@Test
	void close_withHandlerThatIgnoresInterrupts_doesNotBlock() throws Exception {
		this.maps.create("shop", "a", "1");
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		this.maps.informer().addHandler((event) -> {
			called.countDown();
			boolean released = false;
			while (!released) {
				try {
					released = release.await(1, TimeUnit.MINUTES);
				}
				catch (InterruptedException ex) {
					// that is the test
				}
			}
		});
		this.maps.startAndSync();
		called.await();
		this.informers.close();
		assertThat(NoThreadLeft.informerThreads()).singleElement().asString().contains("configmaps-handler");
		release.countDown();
	}

	@Test
	void close_isFinal() {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		this.informers.close();
		assertThatIllegalStateException().isThrownBy(informer::start).withMessageContaining("'configmaps'");
		assertThatIllegalStateException().isThrownBy(() -> informer.addHandler(new EventLog<>()))
			.withMessageContaining("closed");
	}

}
