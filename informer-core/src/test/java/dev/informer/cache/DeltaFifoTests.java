/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.informer.cache.Delta.Bookmark;
import dev.informer.cache.Delta.Deleted;
import dev.informer.cache.Delta.ReplacedAll;
import dev.informer.cache.Delta.SyncAll;
import dev.informer.cache.Delta.Upserted;
import dev.informer.client.TimeSource;
import dev.informer.testing.FakeTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link DeltaFifo}.
 */
class DeltaFifoTests {

	private static final long LONG = Duration.ofSeconds(60).toNanos();

	private final DeltaFifo<String> fifo = new DeltaFifo<>(TimeSource.SYSTEM, List.of(""));

	@Test
	void pop_returnsDeltasInOrderOfArrival() throws Exception {
		this.fifo.add(upserted("a", "a1", 1));
		this.fifo.add(upserted("b", "b2", 2));
		this.fifo.add(upserted("a", "a3", 3));
		this.fifo.add(deleted("c", null, 4));
		assertThat(pop()).containsExactly(upserted("a", "a1", 1), upserted("b", "b2", 2), upserted("a", "a3", 3),
				deleted("c", null, 4));
	}

	@Test
	void add_whileBatchIsProcessed_isInTheNextBatch() throws Exception {
		this.fifo.add(upserted("a", "a1", 1));
		this.fifo.pop((batch) -> {
			this.fifo.add(deleted("a", "a2", 2));
			assertThat(batch.deltas()).hasSize(1);
		}, LONG);
		assertThat(pop()).containsExactly(deleted("a", "a2", 2));
	}

	@Test
	void replacedAll_isSeparateBatchInOrderOfArrival() throws Exception {
		this.fifo.add(upserted("a", "a1", 1));
		this.fifo.add(replacedAll(2, "a", "b"));
		this.fifo.add(upserted("a", "a3", 3));
		assertThat(pop()).containsExactly(upserted("a", "a1", 1));
		assertThat(pop()).containsExactly(replacedAll(2, "a", "b"));
		assertThat(pop()).containsExactly(upserted("a", "a3", 3));
	}

	@Test
	void bookmark_staysBehindEarlierDeltas() throws Exception {
		this.fifo.add(replacedAll(1, "a"));
		this.fifo.add(new Bookmark<>("", "5"));
		assertThat(pop()).containsExactly(replacedAll(1, "a"));
		assertThat(pop()).containsExactly(new Bookmark<>("", "5"));
	}

	@Test
	void syncAll_isSeparateBatch_andQueuedKeysAreThoseBehindIt() throws Exception {
		this.fifo.add(upserted("before", "b1", 1));
		this.fifo.add(new SyncAll<>(Set.of("handler")));
		this.fifo.add(upserted("a", "a2", 2));
		this.fifo.add(deleted("b", null, 3));
		this.fifo.add(new Bookmark<>("", "4"));
		this.fifo.add(replacedAll(5, "c"));
		pop();
		this.fifo.pop((batch) -> {
			assertThat(batch.deltas()).containsExactly(new SyncAll<>(Set.of("handler")));
			assertThat(this.fifo.queuedKeys()).containsExactlyInAnyOrder("a", "b", "c");
		}, LONG);
	}

	@Test
	void receivedAt_isTheTimeOfTheFirstDelta_alsoOfARetriedBatch() throws Exception {
		FakeTime time = FakeTime.manual();
		DeltaFifo<String> timed = new DeltaFifo<>(time, List.of(""));
		time.advance(Duration.ofNanos(1));
		timed.add(upserted("a", "a1", 1));
		time.advance(Duration.ofNanos(1));
		timed.add(upserted("b", "b2", 2));
		time.advance(Duration.ofNanos(1));
		List<Long> times = new ArrayList<>();
		assertThatThrownBy(() -> timed.pop((batch) -> {
			times.add(batch.receivedAt());
			throw new IllegalStateException("for the test");
		}, LONG)).hasMessage("for the test");
		timed.pop((batch) -> times.add(batch.receivedAt()), LONG);
		timed.add(replacedAll(3));
		timed.pop((batch) -> times.add(batch.receivedAt()), LONG);
		assertThat(times).containsExactly(1L, 1L, 3L);
	}

