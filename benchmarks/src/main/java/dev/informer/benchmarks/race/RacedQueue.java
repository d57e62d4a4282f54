/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.race;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.TimeSource;
import dev.informer.cache.Batch;
import dev.informer.cache.DeltaFifo;
import dev.informer.cache.DeltaType;
import dev.informer.cache.ObjectDelta;

/**
 * A queue of numbers, and a store that knows which keys there are.
 */
final class RacedQueue {

	private final Set<String> stored = ConcurrentHashMap.newKeySet();

	private final StringBuffer taken = new StringBuffer();

	private final DeltaFifo<Integer> fifo = new DeltaFifo<>(TimeSource.SYSTEM, this.stored::contains,
			List.of("one", "two"));

	void add(String scope, String key, int number) {
		this.fifo.add(scope, key, new ObjectDelta<>(DeltaType.ADDED, number), Integer.toString(number));
	}

	void delete(String scope, String key, int number) {
		this.fifo.add(scope, key, new ObjectDelta<>(DeltaType.DELETED, number), Integer.toString(number));
	}

	void close() {
		this.fifo.close();
	}

	/**
	 * Takes a batch, and applies it.
	 * @param maxWaitNanos how long to wait for one
	 */
	void take(long maxWaitNanos) {
		try {
			this.fifo.pop(this::apply, maxWaitNanos);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void apply(Batch<Integer> batch) {
		if (batch instanceof Batch.Changes<Integer> changes) {
			changes.deltas().forEach((key, deltas) -> deltas.forEach((delta) -> {
				this.taken.append(delta.object());
				if (delta.type() == DeltaType.DELETED) {
					this.stored.remove(key);
				}
				else {
					this.stored.add(key);
				}
			}));
		}
	}

	/**
	 * The numbers that were taken, in their order.
	 */
	String taken() {
		return this.taken.toString();
	}

	int stored() {
		return this.stored.size();
	}

}
