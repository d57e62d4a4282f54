/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.benchmarks.client.StoreObjects;
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
 * Sends updates through the queue of a handler; the figures are per update.
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

	/** What is kept while the handler is busy. */
	@Param
	public QueuePolicy policy;

	/** How many objects the updates are about. */
	@Param({ "100", "10000" })
	public int objects;

	private final List<String> keys = new ArrayList<>();

	private final List<ResourceEvent<V1Pod>> events = new ArrayList<>();

	/**
	 * Makes the updates.
	 */
	@Setup
	public void prepare() {
		StoreObjects store = new StoreObjects(this.objects);
		List<V1Pod> current = new ArrayList<>(store.pods().values());
		for (int update = 0; update < UPDATES; update++) {
			int index = update % this.objects;
			V1Pod next = StoreObjects.next(store.keys().get(index), update + 2L);
			this.keys.add(store.keys().get(index));
			this.events.add(new ResourceEvent.Updated<>(current.get(index), next));
			current.set(index, next);
		}
	}

	/**
	 * A handler that keeps up.
	 * @return how often it was told
	 */
	@Benchmark
	@OperationsPerInvocation(UPDATES)
	public int oneByOne() {
		HandlerQueue<V1Pod> queue = new HandlerQueue<>(this.policy);
		int told = 0;
		for (int update = 0; update < UPDATES; update++) {
			queue.offer(this.keys.get(update), this.events.get(update), 0);
			told += tell(queue);
		}
		return told;
	}

	/**
	 * A handler that is busy, and is told everything then.
	 * @return how often it was told
	 */
	@Benchmark
	@OperationsPerInvocation(UPDATES)
	public int burst() {
		HandlerQueue<V1Pod> queue = new HandlerQueue<>(this.policy);
		for (int update = 0; update < UPDATES; update++) {
			queue.offer(this.keys.get(update), this.events.get(update), 0);
		}
		return tell(queue);
	}

	private static int tell(HandlerQueue<V1Pod> queue) {
		int told = 0;
		HandlerQueue.Call<V1Pod> call = queue.take(0);
		while (call != null) {
			PendingDelivery<V1Pod> transition = call.transition();
			queue.told(call, new ResourceEvent.Updated<>(Objects.requireNonNull(transition.told()),
					Objects.requireNonNull(transition.now())));
			told++;
			call = queue.take(0);
		}
		return told;
	}

}
