/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.informer.InformerFailure.Kind;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.testing.EmbeddedConfigMaps;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the handlers of an informer, over HTTP against the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class HandlerRegistrationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedConfigMaps maps = new EmbeddedConfigMaps();

	private final EmbeddedKubernetes kubernetes = this.maps.kubernetes();

	@AfterEach
	void close() {
		this.maps.close();
	}

	@Test
	void handlerAddedLate_receivesInitialListAndLaterEvents() throws Exception {
		this.maps.create("shop", "a", "1");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		this.maps.startAndSync();
		EventLog<V1ConfigMap> late = new EventLog<>();
		HandlerRegistration registration = informer.addHandler(late);
		assertThat(registration.awaitSynced(LONG)).isTrue();
		this.maps.change("shop", "a", "2");
		late.awaitStory("ADDED shop/a", "UPDATED shop/a");
		assertThat(late.problems()).isEmpty();
	}

	@Test
	void removedHandler_receivesNothing() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		EventLog<V1ConfigMap> removed = new EventLog<>();
		EventLog<V1ConfigMap> staying = new EventLog<>();
		HandlerRegistration registration = informer.addHandler(removed);
		informer.addHandler(staying);
		this.maps.startAndSync();
		registration.remove();
		registration.remove();
		this.maps.create("shop", "a", "1");
		staying.awaitStory("ADDED shop/a");
		assertThat(removed.events()).isEmpty();
		assertThat(informer.handlers()).hasSize(1);
	}

	@Test
	void handlers_areIsolatedFromOneThatBlocksAndOneThatThrows() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		CountDownLatch release = new CountDownLatch(1);
		EventLog<V1ConfigMap> blocked = new EventLog<>() {
			@Override
			public void handle(ResourceEvent<V1ConfigMap> event) throws Exception {
				release.await();
				super.handle(event);
			}
		};
		EventLog<V1ConfigMap> fine = new EventLog<>();
		HandlerRegistration registration = informer.addHandler(blocked, (options) -> options.name("blocked"));
		informer.addHandler((event) -> {
			throw new IllegalStateException("for the test");
		}, (options) -> options.name("throwing"));
		informer.addHandler(fine);
		this.maps.startAndSync();
		this.maps.create("shop", "a", "1");
		this.maps.change("shop", "a", "2");
		this.maps.change("shop", "a", "3");
		await().untilAsserted(() -> assertThat(fine.replay()).isEqualTo(this.maps.versions()));
		assertThat(registration.pending()).isLessThanOrEqualTo(1);
		assertThat(blocked.events()).isEmpty();
		release.countDown();
		await().untilAsserted(() -> assertThat(blocked.replay()).isEqualTo(this.maps.versions()));
		assertThat(blocked.problems()).isEmpty();
		await().untilAsserted(() -> assertThat(this.maps.recorder().failures()).anySatisfy((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.HANDLER);
			assertThat(failure.message()).contains("'throwing'", "shop/a");
		}));
	}

	@Test
	void handlerWithKeepAll_receivesEveryEvent() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		CountDownLatch release = new CountDownLatch(1);
		EventLog<V1ConfigMap> log = new EventLog<>() {
			@Override
			public void handle(ResourceEvent<V1ConfigMap> event) throws Exception {
				release.await();
				super.handle(event);
			}
		};
		informer.addHandler(log, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		this.maps.startAndSync();
		this.maps.create("shop", "a", "1");
		this.maps.change("shop", "a", "2");
		this.maps.delete("shop", "a");
		await().until(() -> informer.lister().size() == 0
				&& informer.lastSyncResourceVersion().equals(Long.toString(this.kubernetes.resourceVersion())));
		release.countDown();
		log.awaitStory("ADDED shop/a", "UPDATED shop/a", "DELETED shop/a");
	}

	@Test
	void handlerNameInUse_isRejected() {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		informer.addHandler(new EventLog<>(), (options) -> options.name("audit"));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> informer.addHandler(new EventLog<>(), (options) -> options.name("audit")))
			.withMessageContaining("'audit'");
	}

	@Test
	void resync_reachesHandlersThatAreDue() throws Exception {
		FakeTime time = FakeTime.manual();
		try (EmbeddedConfigMaps resynced = new EmbeddedConfigMaps(time)) {
			resynced.create("shop", "a", "1");
			SharedIndexInformer<V1ConfigMap> informer = resynced.informer();
			EventLog<V1ConfigMap> never = new EventLog<>();
			EventLog<V1ConfigMap> often = new EventLog<>();
			EventLog<V1ConfigMap> seldom = new EventLog<>();
			informer.addHandler(never);
			informer.addHandler(often, (options) -> options.resyncPeriod(Duration.ofSeconds(2)));
			informer.addHandler(seldom, (options) -> options.resyncPeriod(Duration.ofSeconds(3)));
			resynced.startAndSync();
			for (EventLog<V1ConfigMap> log : List.of(never, often, seldom)) {
				log.awaitStory("ADDED shop/a");
			}
			for (int second = 1; second <= 6; second++) {
				time.advance(Duration.ofSeconds(1));
				int expectedOften = 1 + second / 2;
				int expectedSeldom = 1 + second / 3;
				await().untilAsserted(() -> {
					assertThat(often.events()).hasSize(expectedOften);
					assertThat(seldom.events()).hasSize(expectedSeldom);
				});
			}
			assertThat(often.events()).last().satisfies((event) -> assertThat(event.resync()).isTrue());
			assertThat(never.events()).hasSize(1);
		}
	}

}
