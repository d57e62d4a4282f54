/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.reflector.Reflector;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * What the thread of the store repeats: it takes a batch from the queue and has it
 * applied to the store and distributed to the handlers. Between batches it applies
 * changed namespaces, queues the resyncs that are due and looks for mutated objects.
 * <p>
 * <b>Concurrency.</b> Confined to the thread of the store.
 */
final class StoreLoop<T extends KubernetesObject> {

	private final DeltaFifo<T> fifo;

	private final ReflectorSet<T> reflectors;

	private final @Nullable AssignmentUpdater<T> namespaces;

	private final StoreUpdater<T> updater;

	private final InformerReporter reporter;

	private final TimeSource time;

	private final Moment since;

	/** Corrupted objects of the last batch by namespace, until they are reported. */
	private Map<String, List<UndecodableObject>> corrupted = Map.of();

	private boolean syncReported;

	private boolean failed;

	/**
	 * Create a loop, whose duration of the sync begins now.
	 * @param namespaces applies changed namespaces; {@code null} if they are fixed
	 */
	StoreLoop(DeltaFifo<T> fifo, ReflectorSet<T> reflectors, @Nullable AssignmentUpdater<T> namespaces,
			StoreUpdater<T> updater, InformerReporter reporter, TimeSource time) {
		this.fifo = fifo;
		this.reflectors = reflectors;
		this.namespaces = namespaces;
		this.updater = updater;
		this.reporter = reporter;
		this.time = time;
		this.since = time.moment();
	}

	/**
	 * Process the next batch. After a failure, return once the queue has recovered from
	 * it.
	 * @return whether there may be more: {@code false} when the queue is closed and empty
	 */
	boolean updateStore() {
		long maxWaitNanos = update();
		if (this.failed && this.fifo.isAwaitingRelist()) {
			this.reflectors.relist(RelistReason.FAILURE);
		}
		else if (this.failed) {
			maxWaitNanos = 0;
		}
		this.failed = true;
		boolean more = processBatch(maxWaitNanos);
		while (more && this.fifo.isAwaitingRelist()) {
			more = processBatch(update());
		}
		this.failed = false;
		return more;
	}

	/**
	 * Return what a failure of {@link #updateStore()} means.
	 */
	String problem() {
		return "Cannot apply queued changes to the cache; " + (this.fifo.isAwaitingRelist() ? "relisting" : "retrying");
	}

	/**
	 * Update the namespaces and the states of the reflectors, and return the nanoseconds
	 * until there is something to do without a batch.
	 */
	private long update() {
		long nanos = (this.namespaces != null) ? this.namespaces.update() : Long.MAX_VALUE;
		return Math.min(nanos, Math.min(this.reflectors.superviseWatches(), this.updater.nanosToSupervision()));
	}

	private boolean processBatch(long maxWaitNanos) {
		// what a failure has left
		completeBatch();
		boolean more = this.fifo.pop(this::apply, maxWaitNanos);
		completeBatch();
		this.reporter.cacheChanged();
		if (this.namespaces != null) {
			this.namespaces.excuseRefused();
		}
		if (!this.syncReported && this.fifo.hasSynced()) {
			synced();
			this.syncReported = true;
		}
		// taken in any case: a resync before the sync would deliver half of the state
		Set<String> due = this.updater.supervise();
		if (!due.isEmpty() && this.fifo.hasSynced()) {
			this.fifo.add(new Delta.SyncAll<>(due));
		}
		return more;
	}

	private void apply(Batch<T> batch) {
		if (batch.deltas().get(0) instanceof Delta.SyncAll<T> sync) {
			this.updater.syncAll(sync.handlers(), this.fifo.queuedKeys(), batch.receivedAt());
		}
		else {
			this.corrupted = this.updater.apply(batch);
		}
	}

	private void completeBatch() {
		this.updater.complete();
		Map<String, List<UndecodableObject>> reported = this.corrupted;
		this.corrupted = Map.of();
		reported.forEach((namespace, objects) -> {
			Reflector<T> reflector = this.reflectors.find(namespace);
			if (reflector != null) {
				reflector.corrupted(objects);
			}
		});
	}

	/**
	 * Report the sync to handlers first, so that a thread that waits for the informer
	 * finds them informed.
	 */
	private void synced() {
		this.updater.synced();
		Duration duration = Duration.ofNanos(this.time.nanoTime() - this.since.nanoTime());
		this.reporter.synced(this.updater.size(), duration);
		// only now: after a long list the threads of many handlers compete with this one
		this.updater.wakeHandlers();
		this.reporter.publishSync(duration);
	}

}
