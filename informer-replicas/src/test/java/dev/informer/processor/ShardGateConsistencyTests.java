/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import dev.informer.replicas.Shard;
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
 * Tests for {@link ShardGate} with random changes of objects, which are recreated in
 * other slots, and random moves of slots between replicas that receive the objects of
 * their slots only.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ShardGateConsistencyTests {

	private static final int SLOTS = 8;

	private static final int NAMES = 16;

	private static final int STEPS = 1_000;

	private static final RetryPolicy QUICK = new RetryPolicy(Integer.MAX_VALUE, Duration.ofNanos(200_000), 1,
			Duration.ofMillis(2), Duration.ZERO);

	private final List<Replica> replicas = new ArrayList<>();

	private final Map<String, V1Pod> objects = new HashMap<>();

	/** Replica that works on a slot, with the number of its invocations. */
	private final AtomicReferenceArray<@Nullable Work> work = new AtomicReferenceArray<>(SLOTS);

	private final Queue<String> problems = new ConcurrentLinkedQueue<>();

	private int version;

	@AfterEach
	void close() {
		this.replicas.forEach((replica) -> replica.fixture.close());
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4 })
	void randomMovesAndRecreations_areConsistent(long seed) throws Exception {
		Random random = new Random(seed);
		for (int concurrency = 1; concurrency <= 3; concurrency++) {
			this.replicas.add(new Replica("replica" + concurrency, concurrency));
		}
		for (int step = 0; step < STEPS; step++) {
			switch (random.nextInt(8)) {
				case 0 -> move(random);
				case 1 -> this.replicas.get(random.nextInt(this.replicas.size())).loseOrAcquire(random.nextInt(SLOTS));
				default -> change(random);
			}
			if (random.nextInt(4) == 0) {
				LockSupport.parkNanos(random.nextInt(200_000));
			}
		}
		for (Replica replica : this.replicas) {
			replica.sharding.acquire(replica.assigned.toArray(Integer[]::new));
		}
		for (Replica replica : this.replicas) {
			replica.checkAtRest();
		}
		assertThat(this.problems).isEmpty();
		assertThat(this.replicas.stream().mapToInt((replica) -> replica.moved.get()).sum()).isPositive();
	}

	private void change(Random random) {
		String name = "pod" + random.nextInt(NAMES);
		V1Pod last = this.objects.get(name);
		switch (random.nextInt(5)) {
			case 0 -> put(name, null);
			case 1 -> put(name, pod(name, SlotUids.uid(random.nextInt(SLOTS), SLOTS, ++this.version), this.version));
			case 2 -> put(name, last);
			default -> {
				if (last != null) {
					put(name, pod(name, last.getMetadata().getUid(), ++this.version));
				}
			}
		}
	}

	private void put(String name, @Nullable V1Pod pod) {
		if (pod != null) {
			this.objects.put(name, pod);
		}
		else {
			this.objects.remove(name);
		}
		this.replicas.forEach((replica) -> replica.put(name, pod));
	}

	/**
	 * Assign a slot to another replica, which owns it after the work on it has ended.
	 */
	private void move(Random random) {
		int slot = random.nextInt(SLOTS);
		boolean early = random.nextBoolean();
		for (Replica replica : this.replicas) {
			if (replica.assign(slot, false)) {
				if (early) {
					replica.sharding.release(slot);
				}
				change(random);
				replica.forget(slot);
				replica.sharding.lose(slot);
				await().pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.until(() -> replica.sharding.running(slot) == 0);
			}
		}
		Replica next = this.replicas.get(random.nextInt(this.replicas.size()));
		next.assign(slot, true);
		this.objects.forEach((name, object) -> {
			if (slot(object) == slot) {
				next.put(name, object);
			}
		});
		change(random);
		if (random.nextInt(5) > 0) {
			next.sharding.acquire(slot);
		}
	}

	private static int slot(V1Pod pod) {
		return SlotUids.slotOf(pod.getMetadata().getUid(), SLOTS);
	}

	/**
	 * Handler of one replica, with what its informer caches.
	 */
	private final class Replica {

		private final FakeSharding sharding;

		private final HandlerFixture fixture;

		private final CallLog log;

		private final HandlerRegistration registration;

		private final Map<String, V1Pod> cached = new HashMap<>();

		private final Set<Integer> assigned = new HashSet<>();

		private final AtomicInteger moved = new AtomicInteger();

		Replica(String name, int concurrency) {
			this.sharding = new FakeSharding(name, SLOTS);
			this.sharding.assign();
			this.fixture = new HandlerFixture(TimeSource.SYSTEM, new Shard(this.sharding, Shard.Key.UID));
			this.log = new CallLog(concurrency);
			this.registration = this.fixture.add(this::handle,
					(options) -> options.name(name).concurrency(concurrency).retry(QUICK), List.of());
			this.fixture.start();
		}

		/**
		 * Change the assignment of a slot.
		 * @return whether it was another one
		 */
		boolean assign(int slot, boolean assign) {
			boolean different = assign ? this.assigned.add(slot) : this.assigned.remove(slot);
			this.sharding.assign(this.assigned.toArray(Integer[]::new));
			return different;
		}

		void loseOrAcquire(int slot) {
			if (this.sharding.owns(slot)) {
				this.sharding.lose(slot);
			}
			else if (this.assigned.contains(slot)) {
				this.sharding.acquire(slot);
			}
		}

		/**
		 * Receive the current state of an object.
		 */
		void put(String name, @Nullable V1Pod pod) {
			V1Pod last = this.cached.get(name);
			if (last != null && pod != null && last.getMetadata().getUid().equals(pod.getMetadata().getUid())) {
				this.cached.put(name, pod);
				this.fixture.distribute(new Updated<>(last, pod, last == pod));
				return;
			}
			if (last != null) {
				this.cached.remove(name);
				this.fixture.distribute(new Deleted<>(last, last, false));
			}
			if (pod != null && this.assigned.contains(slot(pod))) {
				this.cached.put(name, pod);
				this.fixture.distribute(new Added<>(pod, false));
			}
		}

		/**
		 * Remove the objects of a slot that has moved away.
		 */
		void forget(int slot) {
			List<V1Pod> forgotten = this.cached.values().stream().filter((pod) -> slot(pod) == slot).toList();
			forgotten.forEach((pod) -> {
				this.cached.remove(pod.getMetadata().getName());
				this.fixture.distribute(new Deleted<>(pod, pod, false, Deleted.Reason.UNWATCHED));
			});
		}

		private void handle(ResourceEvent<V1Pod> event) {
			if (event instanceof Deleted<V1Pod> deleted && deleted.reason() == Deleted.Reason.UNWATCHED) {
				call(event);
				this.moved.incrementAndGet();
				return;
			}
			int slot = slot(event.object());
			begin(slot);
			try {
				call(event);
			}
			finally {
				ShardGateConsistencyTests.this.work.updateAndGet(slot, (current) -> (current.invocations() == 1) ? null
						: new Work(current.owner(), current.invocations() - 1));
			}
		}

		private void begin(int slot) {
			Queue<String> found = ShardGateConsistencyTests.this.problems;
			if (this.sharding.running(slot) == 0) {
				found.add("An invocation has not begun in slot " + slot);
			}
			ShardGateConsistencyTests.this.work.updateAndGet(slot, (current) -> {
				if (current != null && current.owner() != this) {
					found.add("Two replicas work on slot " + slot);
				}
				return new Work(this, (current != null) ? current.invocations() + 1 : 1);
			});
		}

		private void call(ResourceEvent<V1Pod> event) {
			this.log.call(event, () -> {
				LockSupport.parkNanos(50_000);
				if (Thread.currentThread().isInterrupted()) {
					throw new IllegalStateException("interrupted");
				}
				this.log.maybeThrow(event);
			});
		}

		void checkAtRest() throws InterruptedException {
			assertThat(this.registration.awaitIdle(LONG)).isTrue();
			Map<String, V1Pod> expected = new HashMap<>();
			this.cached.forEach((name, pod) -> expected.put("ns/" + name, pod));
			assertThat(this.log.states()).isEqualTo(expected);
			assertThat(this.log.problems()).isEmpty();
			assertThat(this.log.delivered()).isPositive();
			assertThat(HandlerFixture.entries(this.registration)).isZero();
			for (int slot = 0; slot < SLOTS; slot++) {
				assertThat(this.sharding.running(slot)).isZero();
			}
		}

	}

	private record Work(Replica owner, int invocations) {

	}

}
