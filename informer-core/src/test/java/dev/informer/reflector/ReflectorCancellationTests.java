/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerOptions;
import dev.informer.InformerState.Phase;
import dev.informer.client.ListPage;
import dev.informer.client.ObjectLookup;
import dev.informer.client.ObjectState;
import dev.informer.client.TimeSource;
import dev.informer.reflector.BlockingSource.Block;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for stop and relist of a {@link Reflector} in every blocking call. A backoff
 * takes an hour here.
 */
@Timeout(120)
class ReflectorCancellationTests {

	private final BlockingSource source = new BlockingSource();

	private final Recorder recorder = new Recorder();

	private final List<Reflector<V1Pod>> reflectors = new ArrayList<>();

	private @Nullable Thread thread;

	/**
	 * End the thread of a test that failed before it stopped the reflector. An interrupt
	 * alone would not: only a stop ends a reflector. A step of the script may wait for
	 * the test, which the interrupt ends.
	 */
	@AfterEach
	void end() throws InterruptedException {
		this.reflectors.forEach(Reflector::stop);
		if (this.thread != null) {
			this.thread.interrupt();
			awaitEnd();
		}
	}

	@ParameterizedTest
	@EnumSource
	void testThatDoesNotStopTheReflector_leavesNoThread(Block block) throws Exception {
		Reflector<V1Pod> reflector = reflector(block.streaming);
		this.source.block = block;
		this.source.script.list(10, pod("a", 1)).list((request, sink) -> {
			awaitLatch(new CountDownLatch(1));
			return new ListPage("10", null);
		});
		start(reflector);
		if (block != Block.NOTHING) {
			assertThat(this.source.blocked.await(60, TimeUnit.SECONDS)).isTrue();
		}
		end();
		assertThat(reflector.state().phase()).isEqualTo(Phase.STOPPED);
	}

