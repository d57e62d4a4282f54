/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.processor.Entry.State;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the undelivered events of a handler, per object. An object is either ready,
 * delayed until the retry of a failed delivery, or being delivered, so that the events of
 * one object are delivered in order. Of several ready objects, the one with the oldest
 * pending event comes first.
 * <p>
 * No event is ready while the handler is paused, except those that were pending when it
 * was suspended.
 * <p>
 * The queue keeps an entry for an object while events are pending, and while the last
 * delivered state is not the current one: a filter may have hidden a change.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the {@link HandlerLock}.
 *
 * @param <T> the type of the objects
 */
final class HandlerQueue<T extends KubernetesObject> {

	private static final Set<PauseReason> SUSPENDED = Set.of(PauseReason.SUSPENDED);

	private final Map<String, Entry<T>> entries = new HashMap<>();

	private final TreeSet<Entry<T>> ready = new TreeSet<>(
			Comparator.comparingLong((entry) -> entry.pending().position()));

	private final TreeSet<Entry<T>> delayed = new TreeSet<>(HandlerQueue::compareDue);

	private final QueuePolicy policy;

	private final EnumSet<PauseReason> pauseReasons = EnumSet.noneOf(PauseReason.class);

	/** Position up to which events are ready although the handler is suspended. */
	private long suspendedAt;

	private long position;

	private int size;

	private int initialSize;

	HandlerQueue(QueuePolicy policy) {
		this.policy = policy;
	}

	/**
	 * Add an event, in the order of the changes of the cache.
	 * @param key the key of the object
	 * @param event the event
	 * @param receivedNanos the time at which the event was received
	 */
	void add(String key, ResourceEvent<T> event, long receivedNanos) {
		Entry<T> entry = this.entries.get(key);
		if (entry == null) {
			entry = new Entry<>(key, newPending(event));
			this.entries.put(key, entry);
		}
		subtractSizes(entry);
		entry.pending().add(event, this.position++, receivedNanos);
		addSizes(entry);
		if (entry.state() != State.DELIVERING) {
			reindex(entry);
		}
	}

	private Pending<T> newPending(ResourceEvent<T> event) {
		return (this.policy == QueuePolicy.COALESCE) ? new CoalescedPending<>(event.previous())
				: new KeepAllPending<>();
	}

	/**
	 * Take the object that has been ready longest. {@link #delivered} or {@link #failed}
	 * has to follow; until then no other event of the object is taken.
	 * @param now the current time, in nanoseconds
	 * @return the object; {@code null} when none is ready
	 */
	@Nullable Item<T> take(long now) {
		while (!this.delayed.isEmpty() && this.delayed.first().due() - now <= 0) {
			makeReady(this.delayed.first());
		}
		if (!isReady()) {
			return null;
		}
		Entry<T> entry = Objects.requireNonNull(this.ready.pollFirst());
		entry.state(State.DELIVERING);
		long receivedNanos = entry.pending().receivedNanos();
		subtractSizes(entry);
		PendingDelivery<T> delivery = entry.pending().begin();
		addSizes(entry);
		return new Item<>(entry, delivery, receivedNanos);
	}

	/**
	 * End a delivery: the event has been delivered, was filtered out, or is not retried
	 * any more.
	 * @param item the item that was taken
	 * @param event the event; {@code null} for none
	 */
	void delivered(Item<T> item, @Nullable ResourceEvent<T> event) {
		Entry<T> entry = item.entry();
		if (this.entries.get(entry.key()) != entry) {
			return;
		}
		subtractSizes(entry);
		entry.pending().delivered(item.delivery().stateAfter(event));
		addSizes(entry);
		entry.resetFailures();
		entry.state(State.IDLE);
		reindex(entry);
	}

	/**
	 * End a delivery that has failed and is retried.
	 * @param item the item that was taken
	 * @param event the event; {@code null} if it could not be composed
	 * @param due the time of the retry, in nanoseconds
	 */
	void failed(Item<T> item, @Nullable ResourceEvent<T> event, long due) {
		Entry<T> entry = item.entry();
		if (this.entries.get(entry.key()) != entry) {
			return;
		}
		subtractSizes(entry);
		entry.pending().failed();
		addSizes(entry);
		entry.addFailure(event, due);
		entry.state(State.DELAYED);
		this.delayed.add(entry);
		reindex(entry);
	}