	@Test
	void depth_countsObjectsButNeitherBookmarksNorResyncs() {
		this.fifo.add(upserted("a", "a1", 1));
		this.fifo.add(upserted("a", "a2", 2));
		this.fifo.add(deleted("b", null, 3));
		this.fifo.add(new Bookmark<>("", "4"));
		this.fifo.add(new SyncAll<>(Set.of("handler")));
		this.fifo.add(replacedAll(5, "c", "d"));
		assertThat(this.fifo.depth()).isEqualTo(5);
	}

	@Test
	void hasSynced_afterFirstReplacedAllIsProcessed() throws Exception {
		this.fifo.add(upserted("a", "a1", 1));
		pop();
		assertThat(this.fifo.hasSynced()).isFalse();
		this.fifo.add(replacedAll(2, "a"));
		assertThat(this.fifo.hasSynced()).isFalse();
		this.fifo.pop((batch) -> assertThat(this.fifo.hasSynced()).isFalse(), LONG);
		assertThat(this.fifo.hasSynced()).isTrue();
	}

	@Test
	void hasSynced_afterEmptyReplacedAll() throws Exception {
		this.fifo.add(replacedAll(2));
		pop();
		assertThat(this.fifo.hasSynced()).isTrue();
	}

	@Test
	void hasSynced_severalNamespaces_afterEachIsProcessed() throws Exception {
		DeltaFifo<String> two = new DeltaFifo<>(TimeSource.SYSTEM, List.of("x", "y"));
		two.add(new ReplacedAll<>("x", Map.of(), Map.of(), Set.of(), true, null, "1", 0));
		two.pop((batch) -> {
		}, LONG);
		assertThat(two.hasSynced()).isFalse();
		two.add(new ReplacedAll<>("y", Map.of(), Map.of(), Set.of(), true, null, "1", 0));
		two.pop((batch) -> {
		}, LONG);
		assertThat(two.hasSynced()).isTrue();
	}

	@Test
	void hasSynced_afterFailedReplacedAll_isFalse() {
		this.fifo.add(replacedAll(2, "a"));
		failPop();
		assertThat(this.fifo.hasSynced()).isFalse();
	}

	@Test
	void pop_processorThrows_putsAllBackInFrontOfNewerDeltas() throws Exception {
		this.fifo.add(upserted("a", "a1", 1));
		this.fifo.add(upserted("a", "a2", 2));
		this.fifo.add(upserted("b", "b3", 3));
		assertThat(failPop()).hasSize(3);
		this.fifo.add(deleted("a", "a4", 4));
		this.fifo.add(upserted("c", "c5", 5));
		assertThat(failPop()).hasSize(5);
		assertThat(this.fifo.isAwaitingRelist()).isFalse();
		assertThat(pop()).containsExactly(upserted("a", "a1", 1), upserted("a", "a2", 2), upserted("b", "b3", 3),
				deleted("a", "a4", 4), upserted("c", "c5", 5));
	}

	@Test
	void pop_replacedAllFails_staysInFrontOfNewerDeltas() throws Exception {
		this.fifo.add(replacedAll(2, "a"));
		this.fifo.add(upserted("a", "a3", 3));
		assertThat(failPop()).containsExactly(replacedAll(2, "a"));
		assertThat(pop()).containsExactly(replacedAll(2, "a"));
		assertThat(this.fifo.hasSynced()).isTrue();
		assertThat(pop()).containsExactly(upserted("a", "a3", 3));
	}

