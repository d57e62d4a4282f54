/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link DeltaFifo} that several threads fill while one takes from it.
 */
@Timeout(120)
class DeltaFifoConcurrencyTests {

	private static final int PRODUCERS = 4;

	private static final int CHANGES = 5000;

	private final Set<String> stored = ConcurrentHashMap.newKeySet();

	private final Map<String, Integer> reached = new HashMap<>();

	private final List<String> problems = new ArrayList<>();

	private boolean failed;

	private final DeltaFifo<Integer> fifo = new DeltaFifo<>(TimeSource.SYSTEM, List.of("s0", "s1", "s2", "s3"));

	/**
	 * Each producer numbers its deltas, whose versions are their numbers. So the numbers
	 * of each namespace have to arrive without a gap and in order, also when some batches
	 * fail and are retried.
	 */
	@Test
	void producersAtOnce_noDeltaIsLostRepeatedOrOvertaken() throws Exception {
		List<Thread> producers = new ArrayList<>();
		for (int i = 0; i < PRODUCERS; i++) {
			String namespace = "s" + i;
			producers.add(new Thread(() -> produce(namespace)));
		}
		Thread onlooker = new Thread(() -> {
			while (producers.stream().anyMatch(Thread::isAlive)) {
				assertThat(this.fifo.depth()).isNotNegative();
				this.fifo.nudge();
			}
		});
		Thread consumer = new Thread(this::consume);
		consumer.start();
		producers.forEach(Thread::start);
		onlooker.start();
		for (Thread producer : producers) {
			producer.join(TimeUnit.SECONDS.toMillis(60));
		}
		this.fifo.close();
		this.fifo.add(new Delta.Upserted<>("s0", "late", CHANGES + 1, "" + (CHANGES + 1)));
		consumer.join(TimeUnit.SECONDS.toMillis(60));
		onlooker.join(TimeUnit.SECONDS.toMillis(60));
		assertThat(consumer.isAlive()).isFalse();
		assertThat(this.problems).isEmpty();
		assertThat(this.reached).isEqualTo(Map.of("s0", CHANGES, "s1", CHANGES, "s2", CHANGES, "s3", CHANGES));
		assertThat(this.stored).as("all but what was deleted last")
			.containsExactlyInAnyOrder("s0/kept", "s1/kept", "s2/kept", "s3/kept");
		assertThat(this.fifo.hasSynced()).isTrue();
		assertThat(this.fifo.depth()).isZero();
	}

	/**
	 * The producer waits for each delta to be taken, and the consumer would wait for
	 * longer than the test: so each change, bookmark, resync and nudge has to wake it.
	 */
	@Test
	void waitingConsumer_isWokenByEachDeltaAndNudge() throws Exception {
		Semaphore taken = new Semaphore(0);
		Thread consumer = new Thread(() -> {
			boolean more = true;
			while (more) {
				more = this.fifo.pop((batch) -> {
				}, TimeUnit.MINUTES.toNanos(10));
				taken.release();
			}
		});
		consumer.start();
		for (int number = 1; number <= CHANGES; number++) {
			switch (number % 4) {
				case 0 -> this.fifo.add(new Delta.Upserted<>("s0", "s0/a", number, "" + number));
				case 1 -> this.fifo.add(new Delta.Bookmark<>("s0", "" + number));
				case 2 -> this.fifo.add(new Delta.SyncAll<>(Set.of()));
				default -> this.fifo.nudge();
			}
			assertThat(taken.tryAcquire(60, TimeUnit.SECONDS)).as("number %s wakes the consumer", number).isTrue();
		}
		this.fifo.close();
		consumer.join(TimeUnit.SECONDS.toMillis(60));
		assertThat(consumer.isAlive()).isFalse();
	}

	/**
	 * Keys come and go, so that deletions are of keys that are stored, queued or being
	 * processed. The last number is that of a list.
	 */
	private void produce(String namespace) {
		for (int number = 1; number < CHANGES; number++) {
			String key = namespace + "/" + (number / 2 % 3);
			String version = Integer.toString(number);
			this.fifo.add((number % 2 == 0) ? new Delta.Upserted<>(namespace, key, number, version)
					: new Delta.Deleted<>(namespace, key, number, version));
			if (ThreadLocalRandom.current().nextInt(50) == 0) {
				Thread.yield();
			}
		}
		this.fifo.add(new Delta.ReplacedAll<>(namespace, Map.of(namespace + "/kept", CHANGES), Map.of(), Set.of(), true,
				null, Integer.toString(CHANGES), 0));
	}