	/**
	 * Add or remove a reason for which the handler is paused. A handler that is suspended
	 * retries delayed events at once.
	 */
	void setPaused(PauseReason reason, boolean paused) {
		boolean changed = paused ? this.pauseReasons.add(reason) : this.pauseReasons.remove(reason);
		if (changed && reason == PauseReason.SUSPENDED) {
			// a handler that is paused for another reason, too, has nothing to drain
			this.suspendedAt = SUSPENDED.equals(this.pauseReasons) ? this.position : 0;
			retryNow();
		}
	}

	boolean isPaused(PauseReason reason) {
		return this.pauseReasons.contains(reason);
	}

	/**
	 * Let no event be ready any more while the handler is suspended.
	 */
	void endDrain() {
		this.suspendedAt = 0;
	}

	/**
	 * Make all delayed objects ready.
	 */
	void retryNow() {
		List.copyOf(this.delayed).forEach(this::makeReady);
	}

	/**
	 * Return whether an event can be delivered.
	 */
	boolean isReady() {
		return !this.ready.isEmpty() && this.ready.first().pending().position() < limit();
	}

	/**
	 * Return the position up to which events may be delivered.
	 */
	private long limit() {
		if (this.pauseReasons.isEmpty()) {
			return Long.MAX_VALUE;
		}
		return SUSPENDED.equals(this.pauseReasons) ? this.suspendedAt : 0;
	}

	/**
	 * Return the time until an object is ready.
	 * @param now the current time, in nanoseconds
	 * @return nanoseconds; {@link Long#MAX_VALUE} when nothing is pending
	 */
	long nanosToNext(long now) {
		if (isReady()) {
			return 0;
		}
		return (this.delayed.isEmpty() || limit() == 0) ? Long.MAX_VALUE
				: Math.max(0, this.delayed.first().due() - now);
	}

	/**
	 * Return the number of idle threads that the queue needs: one for each ready object,
	 * and one that waits for the next retry.
	 */
	int threadsNeeded() {
		return (isReady() ? this.ready.size() : 0) + (this.delayed.isEmpty() ? 0 : 1);
	}

	/**
	 * Return the number of pending events, without those that are being delivered. Under
	 * {@link QueuePolicy#COALESCE} it is the number of objects with a pending event.
	 */
	int size() {
		return this.size;
	}

	/**
	 * Return the number of undelivered events of the initial list, including those that
	 * are being delivered.
	 */
	int initialSize() {
		return this.initialSize;
	}

	/**
	 * Return the number of objects that have an entry.
	 */
	int entries() {
		return this.entries.size();
	}

	/**
	 * Remove all events.
	 */
	void clear() {
		this.entries.clear();
		this.ready.clear();
		this.delayed.clear();
		this.size = 0;
		this.initialSize = 0;
	}

	private void subtractSizes(Entry<T> entry) {
		this.size -= entry.pending().size();
		this.initialSize -= entry.pending().initialSize();
	}

	private void addSizes(Entry<T> entry) {
		this.size += entry.pending().size();
		this.initialSize += entry.pending().initialSize();
	}

	/**
	 * Put an object that is not being delivered where it belongs. An entry in
	 * {@code ready} or {@code delayed} keeps its position: both sets sort by it.
	 */
	private void reindex(Entry<T> entry) {
		if (entry.pending().size() > 0) {
			if (entry.state() == State.IDLE) {
				entry.state(State.READY);
				this.ready.add(entry);
			}
			return;
		}
		if (entry.state() != State.IDLE) {
			((entry.state() == State.READY) ? this.ready : this.delayed).remove(entry);
			entry.state(State.IDLE);
			entry.resetFailures();
		}
		if (entry.pending().isUpToDate()) {
			this.entries.remove(entry.key());
		}
	}

	private void makeReady(Entry<T> entry) {
		this.delayed.remove(entry);
		entry.state(State.READY);
		this.ready.add(entry);
	}

	private static int compareDue(Entry<?> one, Entry<?> other) {
		// nanoTime may overflow: only differences can be compared
		int order = Long.signum(one.due() - other.due());
		return (order != 0) ? order : Long.compare(one.pending().position(), other.pending().position());
	}

	/**
	 * Object that was taken from the queue for a delivery.
	 *
	 * @param <T> the type of the object
	 * @param entry the entry of the object
	 * @param delivery the difference to deliver
	 * @param receivedNanos the time at which the oldest undelivered change was received
	 */
	record Item<T extends KubernetesObject>(Entry<T> entry, PendingDelivery<T> delivery, long receivedNanos) {

	}

}
