/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.client.TimeSource;
import dev.informer.work.StateLock;
import org.jspecify.annotations.Nullable;

/**
 * Queue of deltas between the reflectors and the store, in the order of their arrival, as
 * client-go's RealFIFO. It hands them over in batches, which the store takes in one step:
 * after each batch the store is at an exact resource version of every namespace, and no
 * delta overtakes an earlier one.
 * <p>
 * <b>Concurrency.</b> Any number of producers, one consumer. Everything is guarded by
 * {@code lock}, which is not held while a batch is processed: producers never wait for
 * the store. A batch changes only as long as it is queued, so the consumer reads it
 * without the lock.
 */
public final class DeltaFifo<T> {

	private static final int MAX_BATCH_SIZE = 1000;

	private static final int MAX_ATTEMPTS = 3;

	private final StateLock lock;

	private final TimeSource time;

	private final Deque<Batch<T>> batches = new ArrayDeque<>();

	/** Namespaces whose first list was not applied. */
	private final Set<String> unsynced;

	/** Namespaces that are to be listed again, because a batch was given up. */
	private final Set<String> awaitingRelist = new HashSet<>();

	private Set<String> namespaces;

	private boolean synced;

	private @Nullable Batch<T> inProcess;

	/** Number of failures of the batch in front. */
	private int failures;

	private boolean closed;

	private boolean nudged;

	/**
	 * Create an empty queue, whose sync is completed by the first
	 * {@link Delta.ReplacedAll} of every namespace. The namespaces are empty if they
	 * follow by {@link #assign}.
	 */
	public DeltaFifo(TimeSource time, Collection<String> namespaces) {
		this.lock = new StateLock(time);
		this.time = time;
		this.namespaces = Set.copyOf(namespaces);
		this.unsynced = new HashSet<>(namespaces);
	}

	/**
	 * Add a delta. It is dropped when the queue is closed, or when its namespace awaits a
	 * relist, see {@link #isAwaitingRelist()}.
	 */
	public void add(Delta<T> delta) {
		add(delta, () -> true);
	}

	/**
	 * Add a delta of a reflector if {@code current} is true: the reflector has not ended.
	 * The condition is evaluated together with the insertion. So once it is false,
	 * {@link #assign} finds all deltas that the reflector has added, and no other one
	 * follows.
	 */
	public void add(Delta<T> delta, BooleanSupplier current) {
		this.lock.change(() -> {
			if (!current.getAsBoolean()) {
				return;
			}
			if (delta instanceof Delta.ReplacedAll<T>) {
				this.awaitingRelist.remove(delta.namespace());
			}
			boolean dropped = !(delta instanceof Delta.SyncAll<T>) && this.awaitingRelist.contains(delta.namespace());
			if (!this.closed && !dropped) {
				batchFor(delta).deltas().add(delta);
			}
		});
	}

	/**
	 * Set the namespaces from now on and queue a {@link Delta.Assigned}. Queued deltas of
	 * other namespaces are dropped, because the store removes the objects of these. To be
	 * called by the consumer, when the reflectors of other namespaces have ended.
	 */
	public void assign(Set<String> assigned) {
		this.lock.change(() -> {
			Batch<T> front = this.batches.peek();
			this.batches.forEach((batch) -> batch.deltas().removeIf((delta) -> isSuperseded(delta, assigned)));
			this.batches.removeIf((batch) -> batch.deltas().isEmpty());
			if (front != this.batches.peek()) {
				this.failures = 0;
			}
			this.awaitingRelist.retainAll(assigned);
			this.unsynced.retainAll(assigned);
			assigned.stream().filter((each) -> !this.namespaces.contains(each)).forEach(this.unsynced::add);
			this.namespaces = Set.copyOf(assigned);
			addAssigned();
		});
	}

	private boolean isSuperseded(Delta<T> delta, Set<String> assigned) {
		return delta instanceof Delta.Assigned<T>
				|| (this.namespaces.contains(delta.namespace()) && !assigned.contains(delta.namespace()));
	}

	private void addAssigned() {
		Delta<T> delta = new Delta.Assigned<>(this.namespaces);
		batchFor(delta).deltas().add(delta);
	}

	/**
	 * Complete the sync without the lists of some namespaces.
	 */
	public void excuse(Set<String> excused) {
		this.lock.change(() -> {
			if (this.unsynced.removeAll(excused)) {
				updateSynced();
			}
		});
	}

	/**
	 * Wait for the next batch and have it processed, as a whole or not at all. May return
	 * early without one: the caller computes the waiting time again. The exception of the
	 * processor is rethrown. A batch that fails is put back in front of everything newer
	 * and is given up at its third failure, see {@link #isAwaitingRelist()}. A failed
	 * {@link Delta.SyncAll} is not retried: the next resync delivers the same.
	 * @return whether there may be more: false when the queue is closed and empty, which
	 * is the only end; an interrupt only ends the waiting time and is cleared
	 */
	public boolean pop(Consumer<Batch<T>> processor, long maxWaitNanos) {
		Batch<T> batch = take(maxWaitNanos);
		if (batch == null) {
			return this.lock.get(() -> !this.closed || !this.batches.isEmpty());
		}
		boolean applied = false;
		try {
			processor.accept(batch);
			applied = true;
		}
		finally {
			finish(batch, applied);
		}
		return true;
	}