	private void consume() {
		try {
			boolean more = true;
			while (more) {
				more = pop();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean pop() throws InterruptedException {
		try {
			return this.fifo.pop((batch) -> {
				failNowAndThen();
				apply(batch);
			}, TimeUnit.SECONDS.toNanos(60));
		}
		catch (IllegalStateException ex) {
			return true;
		}
	}

	/**
	 * Fails never twice in a row, so that nothing is given up, and with something newer
	 * in the queue where possible.
	 */
	private void failNowAndThen() {
		this.failed = !this.failed && ThreadLocalRandom.current().nextInt(4) == 0;
		if (this.failed) {
			for (int i = 0; i < 1000 && this.fifo.depth() == 0; i++) {
				Thread.yield();
			}
			throw new IllegalStateException("for the test");
		}
	}

	private void apply(Batch<Integer> batch) {
		batch.deltas().forEach((delta) -> {
			int number = Integer.parseInt(delta.resourceVersion());
			int before = this.reached.getOrDefault(delta.namespace(), 0);
			check(number == before + 1, delta + " follows version " + before);
			this.reached.put(delta.namespace(), number);
			if (delta instanceof Delta.ReplacedAll<Integer> state) {
				check(batch.deltas().size() == 1, "the list is in a batch with changes");
				this.stored.removeIf((key) -> key.startsWith(state.namespace() + "/"));
				this.stored.addAll(state.objects().keySet());
			}
			else if (delta instanceof Delta.Upserted<Integer> change) {
				check(change.object() == number, change + " has another version than its own");
				check(this.stored.add(change.key()), change + " follows one like it");
			}
			else if (delta instanceof Delta.Deleted<Integer> deletion) {
				// the first number of each producer deletes a key that is not stored
				check(this.stored.remove(deletion.key()) || number == 1, deletion + " follows one like it");
			}
		});
	}

	private void check(boolean condition, String problem) {
		if (!condition) {
			this.problems.add(problem);
		}
	}

	@Test
	void pop_closedAndEmpty_ends() throws Exception {
		this.fifo.add(upserted("a", 1));
		this.fifo.close();
		this.fifo.add(upserted("b", 2));
		List<Batch<Integer>> popped = new ArrayList<>();
		while (this.fifo.pop(popped::add, Long.MAX_VALUE)) {
			assertThat(popped).hasSize(1);
		}
		assertThat(popped).hasSize(1);
	}

	@Test
	void pop_blocked_returnsOnCloseAndOnNudge() throws Exception {
		assertThat(popInBackground((consumer) -> this.fifo.nudge())).isTrue();
		assertThat(popInBackground((consumer) -> this.fifo.close())).isFalse();
	}

	@Test
	void pop_interrupted_clearsTheFlag_andOnlyCloseEnds() throws Exception {
		Thread.currentThread().interrupt();
		assertThat(this.fifo.pop((batch) -> {
		}, 1)).isTrue();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(popInBackground((consumer) -> await().until(() -> {
			consumer.interrupt();
			return !consumer.isAlive();
		}))).isTrue();
		this.fifo.add(upserted("a", 1));
		Thread.currentThread().interrupt();
		List<Delta<Integer>> popped = new ArrayList<>();
		this.fifo.pop((batch) -> popped.addAll(batch.deltas()), Long.MAX_VALUE);
		assertThat(popped).containsExactly(upserted("a", 1));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		this.fifo.close();
		assertThat(this.fifo.pop((batch) -> {
		}, Long.MAX_VALUE)).isFalse();
	}

	private boolean popInBackground(Consumer<Thread> unblock) throws Exception {
		AtomicReference<@Nullable Boolean> more = new AtomicReference<>();
		CountDownLatch began = new CountDownLatch(1);
		Thread thread = new Thread(() -> {
			began.countDown();
			more.set(this.fifo.pop((batch) -> {
			}, Long.MAX_VALUE));
		});
		thread.start();
		began.await();
		unblock.accept(thread);
		thread.join(Duration.ofSeconds(20).toMillis());
		return Boolean.TRUE.equals(more.get());
	}

	private static Delta<Integer> upserted(String key, int number) {
		return new Delta.Upserted<>("s0", key, number, Integer.toString(number));
	}

}