	@Test
	void pop_processorThrowsThreeTimes_awaitsRelist() throws Exception {
		this.fifo.add(upserted("a", "a1", 1));
		for (int i = 0; i < 3; i++) {
			assertThat(this.fifo.isAwaitingRelist()).isFalse();
			failPop();
		}
		assertThat(this.fifo.isAwaitingRelist()).isTrue();
		assertThat(this.fifo.depth()).isZero();
		this.fifo.add(upserted("b", "b2", 2));
		this.fifo.add(new Bookmark<>("", "3"));
		assertThat(this.fifo.depth()).isZero();
		this.fifo.add(replacedAll(4, "a", "b"));
		assertThat(this.fifo.isAwaitingRelist()).isFalse();
		this.fifo.add(upserted("b", "b5", 5));
		assertThat(pop()).containsExactly(replacedAll(4, "a", "b"));
		assertThat(pop()).containsExactly(upserted("b", "b5", 5));
	}

	@Test
	void pop_processorThrowsThreeTimes_everyNamespaceAwaitsItsRelist() throws Exception {
		DeltaFifo<String> two = new DeltaFifo<>(TimeSource.SYSTEM, List.of("x", "y"));
		two.add(new Upserted<>("x", "x/a", "a1", "1"));
		for (int i = 0; i < 3; i++) {
			assertThatThrownBy(() -> two.pop((batch) -> {
				throw new IllegalStateException("for the test");
			}, LONG)).hasMessage("for the test");
		}
		two.add(new ReplacedAll<>("x", Map.of(), Map.of(), Set.of(), true, null, "2", 0));
		assertThat(two.isAwaitingRelist()).isTrue();
		two.add(new Upserted<>("y", "y/a", "a2", "2"));
		two.add(new Upserted<>("x", "x/a", "a3", "3"));
		assertThat(two.queuedKeys()).containsExactly("x/a");
		two.add(new ReplacedAll<>("y", Map.of(), Map.of(), Set.of(), true, null, "2", 0));
		assertThat(two.isAwaitingRelist()).isFalse();
	}

	@Test
	void pop_failuresOfDifferentBatches_doNotAddUp() throws Exception {
		for (int i = 1; i <= 5; i++) {
			this.fifo.add(upserted("a", "a", i));
			failPop();
			failPop();
			assertThat(pop()).containsExactly(upserted("a", "a", i));
		}
		assertThat(this.fifo.isAwaitingRelist()).isFalse();
	}

	@Test
	void pop_syncAllFails_isNotRetried() throws Exception {
		this.fifo.add(new SyncAll<>(Set.of("handler")));
		failPop();
		assertThat(this.fifo.isAwaitingRelist()).isFalse();
		assertThat(this.fifo.pop((batch) -> {
			throw new AssertionError(batch);
		}, 0)).isTrue();
	}

	@Test
	void pop_manyDeltas_splitsThemIntoBatchesOfAThousand() throws Exception {
		for (int i = 1; i <= 2500; i++) {
			this.fifo.add(upserted("key" + i, "object", i));
		}
		assertThat(this.fifo.depth()).isEqualTo(2500);
		assertThat(Stream.of(pop(), pop(), pop())).extracting((deltas) -> deltas.get(deltas.size() - 1))
			.extracting(Delta::resourceVersion)
			.containsExactly("1000", "2000", "2500");
	}

	private List<Delta<String>> failPop() {
		List<Delta<String>> failed = new ArrayList<>();
		assertThatThrownBy(() -> this.fifo.pop((batch) -> {
			failed.addAll(batch.deltas());
			throw new IllegalStateException("for the test");
		}, LONG)).hasMessage("for the test");
		return failed;
	}

	private List<Delta<String>> pop() throws InterruptedException {
		List<Batch<String>> popped = new ArrayList<>();
		assertThat(this.fifo.pop(popped::add, LONG)).isTrue();
		assertThat(popped).hasSize(1);
		return popped.get(0).deltas();
	}

	private static Delta<String> upserted(String key, String object, int version) {
		return new Upserted<>("", key, object, Integer.toString(version));
	}

	private static Delta<String> deleted(String key, @Nullable String object, int version) {
		return new Deleted<>("", key, object, Integer.toString(version));
	}

	private static Delta<String> replacedAll(int version, String... keys) {
		Map<String, String> objects = new LinkedHashMap<>();
		for (String key : keys) {
			objects.put(key, key + version);
		}
		return new ReplacedAll<>("", objects, Map.of(), Set.of(), true, null, Integer.toString(version), 0);
	}

}
