/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.informer.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link DeltaFifo} that several threads fill while one takes from it.
 */
@Timeout(60)
class DeltaFifoConcurrencyTests {

	private static final int PRODUCERS = 4;

	private static final int CHANGES = 5000;

	private final Set<String> stored = ConcurrentHashMap.newKeySet();

	private final Map<String, Integer> reached = new HashMap<>();

	private final Map<String, Integer> handed = new HashMap<>();

	private final List<String> problems = new ArrayList<>();

	private boolean failed;

	private final DeltaFifo<Integer> fifo = new DeltaFifo<>(TimeSource.SYSTEM, this.stored::contains,
			List.of("s0", "s1", "s2", "s3"));

	/**
	 * Each producer numbers its changes, whose versions are their numbers. So a batch has
	 * to hand over exactly the numbers between the version of the one before and its own,
	 * in order, also when batches fail now and then and are handed over again.
	 */
	@Test
	void producersAtOnce_everyBatchEndsAtItsVersion_andNothingIsLostOrOvertaken() throws Exception {
		List<Thread> producers = new ArrayList<>();
		for (int i = 0; i < PRODUCERS; i++) {
			String scope = "s" + i;
			producers.add(new Thread(() -> produce(scope)));
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
			producer.join(TimeUnit.SECONDS.toMillis(40));
		}
		this.fifo.close();
		this.fifo.add("s0", "late", new ObjectDelta<>(DeltaType.ADDED, CHANGES + 1), "" + (CHANGES + 1));
		consumer.join(TimeUnit.SECONDS.toMillis(20));
		onlooker.join(TimeUnit.SECONDS.toMillis(20));
		assertThat(consumer.isAlive()).isFalse();
		assertThat(this.problems).isEmpty();
		assertThat(this.reached).isEqualTo(Map.of("s0", CHANGES, "s1", CHANGES, "s2", CHANGES, "s3", CHANGES));
		assertThat(this.stored).as("all but what was deleted last")
			.containsExactlyInAnyOrder("s0/kept", "s1/kept", "s2/kept", "s3/kept");
		assertThat(this.fifo.hasSynced()).isTrue();
		assertThat(this.fifo.depth()).isZero();
	}

	/**
	 * The producer waits for each change to be taken, and the consumer would wait for
	 * longer than the test: so each change, resync, nudge and progress has to wake it.
	 */
	@Test
	void consumerThatWaits_isWokenByWhateverComes() throws Exception {
		Semaphore taken = new Semaphore(0);
		Thread consumer = new Thread(() -> {
			try {
				boolean more = true;
				while (more) {
					more = this.fifo.pop((batch) -> {
					}, TimeUnit.MINUTES.toNanos(10));
					taken.release();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		consumer.start();
		for (int number = 1; number <= CHANGES; number++) {
			switch (number % 4) {
				case 0 -> this.fifo.add("s0", "s0/a", new ObjectDelta<>(DeltaType.ADDED, number), "" + number);
				case 1 -> this.fifo.progress("s0", "" + number);
				case 2 -> this.fifo.resync(Set.of());
				default -> this.fifo.nudge();
			}
			assertThat(taken.tryAcquire(20, TimeUnit.SECONDS)).as("number %s wakes the consumer", number).isTrue();
		}
		this.fifo.close();
		consumer.join(TimeUnit.SECONDS.toMillis(20));
		assertThat(consumer.isAlive()).isFalse();
	}

	/**
	 * Keys come and go, so that deletions meet keys that are stored, queued or being
	 * processed. The last number is that of a list.
	 */
	private void produce(String scope) {
		for (int number = 1; number < CHANGES; number++) {
			String key = scope + "/" + (number / 2 % 3);
			DeltaType type = (number % 2 == 0) ? DeltaType.ADDED : DeltaType.DELETED;
			this.fifo.add(scope, key, new ObjectDelta<>(type, number), Integer.toString(number));
			if (ThreadLocalRandom.current().nextInt(50) == 0) {
				Thread.yield();
			}
		}
		this.fifo.replace(new Batch.Replacement<>(scope, Map.of(scope + "/kept", CHANGES), Set.of(), Set.of(), true,
				Integer.toString(CHANGES), 0));
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
			}, TimeUnit.SECONDS.toNanos(20));
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
		if (batch instanceof Batch.Replacement<Integer> replacement) {
			this.stored.removeIf((key) -> key.startsWith(replacement.scope() + "/"));
			this.stored.addAll(replacement.objects().keySet());
			check(this.reached.getOrDefault(replacement.scope(), 0) == CHANGES - 1, "the list overtook changes");
			this.reached.put(replacement.scope(), CHANGES);
		}
		else if (batch instanceof Batch.Changes<Integer> changes) {
			changes.deltas().forEach((key, deltas) -> apply(key, deltas, changes.resourceVersions()));
			changes.resourceVersions().forEach((scope, version) -> {
				// the first number of each producer deletes what is not there
				check(this.handed.getOrDefault(scope, 0) == Integer.parseInt(version) - 1,
						scope + " has " + this.handed.get(scope) + " changes at version " + version);
				this.reached.put(scope, Integer.valueOf(version));
			});
		}
	}

	private void apply(String key, List<ObjectDelta<Integer>> deltas, Map<String, String> versions) {
		String scope = key.substring(0, key.indexOf('/'));
		int before = this.reached.getOrDefault(scope, 0);
		int version = Integer.parseInt(versions.getOrDefault(scope, "0"));
		for (ObjectDelta<Integer> delta : deltas) {
			int number = (delta.object() != null) ? delta.object() : 0;
			check(before < number, key + " number " + number + " is told behind " + before);
			check(number <= version, key + " number " + number + " is ahead of version " + version);
			before = number;
			boolean changed = delta.isDeletion() ? this.stored.remove(key) : this.stored.add(key);
			check(changed, key + " number " + number + " follows one like it");
			this.handed.merge(scope, 1, Integer::sum);
		}
	}

	private void check(boolean condition, String problem) {
		if (!condition) {
			this.problems.add(problem);
		}
	}

}
