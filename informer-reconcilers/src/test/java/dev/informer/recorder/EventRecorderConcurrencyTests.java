/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;

import dev.informer.recorder.FakeEventServer.Request;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.FakeTime;
import dev.informer.testing.NoThreadLeft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventRecorder} in several threads, with a server that fails at random.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class EventRecorderConcurrencyTests {

	private static final int THREADS = 4;

	private static final int CALLS = 500;

	private final FakeTime time = FakeTime.autoAdvancing();

	private final FakeEventServer server = new FakeEventServer(this.time);

	private final EventRecorder recorder = new DefaultEventRecorder(this.server, "shop", "node-7", this.time);

	@Test
	void allOccurrences_areCounted() throws Exception {
		record(THREADS);
		this.recorder.close(Duration.ofSeconds(60));
		assertThat(this.recorder.dropped()).isZero();
		assertThat(this.recorder.pending()).isZero();
		assertThat(this.server.occurrences()).isEqualTo(THREADS * CALLS);
		assertRate();
	}

	@ParameterizedTest
	@ValueSource(ints = { 403, 429, 500, 503, 0 })
	void allOccurrences_areCountedOrDropped_whenRequestsFail(int code) throws Exception {
		Random random = new Random(code);
		this.server.behave((request) -> {
			this.server.loseAnswers(random.nextInt(4) == 0);
			if (random.nextInt(4) == 0) {
				throw (code == 0) ? FakeEventServer.unanswered(request)
						: FakeEventServer.refusal(request, code, "Failed", "");
			}
			if (random.nextInt(20) == 0) {
				throw FakeEventServer.refusal(request, 422, "Invalid", "");
			}
		});
		record(THREADS);
		this.recorder.close(Duration.ofSeconds(60));
		assertThat(this.recorder.pending()).isZero();
		// one that is dropped may have been counted by a write whose answer was lost
		assertThat(this.server.occurrences() + this.recorder.dropped()).isGreaterThanOrEqualTo(THREADS * CALLS);
		assertThat(this.server.occurrences()).isLessThanOrEqualTo(THREADS * CALLS);
	}

	@Test
	void close_whileOthersRecord_countsOrDrops() throws Exception {
		List<Thread> threads = start(THREADS);
		this.recorder.close(Duration.ofMillis(ThreadLocalRandom.current().nextInt(5)));
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(NoThreadLeft.informerThreads()).isEmpty();
		assertThat(this.recorder.pending()).isZero();
		assertThat(this.server.occurrences() + this.recorder.dropped()).isEqualTo(THREADS * CALLS);
	}

	private void record(int threads) throws InterruptedException {
		for (Thread thread : start(threads)) {
			thread.join();
		}
	}

	private List<Thread> start(int count) {
		CountDownLatch begin = new CountDownLatch(1);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Thread thread = new Thread(() -> {
				try {
					begin.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				for (int call = 0; call < CALLS; call++) {
					this.recorder.normal(TestObjects.pod("pod-" + call % 7, 1), "Scaled", "Scale", "note " + call);
				}
			});
			threads.add(thread);
			thread.start();
		}
		begin.countDown();
		return threads;
	}

	private void assertRate() {
		Map<String, Long> last = new HashMap<>();
		for (Request request : this.server.requests()) {
			Long before = last.put(request.name(), request.nanos());
			if (before != null) {
				assertThat(Duration.ofNanos(request.nanos() - before)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
			}
		}
	}

}