	@Test
	void stoppedBeforeRun_requestsNothing() {
		Reflector<V1Pod> reflector = reflector(false);
		reflector.stop();
		reflector.run();
		assertThat(this.source.script.requests()).isEmpty();
		assertThat(reflector.state().phase()).isEqualTo(Phase.STOPPED);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
	void stoppedInBlockingCall_returnsAtOnce(Block block) throws Exception {
		Reflector<V1Pod> reflector = reflector(block.streaming);
		this.source.block = block;
		this.source.script.list(10, pod("a", 1)).list(20);
		start(reflector);
		assertThat(this.source.blocked.await(60, TimeUnit.SECONDS)).isTrue();
		reflector.stop();
		awaitEnd();
		assertThat(reflector.state().phase()).isEqualTo(Phase.STOPPED);
		assertThat(this.recorder.failures).isEmpty();
		assertThat(this.recorder.calls).isEqualTo(block.calls);
		assertThat(this.recorder.ends).hasSameElementsAs(block.opened ? List.of(WatchEnd.STOPPED) : List.of());
	}

	@Test
	void stoppedDuringBackoff_returnsAtOnce() throws Exception {
		Reflector<V1Pod> reflector = reflector(false);
		CountDownLatch failed = new CountDownLatch(1);
		this.source.script.list((request, sink) -> {
			failed.countDown();
			throw new IOException("for the test");
		});
		start(reflector);
		assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
		reflector.stop();
		awaitEnd();
		assertThat(this.source.script.requests()).hasSize(1);
	}

	@Test
	void stoppedBetweenTwoWatches_opensNoWatch() {
		Reflector<V1Pod> reflector = reflector(false);
		this.source.block = Block.NOTHING;
		this.source.script.list(10).watch(() -> {
			reflector.stop();
			return this.source.script.events(ScriptedSource.added(pod("a", 11)));
		}).watch(ScriptedSource.bookmark(20));
		reflector.run();
		assertThat(this.source.script.requests()).containsExactly("LIST \"0\" limit 500", "WATCH 10");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void relistRequested_cancelsTheWatchAndLists(boolean byUser) throws Exception {
		Reflector<V1Pod> reflector = reflector(false);
		this.source.block = Block.WATCH;
		V1Pod stored = pod("stored", 1);
		this.source.script.list(10, stored).list((request, sink) -> {
			ObjectLookup.Found<V1Pod> found = sink.find(ObjectState.of(stored));
			sink.accept((found != null) ? Objects.requireNonNull(found.object()) : pod("decoded", 1));
			return new ListPage("10", null);
		});
		start(reflector);
		assertThat(this.source.blocked.await(60, TimeUnit.SECONDS)).isTrue();
		CountDownLatch again = this.source.blockAgain();
		reflector.relist(byUser ? RelistReason.REQUESTED : RelistReason.FAILURE);
		assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
		reflector.stop();
		awaitEnd();
		assertThat(this.source.script.requests()).containsExactly("LIST \"0\" limit 500", "LIST \"10\"");
		assertThat(this.recorder.calls).containsExactly("replace [stored] at 10",
				byUser ? "replace [decoded] at 10 of another epoch" : "replace [stored] at 10");
	}

	@Test
	void relistsRequestedTogether_readOneList() throws Exception {
		Reflector<V1Pod> reflector = reflector(false);
		this.source.block = Block.WATCH;
		CountDownLatch reading = new CountDownLatch(1);
		CountDownLatch mayEnd = new CountDownLatch(1);
		this.source.script.list(10).list((request, sink) -> {
			reading.countDown();
			awaitLatch(mayEnd);
			return new ListPage("10", null);
		}).list(10);
		start(reflector);
		assertThat(this.source.blocked.await(60, TimeUnit.SECONDS)).isTrue();
		CountDownLatch again = this.source.blockAgain();
		assertThat(requestRelists(reflector)).isEqualTo(1);
		assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(requestRelists(reflector)).isZero();
		mayEnd.countDown();
		assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(this.source.script.requests()).containsExactly("LIST \"0\" limit 500", "LIST \"10\"");
		CountDownLatch third = this.source.blockAgain();
		assertThat(reflector.relist(RelistReason.REQUESTED)).isTrue();
		assertThat(third.await(60, TimeUnit.SECONDS)).isTrue();
		reflector.stop();
		awaitEnd();
		assertThat(this.source.script.requests()).hasSize(3);
	}

	/**
	 * Request relists from several threads at the same time.
	 * @return the number of requests after which a new list follows
	 */
	private static int requestRelists(Reflector<V1Pod> reflector) throws InterruptedException {
		AtomicInteger begun = new AtomicInteger();
		CountDownLatch together = new CountDownLatch(1);
		List<Thread> threads = Stream.generate(() -> new Thread(() -> {
			awaitLatch(together);
			if (reflector.relist(RelistReason.REQUESTED)) {
				begun.incrementAndGet();
			}
		})).limit(8).toList();
		threads.forEach(Thread::start);
		together.countDown();
		for (Thread each : threads) {
			each.join();
		}
		return begun.get();
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void relistRequestedDuringTheBackoffOfARequestedRelist_endsTheDelay() throws Exception {
		Reflector<V1Pod> reflector = reflector(false);
		this.source.block = Block.WATCH;
		this.source.script.list(10).list((request, sink) -> {
			throw new IOException("for the test");
		}).list(20);
		start(reflector);
		assertThat(this.source.blocked.await(60, TimeUnit.SECONDS)).isTrue();
		CountDownLatch again = this.source.blockAgain();
		assertThat(reflector.relist(RelistReason.REQUESTED)).isTrue();
		await().until(() -> reflector.state().phase() == Phase.BACKING_OFF);
		assertThat(reflector.relist(RelistReason.REQUESTED)).isTrue();
		assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
		reflector.stop();
		awaitEnd();
		assertThat(this.source.script.requests()).hasSize(3);
	}

	private void start(Reflector<V1Pod> reflector) {
		Thread started = new Thread(reflector, "reflector-under-test");
		this.thread = started;
		started.start();
	}

	private void awaitEnd() throws InterruptedException {
		Thread started = this.thread;
		assertThat(started).isNotNull();
		started.join(Duration.ofSeconds(20).toMillis());
		assertThat(started.isAlive()).isFalse();
	}

	private Reflector<V1Pod> reflector(boolean streaming) {
		Duration hour = Duration.ofHours(1);
		InformerOptions options = new InformerOptions.Builder(InformerOptions.DEFAULT).streamingList(streaming)
			.backoff(new BackoffPolicy(hour, 1, hour, Duration.ZERO, hour))
			.build();
		Reflector<V1Pod> reflector = TestSettings.reflector(TestSettings.of(options), this.source, this.recorder.cache,
				this.recorder::record, TimeSource.SYSTEM, this.recorder);
		this.reflectors.add(reflector);
		return reflector;
	}

}
