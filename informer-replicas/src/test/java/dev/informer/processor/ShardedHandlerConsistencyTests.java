/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryPolicy;
import dev.informer.client.ObjectKey;
import dev.informer.client.TimeSource;
import dev.informer.shard.FakeSharding;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.informer.processor.HandlerFixture.LONG;
import static dev.informer.test.support.Await.await;
import static dev.informer.test.support.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random changes of objects and of the owners of their slots, with several sharded
 * handlers that stand for the replicas.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ShardedHandlerConsistencyTests {

	private static final int SLOTS = 6;

	private static final int OBJECTS = 24;

	private static final int STEPS = 1_500;

	private static final RetryPolicy QUICK = new RetryPolicy(Integer.MAX_VALUE, Duration.ofNanos(200_000), 1,
			Duration.ofMillis(2), Duration.ZERO);

	private final HandlerFixture fixture = new HandlerFixture(TimeSource.SYSTEM);

	private final List<Replica> replicas = new ArrayList<>();

	private final Map<String, V1Pod> objects = new HashMap<>();

	/** Replica that works on a slot, with the number of its invocations. */
	private final AtomicReferenceArray<@Nullable Work> work = new AtomicReferenceArray<>(SLOTS);

	private final Queue<String> problems = new ConcurrentLinkedQueue<>();

	private int version;

	private int moves;

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4 })
	void randomMovesAndChanges_areConsistent(long seed) throws Exception {
		Random random = new Random(seed);
		for (int concurrency = 1; concurrency <= 3; concurrency++) {
			this.replicas.add(new Replica("replica" + concurrency, concurrency));
		}
		this.fixture.start();
		for (int step = 0; step < STEPS; step++) {
			switch (random.nextInt(8)) {
				case 0 -> move(random);
				case 1 -> delete(name(random));
				case 2 -> recreate(name(random));
				case 3 -> resync(name(random));
				default -> put(name(random));
			}
			if (random.nextInt(4) == 0) {
				LockSupport.parkNanos(random.nextInt(200_000));
			}
		}
		checkAtRest();
		assertThat(this.moves).isGreaterThan(STEPS / 20);
	}

	private static String name(Random random) {
		int number = random.nextInt(OBJECTS);
		return number % SLOTS + "-" + number;
	}

	private void put(String name) {
		V1Pod last = this.objects.get(name);
		V1Pod next = pod(name, (last != null) ? last.getMetadata().getUid() : "uid" + this.version, ++this.version);
		this.objects.put(name, next);
		this.fixture.distribute((last != null) ? new Updated<>(last, next, false) : new Added<>(next, false));
	}

	private void delete(String name) {
		V1Pod last = this.objects.remove(name);
		if (last != null) {
			this.fixture.distribute(new Deleted<>(last, last, false));
		}
	}

	private void recreate(String name) {
		delete(name);
		put(name);
	}

	private void resync(String name) {
		V1Pod current = this.objects.get(name);
		if (current != null) {
			this.fixture.distribute(new Updated<>(current, current));
		}
	}

	/**
	 * Move a slot: its owner loses or releases it, and the next one acquires it after the
	 * work on it has ended.
	 */
	private void move(Random random) {
		int slot = random.nextInt(SLOTS);
		int way = random.nextInt(3);
		for (Replica replica : this.replicas) {
			FakeSharding sharding = replica.sharding;
			if (sharding.owns(slot)) {
				switch (way) {
					case 0 -> sharding.release(slot);
					case 1 -> sharding.lose(slot);
					default -> {
						sharding.expire(slot);
						put(name(random));
						sharding.lose(slot);
					}
				}
				await().pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.until(() -> sharding.running(slot) == 0);
			}
		}
		if (random.nextInt(5) > 0) {
			this.replicas.get(random.nextInt(this.replicas.size())).sharding.acquire(slot);
		}
		this.moves++;
	}

	private void checkAtRest() throws InterruptedException {
		Map<String, V1Pod> cached = new HashMap<>();
		this.objects.values().forEach((pod) -> cached.put(ObjectKey.of(pod), pod));
		for (int slot = 0; slot < SLOTS; slot++) {
			int owned = slot;
			if (this.replicas.stream().noneMatch((replica) -> replica.sharding.owns(owned))) {
				this.replicas.get(slot % this.replicas.size()).sharding.acquire(slot);
			}
		}
		for (Replica replica : this.replicas) {
			assertThat(replica.registration.awaitIdle(LONG)).isTrue();
			Map<String, V1Pod> expected = new HashMap<>(cached);
			expected.keySet().removeIf((key) -> !replica.owns(key));
			Map<String, V1Pod> delivered = replica.log.states();
			delivered.keySet().removeIf((key) -> !replica.owns(key));
			assertThat(delivered).isEqualTo(expected);
			assertThat(replica.log.problems()).isEmpty();
			assertThat(replica.log.delivered()).isPositive();
			// what is held is the difference to the last delivered states
			Map<String, V1Pod> foreign = new HashMap<>(cached);
			foreign.keySet().removeIf(replica::owns);
			Map<String, V1Pod> known = replica.log.states();
			known.keySet().removeIf(replica::owns);
			known.forEach((key, pod) -> {
				if (!foreign.remove(key, pod)) {
					foreign.put(key, pod);
				}
			});
			assertThat(replica.registration.diagnose().held()).isGreaterThanOrEqualTo(foreign.size());
			assertThat(HandlerFixture.entries(replica.registration)).isEqualTo(replica.registration.diagnose().held());
		}
		assertThat(this.problems).isEmpty();
	}

	/**
	 * Handler of one replica.
	 */
	private final class Replica {

		private final FakeSharding sharding;

		private final CallLog log;

		private final HandlerRegistration registration;

		Replica(String name, int concurrency) {
			this.sharding = new FakeSharding(name, SLOTS);
			this.log = new CallLog(concurrency);
			this.registration = ShardedHandlerConsistencyTests.this.fixture.add(this::handle,
					(options) -> options.name(name).concurrency(concurrency).retry(QUICK).gate(this.sharding.gate()),
					List.of());
		}

		boolean owns(String key) {
			return this.sharding.owns(slot(key));
		}

		private int slot(String key) {
			return Integer.parseInt(key.substring(key.indexOf('/') + 1, key.indexOf('-')));
		}

		private void handle(ResourceEvent<V1Pod> event) {
			int slot = slot(ObjectKey.of(event.object()));
			begin(slot);
			try {
				this.log.call(event, () -> {
					LockSupport.parkNanos(50_000);
					if (Thread.currentThread().isInterrupted()) {
						throw new IllegalStateException("interrupted");
					}
					this.log.maybeThrow(event);
				});
			}
			finally {
				ShardedHandlerConsistencyTests.this.work.updateAndGet(slot, (current) -> (current.invocations() == 1)
						? null : new Work(current.owner(), current.invocations() - 1));
			}
		}

		private void begin(int slot) {
			ShardedHandlerConsistencyTests.this.work.updateAndGet(slot, (current) -> {
				if (current != null && current.owner() != this) {
					ShardedHandlerConsistencyTests.this.problems.add("Two replicas work on slot " + slot);
				}
				return new Work(this, (current != null) ? current.invocations() + 1 : 1);
			});
		}

	}

	private record Work(Replica owner, int invocations) {

	}

}
