/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.Batch;
import dev.informer.cache.Delta;
import dev.informer.cache.DeltaFifo;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.processor.SharedProcessor;
import dev.informer.reflector.Reflector;
import dev.informer.support.FailureLog;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loop of the store's thread during one run: takes batches from the queue and has them
 * applied to the store and distributed to the handlers. Between batches it queues the
 * resyncs that are due and looks for mutated objects. A thread of {@link Run} repeats it,
 * also after a failure.
 * <p>
 * <b>Concurrency.</b> Confined to one thread.
 */
final class ProcessLoop<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final DefaultSharedIndexInformer<T> informer;

	private final TimeSource time;

	private final DeltaFifo<T> fifo;

	private final @Nullable AssignmentUpdater<T> namespaces;

	private final long started;

	/** Corrupted objects of the last batch by namespace, until they are reported. */
	private Map<String, List<UndecodableObject>> corrupted = Map.of();

	private boolean synced;

	private boolean failed;

	ProcessLoop(DefaultSharedIndexInformer<T> informer, Run<T> run) {
		this.informer = informer;
		this.time = informer.factory.time;
		this.fifo = run.fifo();
		Assignment assignment = informer.assignment;
		this.namespaces = (assignment != null) ? new AssignmentUpdater<>(informer, assignment, run) : null;
		this.started = this.time.nanoTime();
	}

	/**
	 * Process the next batch. After a failure, return once the queue has recovered from
	 * it.
	 * @return whether there may be more: {@code false} when the queue is closed and empty
	 */
	boolean processNext() {
		long maxWaitNanos = update();
		if (this.failed) {
			maxWaitNanos = retry(maxWaitNanos);
		}
		this.failed = true;
		boolean more = processNext(maxWaitNanos);
		while (more && this.fifo.isAwaitingRelist()) {
			more = processNext(update());
		}
		this.failed = false;
		return more;
	}

	/**
	 * Update the namespaces and the states of the reflectors, and return the nanoseconds
	 * until there is something to do without a batch.
	 */
	private long update() {
		long nanos = (this.namespaces != null) ? this.namespaces.update() : Long.MAX_VALUE;
		nanos = Math.min(nanos, this.informer.reflectors.checkProof());
		nanos = Math.min(nanos, this.informer.mutations.nanosToCheck());
		SharedProcessor<T> processor = this.informer.processor;
		return Math.min(nanos, Math.min(processor.nanosToResync(), processor.nanosToStartThreads()));
	}

	/**
	 * Prepare the retry of a batch, or the relist after a batch was given up, and return
	 * the nanoseconds to wait for a batch.
	 */
	private long retry(long maxWaitNanos) {
		if (this.fifo.isAwaitingRelist()) {
			this.informer.reflectors.relist(RelistReason.FAILURE);
			return maxWaitNanos;
		}
		return 0;
	}

	private boolean processNext(long maxWaitNanos) {
		// what a failure has left
		this.informer.updater.complete();
		reportCorrupted();
		boolean more = this.fifo.pop(this::process, maxWaitNanos);
		this.informer.updater.complete();
		reportCorrupted();
		this.informer.latch.changed();
		if (this.namespaces != null) {
			this.namespaces.excuseRefused();
		}
		if (!this.synced && this.fifo.hasSynced()) {
			synced();
			this.synced = true;
		}
		this.informer.processor.wakeHandlers();
		this.informer.mutations.check();
		if (this.informer.processor.nanosToResync() <= 0) {
			// taken in any case: a resync before the sync would deliver half of the state
			var due = this.informer.processor.takeResyncDue();
			if (this.fifo.hasSynced() && !due.isEmpty()) {
				this.fifo.add(new Delta.SyncAll<>(due));
			}
		}
		return more;
	}

	private void process(Batch<T> batch) {
		if (batch.deltas().get(0) instanceof Delta.SyncAll<T> sync) {
			this.informer.updater.syncAll(sync.handlers(), this.fifo.queuedKeys(), batch.receivedAt());
		}
		else {
			this.corrupted = this.informer.updater.apply(batch);
		}
	}

	private void reportCorrupted() {
		Map<String, List<UndecodableObject>> reported = this.corrupted;
		this.corrupted = Map.of();
		reported.forEach((namespace, objects) -> {
			Reflector<T> reflector = this.informer.reflectors.find(namespace);
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
		this.informer.updater.completed();
		this.informer.processor.initialListDistributed();
		Duration duration = Duration.ofNanos(this.time.nanoTime() - this.started);
		// logged first: a thread that waits for the informer may log as well
		FailureLog.log(() -> logger.atInfo().addKeyValue("informer", this.informer.name()),
				"Informer '" + this.informer.name() + "' synced " + this.informer.resourceType() + " ("
						+ this.informer.indexer.size() + " objects, " + TimeSource.millis(duration) + " ms)",
				null);
		this.informer.latch.synced();
		// only now: after a long list the threads of many handlers compete with this one
		this.informer.processor.wakeHandlers();
		this.informer.factory.listener.onEvent(new InformerEvent.Synced(this.informer, duration));
	}

}
