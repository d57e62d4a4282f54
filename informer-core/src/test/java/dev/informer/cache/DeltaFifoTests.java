/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.informer.TimeSource;
import dev.informer.testing.FakeTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link DeltaFifo}.
 */
class DeltaFifoTests {

	private static final long LONG = Duration.ofSeconds(20).toNanos();

	private final Set<String> stored = new HashSet<>();

	private final DeltaFifo<String> fifo = new DeltaFifo<>(TimeSource.SYSTEM, this.stored::contains, List.of(""));

	@Test
	void pop_givesDeltasOfAKeyOldestFirst_keysInOrderOfFirstChange() throws Exception {
		add(DeltaType.ADDED, "a", "a1", 1);
		add(DeltaType.ADDED, "b", "b2", 2);
		add(DeltaType.UPDATED, "a", "a3", 3);
		Batch.Changes<String> batch = popChanges();
		assertThat(batch.deltas().keySet()).containsExactly("a", "b");
		assertThat(batch.deltas().get("a")).containsExactly(new ObjectDelta<>(DeltaType.ADDED, "a1"),
				new ObjectDelta<>(DeltaType.UPDATED, "a3"));
		assertThat(batch.resourceVersions()).containsEntry("", "3");
	}

	@Test
	void add_twoDeletionsInARow_keepsTheOneThatSaysMore() throws Exception {
		this.stored.addAll(List.of("a", "b"));
		add(DeltaType.DELETED, "a", "a1", 1);
		add(DeltaType.DELETED, "a", null, 2);
		add(DeltaType.DELETED, "b", null, 3);
		add(DeltaType.DELETED, "b", "b4", 4);
		Batch.Changes<String> batch = popChanges();
		assertThat(batch.deltas().get("a")).containsExactly(new ObjectDelta<>(DeltaType.DELETED, "a1"));
		assertThat(batch.deltas().get("b")).containsExactly(new ObjectDelta<>(DeltaType.DELETED, "b4"));
	}

	@Test
	void add_deletionOfUnknownKey_isIgnoredButItsVersionIsNot() throws Exception {
		add(DeltaType.DELETED, "a", "a1", 1);
		assertThat(this.fifo.depth()).isZero();
		Batch.Changes<String> batch = popChanges();
		assertThat(batch.deltas()).isEmpty();
		assertThat(batch.resourceVersions()).containsEntry("", "1");
	}

	@Test
	void add_deletionOfKeyBeingProcessed_isNotLost() throws Exception {
		add(DeltaType.ADDED, "a", "a1", 1);
		this.fifo.pop((batch) -> add(DeltaType.DELETED, "a", "a2", 2), LONG);
		assertThat(popChanges().deltas()).containsOnlyKeys("a");
	}

	@Test
	void add_deletionOfKeyThatIsOnlyQueued_isNotLost() throws Exception {
		replace(1, "a");
		add(DeltaType.DELETED, "a", "a2", 2);
		pop();
		assertThat(popChanges().deltas()).containsOnlyKeys("a");
	}

	@Test
	void replace_isABatchOfItsOwn_thatNothingOvertakes() throws Exception {
		add(DeltaType.ADDED, "a", "a1", 1);
		replace(2, "a", "b");
		add(DeltaType.UPDATED, "a", "a3", 3);
		assertThat(popChanges().deltas().get("a")).containsExactly(new ObjectDelta<>(DeltaType.ADDED, "a1"));
		assertThat(pop()).isInstanceOfSatisfying(Batch.Replacement.class,
				(batch) -> assertThat(batch.resourceVersion()).isEqualTo("2"));
		assertThat(popChanges().deltas().get("a")).containsExactly(new ObjectDelta<>(DeltaType.UPDATED, "a3"));
	}

	@Test
	void progress_travelsBehindWhatIsQueued() throws Exception {
		replace(1, "a");
		this.fifo.progress("", "5");
		assertThat(pop()).isInstanceOf(Batch.Replacement.class);
		assertThat(popChanges().resourceVersions()).containsEntry("", "5");
	}

	@Test
	void resync_leavesOutWhatIsQueuedBehindIt() throws Exception {
		this.fifo.resync(Set.of("handler"));
		add(DeltaType.UPDATED, "a", "a1", 1);
		assertThat(pop()).isEqualTo(new Batch.Resync<String>(Set.of("handler"), Set.of("a")));
	}