	/**
	 * Return whether a namespace awaits a relist, because a batch was given up. The queue
	 * was cleared then, and drops the deltas of a namespace until its next
	 * {@link Delta.ReplacedAll}: applied without the lost batch, they would bring the
	 * store to a state that the server never had. The caller has to request the relist.
	 */
	public boolean isAwaitingRelist() {
		return this.lock.get(() -> !this.awaitingRelist.isEmpty());
	}

	/**
	 * Return whether the first {@link Delta.ReplacedAll} of every namespace was
	 * processed. Namespaces that are assigned after that do not change it.
	 */
	public boolean hasSynced() {
		return this.lock.get(() -> this.synced);
	}

	/**
	 * Return whether a {@link Delta.ReplacedAll} is queued, in process, or awaited
	 * because a batch was given up. The store is at an earlier state until it is applied.
	 */
	public boolean isReplacing() {
		return this.lock
			.get(() -> isAwaitingRelist() || Stream.concat(Stream.ofNullable(this.inProcess), this.batches.stream())
				.anyMatch((batch) -> batch.deltas().get(0) instanceof Delta.ReplacedAll));
	}

	/**
	 * Return the number of queued objects, once for each of their deltas, without those
	 * of the batch in process.
	 */
	public int depth() {
		return this.lock.get(() -> this.batches.stream()
			.flatMap((batch) -> batch.deltas().stream())
			.mapToInt(DeltaFifo::size)
			.sum());
	}

	/**
	 * Return a copy of the keys of the queued objects. A resync leaves them out, because
	 * a newer state of them is about to be delivered.
	 */
	public Set<String> queuedKeys() {
		return this.lock.get(() -> this.batches.stream()
			.flatMap((batch) -> batch.deltas().stream())
			.flatMap(DeltaFifo::keys)
			.collect(Collectors.toSet()));
	}

	/**
	 * Wake the consumer, so that it returns from {@link #pop} and computes its waiting
	 * time again.
	 */
	public void nudge() {
		this.lock.change(() -> this.nudged = true);
	}

	/**
	 * Accept no more deltas. The queued ones can still be popped.
	 */
	public void close() {
		this.lock.change(() -> this.closed = true);
	}

	private @Nullable Batch<T> take(long maxWaitNanos) {
		// user code that was called for an earlier batch may have left the flag
		Thread.interrupted();
		try {
			this.lock.awaitChange(() -> !this.batches.isEmpty() || this.closed || this.nudged, maxWaitNanos);
		}
		catch (InterruptedException ex) {
			// only close() ends the consumer: it comes back and waits again
		}
		return this.lock.get(() -> {
			this.nudged = false;
			this.inProcess = this.batches.poll();
			return this.inProcess;
		});
	}

	private void finish(Batch<T> batch, boolean applied) {
		Delta<T> first = batch.deltas().get(0);
		this.lock.change(() -> {
			this.inProcess = null;
			if (applied) {
				this.failures = 0;
				if (first instanceof Delta.ReplacedAll<T>) {
					this.unsynced.remove(first.namespace());
					updateSynced();
				}
				else if (first instanceof Delta.Assigned<T>) {
					updateSynced();
				}
			}
			else if (!(first instanceof Delta.SyncAll<T>)) {
				failed(batch);
			}
		});
	}

	private void updateSynced() {
		this.synced |= this.unsynced.isEmpty();
	}

	private void failed(Batch<T> batch) {
		this.failures++;
		if (this.failures < MAX_ATTEMPTS) {
			this.batches.addFirst(batch);
		}
		else {
			this.failures = 0;
			boolean assigning = Stream.concat(Stream.of(batch), this.batches.stream()).anyMatch(DeltaFifo::isAssigned);
			this.batches.clear();
			// the batches of all namespaces are cleared, so all of them have to be listed
			this.awaitingRelist.addAll(this.namespaces);
			if (assigning) {
				addAssigned();
			}
		}
	}

	private Batch<T> batchFor(Delta<T> delta) {
		Batch<T> last = this.batches.peekLast();
		if (last != null && !isAlone(delta) && !isAlone(last.deltas().get(0))
				&& last.deltas().size() < MAX_BATCH_SIZE) {
			return last;
		}
		Batch<T> next = new Batch<>(new ArrayList<>(1), this.time.nanoTime());
		this.batches.add(next);
		return next;
	}

	private static boolean isAssigned(Batch<?> batch) {
		return batch.deltas().get(0) instanceof Delta.Assigned;
	}

	private static boolean isAlone(Delta<?> delta) {
		return delta instanceof Delta.ReplacedAll || delta instanceof Delta.SyncAll || delta instanceof Delta.Assigned;
	}

	private static int size(Delta<?> delta) {
		if (delta instanceof Delta.ReplacedAll<?> state) {
			return state.objects().size();
		}
		return (delta instanceof Delta.Upserted || delta instanceof Delta.Deleted) ? 1 : 0;
	}

	private static Stream<String> keys(Delta<?> delta) {
		if (delta instanceof Delta.ReplacedAll<?> state) {
			return state.objects().keySet().stream();
		}
		if (delta instanceof Delta.Upserted<?> change) {
			return Stream.of(change.key());
		}
		return (delta instanceof Delta.Deleted<?> deletion) ? Stream.of(deletion.key()) : Stream.empty();
	}

}
