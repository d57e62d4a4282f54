/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.race;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.client.TimeSource;

/**
 * Queue of numbers with a store of their keys.
 */
final class RacedQueue {

	private final Set<String> stored = ConcurrentHashMap.newKeySet();

	private final StringBuffer taken = new StringBuffer();

	private final DeltaFifo<Integer> fifo = new DeltaFifo<>(TimeSource.SYSTEM, List.of("one", "two"));

	void add(String namespace, String key, int number) {
		this.fifo.add(new Delta.Upserted<>(namespace, key, number, Integer.toString(number)));
	}

	void delete(String namespace, String key, int number) {
		this.fifo.add(new Delta.Deleted<>(namespace, key, number, Integer.toString(number)));
	}

	void close() {
		this.fifo.close();
	}

	/**
	 * Take a batch, and apply it.
	 * @param maxWaitNanos the maximum wait for a batch
	 */
	void take(long maxWaitNanos) {
		this.fifo.pop(this::apply, maxWaitNanos);
	}

	private void apply(Batch<Integer> batch) {
		for (Delta<Integer> delta : batch.deltas()) {
			this.taken.append(delta.resourceVersion());
			if (delta instanceof Delta.Upserted<Integer> change) {
				this.stored.add(change.key());
			}
			else if (delta instanceof Delta.Deleted<Integer> deletion) {
				this.stored.remove(deletion.key());
			}
		}
	}

	/**
	 * Return the numbers that were taken, in their order.
	 */
	String taken() {
		return this.taken.toString();
	}

	int stored() {
		return this.stored.size();
	}

}