	@Test
	void processingSince_isTheTimeOfTheFirstChange_alsoOfABatchThatFailedBefore() throws Exception {
		FakeTime time = FakeTime.manual();
		DeltaFifo<String> timed = new DeltaFifo<>(time, this.stored::contains, List.of(""));
		time.advance(Duration.ofNanos(1));
		timed.add("", "a", new ObjectDelta<>(DeltaType.ADDED, "a1"), "1");
		time.advance(Duration.ofNanos(1));
		timed.add("", "b", new ObjectDelta<>(DeltaType.ADDED, "b2"), "2");
		time.advance(Duration.ofNanos(1));
		List<Long> since = new ArrayList<>();
		assertThatThrownBy(() -> timed.pop((batch) -> {
			since.add(timed.processingSince());
			throw new IllegalStateException("for the test");
		}, LONG)).hasMessage("for the test");
		timed.pop((batch) -> since.add(timed.processingSince()), LONG);
		timed.replace(new Batch.Replacement<>("", Map.of(), Set.of(), Set.of(), true, "3", 0));
		timed.pop((batch) -> since.add(timed.processingSince()), LONG);
		assertThat(since).containsExactly(1L, 1L, 3L);
		assertThatIllegalStateException().isThrownBy(timed::processingSince);
	}

	@Test
	void hasSynced_onceFirstReplacementIsProcessed() throws Exception {
		add(DeltaType.ADDED, "a", "a1", 1);
		pop();
		assertThat(this.fifo.hasSynced()).isFalse();
		replace(2, "a");
		assertThat(this.fifo.hasSynced()).isFalse();
		this.fifo.pop((batch) -> assertThat(this.fifo.hasSynced()).isFalse(), LONG);
		assertThat(this.fifo.hasSynced()).isTrue();
	}

	@Test
	void hasSynced_afterEmptyReplacement() throws Exception {
		replace(2);
		pop();
		assertThat(this.fifo.hasSynced()).isTrue();
	}

	@Test
	void hasSynced_severalScopes_onceEachIsProcessed() throws Exception {
		DeltaFifo<String> two = new DeltaFifo<>(TimeSource.SYSTEM, this.stored::contains, List.of("x", "y"));
		two.replace(new Batch.Replacement<>("x", Map.of(), Set.of(), Set.of(), true, "1", 0));
		two.pop((batch) -> {
		}, LONG);
		assertThat(two.hasSynced()).isFalse();
		two.replace(new Batch.Replacement<>("y", Map.of(), Set.of(), Set.of(), true, "1", 0));
		two.pop((batch) -> {
		}, LONG);
		assertThat(two.hasSynced()).isTrue();
	}

	@Test
	void pop_processorThrows_doesNotCountAsSynced() {
		replace(2, "a");
		assertThatThrownBy(() -> this.fifo.pop((batch) -> {
			throw new IllegalStateException("for the test");
		}, LONG)).hasMessage("for the test");
		assertThat(this.fifo.hasSynced()).isFalse();
	}

	@Test
	void pop_processorThrowsPartWay_putsAllBackAheadOfWhatIsNewer() throws Exception {
		add(DeltaType.ADDED, "a", "a1", 1);
		add(DeltaType.UPDATED, "a", "a2", 2);
		add(DeltaType.ADDED, "b", "b3", 3);
		failAt("b");
		add(DeltaType.DELETED, "a", "a4", 4);
		add(DeltaType.ADDED, "c", "c5", 5);
		failAt("c");
		assertThat(this.fifo.isSound()).isTrue();
		Batch.Changes<String> batch = popChanges();
		assertThat(batch.deltas().keySet()).containsExactly("a", "b", "c");
		assertThat(batch.deltas().get("a")).containsExactly(new ObjectDelta<>(DeltaType.ADDED, "a1"),
				new ObjectDelta<>(DeltaType.UPDATED, "a2"), new ObjectDelta<>(DeltaType.DELETED, "a4"));
		assertThat(batch.resourceVersions()).containsEntry("", "5");
	}

	@Test
	void pop_replacementFails_staysAheadOfWhatIsNewer() throws Exception {
		replace(2, "a");
		add(DeltaType.UPDATED, "a", "a3", 3);
		failAt("a");
		assertThat(pop()).isInstanceOf(Batch.Replacement.class);
		assertThat(this.fifo.hasSynced()).isTrue();
		assertThat(popChanges().deltas()).containsOnlyKeys("a");
	}

