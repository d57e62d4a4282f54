/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.informer.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The queue between the reflectors and the store: per key a list of deltas, keys in the
 * order of their first change, as client-go's DeltaFIFO. Unlike there the keys are
 * grouped into batches that the store takes in one step, and a replacement of the whole
 * state is such a batch of its own, whose deletions are worked out against the store when
 * its turn comes. So whatever is queued before it is applied before it, nothing queued
 * behind it can jump ahead, and the store is at an exact resource version after each
 * batch.
 * <p>
 * <b>Concurrency.</b> Any number of producers, one consumer. Everything is guarded by
 * {@code lock}, which is never held while a batch is processed: producers do not wait for
 * the processing of anything. A key that is being processed counts as known.
 *
 * @param <T> the type of the objects
 */
public final class DeltaFifo<T> {

	private static final int MAX_KEYS_PER_BATCH = 1000;

	private static final int MAX_ATTEMPTS = 3;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition notEmpty = this.lock.newCondition();

	private final TimeSource time;

	private final Predicate<String> stored;

	private final Deque<Queued<T>> batches = new ArrayDeque<>();

	private final Set<String> scopes;

	private final Set<String> unsyncedScopes;

	/** Scopes of which something was given up, and that were not replaced since. */
	private final Set<String> unsoundScopes = new HashSet<>();

	/** How often the batch in front has failed. */
	private int failures;

	private @Nullable Queued<T> processing;

	private boolean closed;

	private boolean nudged;

	/**
	 * Creates an empty queue.
	 * @param time the time
	 * @param stored tells whether the store has a key
	 * @param scopes the scopes that have to be replaced once before the queue counts as
	 * synced
	 */
	public DeltaFifo(TimeSource time, Predicate<String> stored, Collection<String> scopes) {
		this.time = time;
		this.stored = stored;
		this.scopes = Set.copyOf(scopes);
		this.unsyncedScopes = new HashSet<>(scopes);
	}

