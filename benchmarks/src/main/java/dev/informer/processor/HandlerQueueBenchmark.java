/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.informer.InvocationGate;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.benchmarks.client.StoreObjects;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.NullMarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmark of the queue of a handler; figures are per update.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@NullMarked
@SuppressWarnings("NullAway.Init")
public class HandlerQueueBenchmark {

	private static final int UPDATES = 10_000;

	/** Queue policy. */
	@Param
	public QueuePolicy policy;

	/** Number of updated objects. */
	@Param({ "100", "10000" })
	public int objects;

	private final List<List<KeyedEvent<V1Pod>>> batches = new ArrayList<>();

	/**
	 * Create the updates.
	 */
	@Setup
	public void prepare() {
		StoreObjects store = new StoreObjects(this.objects);
		List<V1Pod> current = new ArrayList<>(store.pods().values());
		for (int update = 0; update < UPDATES; update++) {
			int index = update % this.objects;
			V1Pod next = StoreObjects.next(store.keys().get(index), update + 2L);
			ResourceEvent<V1Pod> event = new ResourceEvent.Updated<>(current.get(index), next);
			this.batches.add(List.of(new KeyedEvent<>(store.keys().get(index), KeyedEvent.uid(next), event)));
			current.set(index, next);
		}
	}

	/**
	 * Deliver each event before the next one.
	 * @return the number of deliveries
	 */
	@Benchmark
	@OperationsPerInvocation(UPDATES)
	public int oneByOne() {
		HandlerQueue<V1Pod> queue = new HandlerQueue<>(this.policy, InvocationGate.OPEN, TimeSource.SYSTEM);
		int delivered = 0;
		for (int update = 0; update < UPDATES; update++) {
			queue.add(this.batches.get(update), 0);
			delivered += deliver(queue);
		}
		return delivered;
	}

	/**
	 * Deliver all events after a burst.
	 * @return the number of deliveries
	 */
	@Benchmark
	@OperationsPerInvocation(UPDATES)
	public int burst() {
		HandlerQueue<V1Pod> queue = new HandlerQueue<>(this.policy, InvocationGate.OPEN, TimeSource.SYSTEM);
		for (int update = 0; update < UPDATES; update++) {
			queue.add(this.batches.get(update), 0);
		}
		return deliver(queue);
	}

	private static int deliver(HandlerQueue<V1Pod> queue) {
		int delivered = 0;
		QueueEntry<V1Pod> entry = queue.take(0);
		while (entry != null) {
			PendingDelivery<V1Pod> delivery = entry.delivery();
			queue.delivered(entry, new ResourceEvent.Updated<>(Objects.requireNonNull(delivery.lastDelivered()),
					Objects.requireNonNull(delivery.current())));
			delivered++;
			entry = queue.take(0);
		}
		return delivered;
	}

}