	@Test
	void pop_processorThrowsThreeTimes_waitsForAReplacement() throws Exception {
		add(DeltaType.ADDED, "a", "a1", 1);
		for (int i = 0; i < 3; i++) {
			assertThat(this.fifo.isSound()).isTrue();
			failAt("a");
		}
		assertThat(this.fifo.isSound()).isFalse();
		assertThat(this.fifo.depth()).isZero();
		add(DeltaType.ADDED, "b", "b2", 2);
		this.fifo.progress("", "3");
		assertThat(this.fifo.depth()).isZero();
		replace(4, "a", "b");
		assertThat(this.fifo.isSound()).isTrue();
		add(DeltaType.UPDATED, "b", "b5", 5);
		assertThat(pop()).isInstanceOf(Batch.Replacement.class);
		assertThat(popChanges().deltas()).containsOnlyKeys("b");
	}

	@Test
	void pop_failuresOfDifferentBatches_doNotAddUp() throws Exception {
		for (int i = 1; i <= 5; i++) {
			add(DeltaType.UPDATED, "a", "a", i);
			failAt("a");
			failAt("a");
			popChanges();
		}
		assertThat(this.fifo.isSound()).isTrue();
	}

	@Test
	void pop_resyncFails_isGivenUp() throws Exception {
		this.fifo.resync(Set.of("handler"));
		assertThatThrownBy(() -> this.fifo.pop((batch) -> {
			throw new IllegalStateException("for the test");
		}, LONG)).hasMessage("for the test");
		assertThat(this.fifo.isSound()).isTrue();
		assertThat(this.fifo.pop((batch) -> {
			throw new AssertionError(batch);
		}, 0)).isTrue();
	}

	@Test
	void pop_manyKeys_splitsThemIntoBatchesThatEndAtTheirVersions() throws Exception {
		for (int i = 1; i <= 2500; i++) {
			add(DeltaType.ADDED, "key" + i, "object", i);
		}
		assertThat(this.fifo.depth()).isEqualTo(2500);
		assertThat(Stream.of(popChanges(), popChanges(), popChanges()))
			.extracting((batch) -> batch.resourceVersions().get(""))
			.containsExactly("1000", "2000", "2500");
	}

	@Test
	void pop_closedAndEmpty_ends() throws Exception {
		add(DeltaType.ADDED, "a", "a1", 1);
		this.fifo.close();
		add(DeltaType.ADDED, "b", "b1", 2);
		List<Batch<String>> popped = new ArrayList<>();
		while (this.fifo.pop(popped::add, LONG)) {
			assertThat(popped).hasSize(1);
		}
		assertThat(popped).hasSize(1);
	}

	@Test
	void pop_blocked_returnsOnCloseAndOnNudge() throws Exception {
		assertThat(popInBackground(this.fifo::nudge)).isTrue();
		assertThat(popInBackground(this.fifo::close)).isFalse();
	}

	private boolean popInBackground(Runnable unblock) throws Exception {
		AtomicReference<@Nullable Boolean> more = new AtomicReference<>();
		CountDownLatch began = new CountDownLatch(1);
		Thread thread = new Thread(() -> {
			began.countDown();
			try {
				more.set(this.fifo.pop((batch) -> {
				}, Long.MAX_VALUE));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		thread.start();
		began.await();
		unblock.run();
		thread.join(Duration.ofSeconds(20).toMillis());
		return Boolean.TRUE.equals(more.get());
	}

	private void failAt(String key) {
		assertThatThrownBy(() -> this.fifo.pop((batch) -> {
			assertThat(batch instanceof Batch.Changes<String> changes ? changes.deltas().keySet()
					: ((Batch.Replacement<String>) batch).objects().keySet())
				.contains(key);
			throw new IllegalStateException("for the test");
		}, LONG)).hasMessage("for the test");
	}

	private void add(DeltaType type, String key, @Nullable String object, int version) {
		this.fifo.add("", key, new ObjectDelta<>(type, object), Integer.toString(version));
	}

	private void replace(int version, String... keys) {
		Map<String, String> objects = new LinkedHashMap<>();
		for (String key : keys) {
			objects.put(key, key + version);
		}
		this.fifo.replace(new Batch.Replacement<>("", objects, Set.of(), Set.of(), true, Integer.toString(version), 0));
	}

	private Batch<String> pop() throws InterruptedException {
		List<Batch<String>> popped = new ArrayList<>();
		assertThat(this.fifo.pop(popped::add, LONG)).isTrue();
		assertThat(popped).hasSize(1);
		return popped.get(0);
	}

	private Batch.Changes<String> popChanges() throws InterruptedException {
		return (Batch.Changes<String>) pop();
	}

}
