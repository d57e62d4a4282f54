/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.micro;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Benchmark of the queue between watch and store; figures are per update.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DeltaFifoBenchmark {

	private static final int UPDATES = 10_000;

	private final StoreUpdates updates = new StoreUpdates(UPDATES);

	private final DeltaFifo<V1Pod> fifo = new DeltaFifo<>(TimeSource.SYSTEM, Set.of(""));

	/**
	 * Queue one update and take it, repeatedly: handler and store keep up.
	 * @param blackhole the consumer of the updates
	 * @throws InterruptedException if the thread is interrupted while it waits for the
	 * queue
	 */
	@Benchmark
	@OperationsPerInvocation(UPDATES)
	public void oneByOne(Blackhole blackhole) throws InterruptedException {
		List<String> keys = this.updates.keys();
		for (int update = 0; update < UPDATES; update++) {
			add(keys.get(update), update);
			this.fifo.pop(blackhole::consume, 0);
		}
	}

	/**
	 * Queue many updates, then take them: a burst.
	 * @param blackhole the consumer of the updates
	 * @throws InterruptedException if the thread is interrupted while it waits for the
	 * queue
	 */
	@Benchmark
	@OperationsPerInvocation(UPDATES)
	public void burst(Blackhole blackhole) throws InterruptedException {
		List<String> keys = this.updates.keys();
		for (int update = 0; update < UPDATES; update++) {
			add(keys.get(update), update);
		}
		while (this.fifo.depth() > 0) {
			this.fifo.pop(blackhole::consume, 0);
		}
	}

	/**
	 * Queue updates of the same few objects repeatedly, then take them.
	 * @param blackhole the consumer of the updates
	 * @throws InterruptedException if the thread is interrupted while it waits for the
	 * queue
	 */
	@Benchmark
	@OperationsPerInvocation(UPDATES)
	public void burstOfFewObjects(Blackhole blackhole) throws InterruptedException {
		List<String> keys = this.updates.keys();
		for (int update = 0; update < UPDATES; update++) {
			add(keys.get(update % 100), update);
		}
		while (this.fifo.depth() > 0) {
			this.fifo.pop(blackhole::consume, 0);
		}
	}

	private void add(String key, int update) {
		this.fifo.add(new Delta.Upserted<>("", key, this.updates.pod(update), this.updates.version(update)));
	}

}
