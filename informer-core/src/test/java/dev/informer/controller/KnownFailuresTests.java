/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.informer.InformerEvent;
import dev.informer.InformerFactorySettings;
import dev.informer.InformerOptions;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Cancellation;
import dev.informer.client.ListPage;
import dev.informer.client.ListRequest;
import dev.informer.client.ListSink;
import dev.informer.client.ListerWatcher;
import dev.informer.client.ObjectLookup;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.testing.EventLog;
import dev.informer.testing.FakeSource;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is known to fail in the informers of the official client, which
 * {@link ClientJavaTests} shows by tests that begin alike.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class KnownFailuresTests {

	private final FakeSource source = new FakeSource();

	private final FakeTime time = FakeTime.autoAdvancingUpTo();

	private final EventLog<V1Pod> log = new EventLog<>();

	private @Nullable SharedIndexInformer<V1Pod> informer;

	@AfterEach
	void close() {
		if (this.informer != null) {
			this.informer.close();
		}
	}

	@Test
	void noResyncRequested_isNotResynced() {
		FakeTime standing = FakeTime.manual();
		SharedIndexInformer<V1Pod> resynced = informer((settings) -> settings.time(standing));
		EventLog<V1Pod> other = new EventLog<>();
		resynced.addHandler(this.log, (options) -> options.name("never"));
		resynced.addHandler(other, (options) -> options.name("often").resyncPeriod(Duration.ofSeconds(1)));
		this.source.put("a");
		start(resynced);
		for (int i = 1; i <= 5; i++) {
			int updates = i;
			standing.advance(Duration.ofSeconds(1));
			await().untilAsserted(() -> assertThat(other.story()).hasSize(1 + updates));
		}
		assertThat(this.log.story()).containsExactly("ADDED ns/a");
	}

	@Test
	void relistsWithResyncOn_loseNoObject() {
		SharedIndexInformer<V1Pod> relisted = informer();
		relisted.addHandler(this.log, (options) -> options.resyncPeriod(Duration.ofMinutes(10)));
		start(relisted);
		for (int i = 1; i <= 15; i++) {
			this.source.compactAndBreakWatches();
			this.source.put("new" + i);
			this.source.compactAndBreakWatches();
			this.time.advance(Duration.ofMinutes(11));
			int objects = i;
			await().until(() -> this.log.replay().size() == objects);
		}
		assertThat(this.log.replay()).isEqualTo(this.source.versions());
		assertThat(this.log.problems()).isEmpty();
	}

	@Test
	void handlerAddedDuringDeletion_getsNoAddAfterDelete() {
		SharedIndexInformer<V1Pod> raced = informer();
		this.source.put("a");
		start(raced);
		List<EventLog<V1Pod>> logs = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			EventLog<V1Pod> late = new EventLog<>();
			logs.add(late);
			this.source.delete("a");
			var registration = raced.addHandler(late, (options) -> options.queue(QueuePolicy.KEEP_ALL));
			this.source.put("a");
			if (i % 3 > 0) {
				registration.remove();
			}
		}
		List<EventLog<V1Pod>> staying = IntStream.range(0, 100).mapToObj((i) -> logs.get(3 * i)).toList();
		await().untilAsserted(() -> assertThat(staying)
			.allSatisfy((late) -> assertThat(late.replay()).isEqualTo(this.source.versions())));
		assertThat(logs).allSatisfy((late) -> {
			assertThat(late.problems()).isEmpty();
			assertThat(late.events()).allSatisfy((event) -> assertThat(event.type() == ResourceEvent.Type.ADDED)
				.isEqualTo(event.previous() == null));
		});
	}

	@Test
	void deletionFoundByRelist_removesObject() {
		SharedIndexInformer<V1Pod> relisted = informer();
		relisted.addHandler(this.log);
		this.source.put("a");
		this.source.put("b");
		start(relisted);
		await().until(() -> this.log.replay().size() == 2);
		this.source.compactAndBreakWatches();
		this.source.delete("a");
		this.source.compactAndBreakWatches();
		await().until(() -> relisted.lister().size() == 1);
		await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.source.versions()));
		assertThat(this.log.story()).endsWith("DELETED ns/a");
	}

	@Test
	void watchesEndAtOnce_takeMinutesOfBackoff() {
		EndingAtOnce ending = new EndingAtOnce();
		FakeTime leaping = FakeTime.autoAdvancing();
		List<Thread> threads = new ArrayList<>();
		SharedIndexInformer<V1Pod> looping = FakeInformers.pods(ending, InformerOptions.DEFAULT,
				(settings) -> settings.time(leaping).threadFactory((task) -> new Thread(task) {

					@Override
					public void start() {
						threads.add(this);
					}

				}));
		this.informer = looping;
		ending.atEnd = looping::close;
		looping.start();
		threads.stream().filter((thread) -> thread.getName().endsWith("-reflector")).forEach(Thread::run);
		assertThat(ending.watches).hasValue(5000);
		assertThat(Duration.ofNanos(leaping.nanoTime())).isGreaterThan(Duration.ofHours(10));
	}

	@Test
	void indexFunctionThrows_losesNoEvent() {
		SharedIndexInformer<V1Pod> indexed = informer();
		indexed.addIndex("bad", (pod) -> {
			if ("bad".equals(pod.getMetadata().getName())) {
				throw new IllegalStateException("for the test");
			}
			return "good";
		});
		indexed.addHandler(this.log);
		this.source.put("a");
		start(indexed);
		this.source.put("bad");
		this.source.put("c");
		this.source.put("bad");
		await().untilAsserted(() -> assertThat(this.log.replay()).isEqualTo(this.source.versions()));
		assertThat(indexed.lister().get("ns", "bad")).isPresent();
		assertThat(indexed.lister().byIndex("bad", "good")).hasSize(2);
	}

	@Test
	void objectOnlyQueuedWhenRelistLacksIt_isAddedAndDeleted() {
		AtomicBoolean held = new AtomicBoolean();
		CountDownLatch holding = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		SharedIndexInformer<V1Pod> relisted = informer((settings) -> settings.addListener((event) -> {
			if (event instanceof InformerEvent.CacheChanged) {
				if (held.compareAndSet(true, false)) {
					holding.countDown();
					awaitLatch(released);
				}
			}
		}));
		relisted.addHandler(this.log, (options) -> options.queue(QueuePolicy.KEEP_ALL));
		start(relisted);
		held.set(true);
		this.source.put("first");
		awaitLatch(holding);
		this.source.put("queued");
		await().until(() -> relisted.queueDepth() == 1);
		int requests = this.source.requests().size();
		this.source.compactAndBreakWatches();
		this.source.delete("queued");
		this.source.compactAndBreakWatches();
		await().until(() -> this.source.requests().size() >= requests + 2 && this.source.isQuiet());
		released.countDown();
		await().untilAsserted(() -> assertThat(this.log.story()).containsExactly("ADDED ns/first", "ADDED ns/queued",
				"DELETED ns/queued"));
		assertThat(this.log.problems()).isEmpty();
		assertThat(this.log.replay()).isEqualTo(this.source.versions());
	}

	private SharedIndexInformer<V1Pod> informer() {
		return informer((settings) -> {
		});
	}

	private SharedIndexInformer<V1Pod> informer(Consumer<InformerFactorySettings> more) {
		SharedIndexInformer<V1Pod> created = FakeInformers.pods(this.source, InformerOptions.DEFAULT, (settings) -> {
			settings.time(this.time);
			more.accept(settings);
		});
		this.informer = created;
		return created;
	}

	private void start(SharedIndexInformer<V1Pod> started) {
		started.start();
		await().until(() -> started.hasSynced() && this.source.isQuiet());
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * An empty server whose watches end as soon as they are open.
	 */
	private static final class EndingAtOnce implements ListerWatcher<V1Pod> {

		private final AtomicInteger watches = new AtomicInteger();

		private Runnable atEnd = () -> {
		};

		@Override
		public ListPage list(ListRequest request, ListSink<V1Pod> sink, Cancellation cancellation) {
			return new ListPage("1", null);
		}

		@Override
		public WatchStream<V1Pod> watch(WatchRequest request, ObjectLookup<V1Pod> known, Cancellation cancellation)
				throws IOException {
			if (this.watches.incrementAndGet() == 5000) {
				this.atEnd.run();
			}
			return new WatchStream<>() {

				@Override
				public @Nullable WatchEvent<V1Pod> next() {
					return null;
				}

				@Override
				public void idleTimeout(Duration limit) {
				}

				@Override
				public void close() {
				}

			};
		}

	}

}