	/**
	 * Queues a change.
	 * @param scope the scope whose watch brought it
	 * @param key the key of the object
	 * @param delta what happened; a deletion of a key that is neither queued, nor being
	 * processed, nor in the store is ignored
	 * @param resourceVersion the version that the scope has reached with it
	 */
	public void add(String scope, String key, ObjectDelta<T> delta, String resourceVersion) {
		this.lock.lock();
		try {
			if (this.closed || this.unsoundScopes.contains(scope)) {
				return;
			}
			Batch.Changes<T> batch = openBatch();
			if (!delta.isDeletion() || isKnown(key)) {
				append(batch.deltas().computeIfAbsent(key, (any) -> new ArrayList<>(1)), delta);
			}
			batch.resourceVersions().put(scope, resourceVersion);
			this.notEmpty.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Queues the whole state of a scope.
	 * @param replacement the state
	 */
	public void replace(Batch.Replacement<T> replacement) {
		this.lock.lock();
		try {
			this.unsoundScopes.remove(replacement.scope());
			offer(replacement);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Queues the news that a scope has reached a resource version without a change. It
	 * travels behind what is queued, so the store is never ahead of itself.
	 * @param scope the scope
	 * @param resourceVersion the version
	 */
	public void progress(String scope, String resourceVersion) {
		this.lock.lock();
		try {
			if (!this.closed && !this.unsoundScopes.contains(scope)) {
				openBatch().resourceVersions().put(scope, resourceVersion);
				this.notEmpty.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Queues everything that is in the store to be told again. The objects are read from
	 * the store when their turn comes, so nothing goes back in time.
	 * @param handlers who shall be told
	 */
	public void resync(Set<String> handlers) {
		offer(new Batch.Resync<>(handlers, Set.of()));
	}

	/**
	 * Waits for the next batch and hands it to a processor. A batch that fails is put
	 * back in front, ahead of everything newer, and is given up at its third failure: see
	 * {@link #isSound()}. A resync that fails is given up at once, the next one does what
	 * it would have done.
	 * @param processor applies the batch as a whole or not at all; what it throws is
	 * thrown on
	 * @param maxWaitNanos how long to wait at most, in nanoseconds
	 * @return whether there may be more: false when the queue is closed and empty
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	public boolean pop(Consumer<Batch<T>> processor, long maxWaitNanos) throws InterruptedException {
		Queued<T> next = take(maxWaitNanos);
		if (next == null) {
			return !isExhausted();
		}
		boolean applied = false;
		try {
			processor.accept(next.batch());
			applied = true;
		}
		finally {
			finish(next, applied);
		}
		return true;
	}

	/**
	 * Since when what is being processed was in the queue: of several changes the first.
	 * @return the time of the queue's time source, in nanoseconds
	 * @throws IllegalStateException when nothing is being processed
	 */
	public long processingSince() {
		this.lock.lock();
		try {
			if (this.processing == null) {
				throw new IllegalStateException("Nothing is being processed");
			}
			return this.processing.since();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether everything that was queued is or was here. When a batch was given up it is
	 * not: whatever else is queued is thrown away then, and so is whatever comes, until
	 * each scope was replaced. So the store stays at the version before the failure, and
	 * somebody has to ask for the replacements.
	 * @return whether no scope waits for a replacement
	 */
	public boolean isSound() {
		this.lock.lock();
		try {
			return this.unsoundScopes.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether the first replacement of every scope has been processed.
	 * @return whether the store has been complete
	 */
	public boolean hasSynced() {
		this.lock.lock();
		try {
			return this.unsyncedScopes.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * How many objects are queued, those being processed not counted.
	 * @return the number of keys
	 */
	public int depth() {
		this.lock.lock();
		try {
			int depth = 0;
			for (Queued<T> queued : this.batches) {
				depth += keys(queued.batch()).size();
			}
			return depth;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes {@link #pop} return though there is nothing, because its caller has to think
	 * anew of how long to wait.
	 */
	public void nudge() {
		this.lock.lock();
		try {
			this.nudged = true;
			this.notEmpty.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes nothing more. What is queued can still be popped.
	 */
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.notEmpty.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void offer(Batch<T> batch) {
		this.lock.lock();
		try {
			if (!this.closed) {
				this.batches.add(new Queued<>(batch, this.time.nanoTime()));
				this.notEmpty.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isExhausted() {
		this.lock.lock();
		try {
			return this.closed && this.batches.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable Queued<T> take(long maxWaitNanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long began = this.time.nanoTime();
			while (this.batches.isEmpty() && !this.closed && !this.nudged) {
				long remaining = maxWaitNanos - (this.time.nanoTime() - began);
				if (remaining <= 0) {
					return null;
				}
				this.time.await(this.notEmpty, remaining);
			}
			this.nudged = false;
			Queued<T> next = this.batches.poll();
			if (next != null && next.batch() instanceof Batch.Resync<T> resync) {
				Set<String> queued = new HashSet<>();
				this.batches.forEach((later) -> queued.addAll(keys(later.batch())));
				next = new Queued<>(new Batch.Resync<>(resync.handlers(), queued), next.since());
			}
			this.processing = next;
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void finish(Queued<T> queued, boolean applied) {
		this.lock.lock();
		try {
			this.processing = null;
			if (applied) {
				this.failures = 0;
				if (queued.batch() instanceof Batch.Replacement<T> replacement) {
					this.unsyncedScopes.remove(replacement.scope());
				}
			}
			else if (!(queued.batch() instanceof Batch.Resync<T>)) {
				failed(queued);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void failed(Queued<T> queued) {
		this.failures++;
		if (this.failures < MAX_ATTEMPTS) {
			this.batches.addFirst(queued);
		}
		else {
			this.failures = 0;
			this.batches.clear();
			this.unsoundScopes.addAll(this.scopes);
		}
	}

	private Batch.Changes<T> openBatch() {
		Queued<T> last = this.batches.peekLast();
		if (last != null && last.batch() instanceof Batch.Changes<T> changes
				&& changes.deltas().size() < MAX_KEYS_PER_BATCH) {
			return changes;
		}
		Batch.Changes<T> changes = new Batch.Changes<>(new LinkedHashMap<>(), new HashMap<>());
		this.batches.add(new Queued<>(changes, this.time.nanoTime()));
		return changes;
	}

	private boolean isKnown(String key) {
		if (this.processing != null && keys(this.processing.batch()).contains(key)) {
			return true;
		}
		return this.stored.test(key) || this.batches.stream().anyMatch((queued) -> keys(queued.batch()).contains(key));
	}

	/**
	 * Two deletions in a row are one, the one that carries more.
	 */
	private static <T> void append(List<ObjectDelta<T>> deltas, ObjectDelta<T> delta) {
		int last = deltas.size() - 1;
		if (last < 0 || !delta.isDeletion() || !deltas.get(last).isDeletion()) {
			deltas.add(delta);
		}
		else if (delta.object() != null) {
			deltas.set(last, delta);
		}
	}

	private static Set<String> keys(Batch<?> batch) {
		if (batch instanceof Batch.Changes<?> changes) {
			return changes.deltas().keySet();
		}
		return (batch instanceof Batch.Replacement<?> replacement) ? replacement.objects().keySet() : Set.of();
	}

	/**
	 * A batch and since when it is here.
	 */
	private record Queued<T>(Batch<T> batch, long since) {

	}

}
