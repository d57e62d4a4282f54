/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Access;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.processor.Entry.State;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the undelivered events of a handler, per object. An object is either waiting,
 * see {@link WaitingEntries}, or being delivered, so that the events of one object are
 * delivered in order. Of several ready objects, the one with the oldest pending event
 * comes first. Objects that are held by the gate are not counted.
 * <p>
 * No event is ready while the handler is paused, except those that were pending when it
 * was suspended. The queue keeps an entry for an object while events are pending, and
 * while the last delivered state is not the current one: a filter may have hidden it.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the {@link HandlerLock}.
 *
 * @param <T> the type of the objects
 */
final class HandlerQueue<T extends KubernetesObject> {

	private final Map<String, Entry<T>> entries = new HashMap<>();

	private final WaitingEntries<T> waiting;

	private final QueuePolicy policy;

	private final PauseState pauses;

	private final InvocationGate gate;

	private final IncomingEvents<T> incoming = new IncomingEvents<>(this::accept);

	private long position;

	private int size;

	private int initialSize;

	/**
	 * Create an empty queue.
	 * @param policy the policy for pending events
	 * @param pauses the reasons for which the handler is paused
	 * @param gate the gate of the handler
	 */
	HandlerQueue(QueuePolicy policy, PauseState pauses, InvocationGate gate) {
		this.policy = policy;
		this.pauses = pauses;
		this.gate = gate;
		this.waiting = new WaitingEntries<>(gate);
	}

	/**
	 * Add a batch of events, in the order of the changes of the cache.
	 * @param events the events, which do not change any more
	 * @param receivedNanos the time at which they were received
	 */
	void add(List<KeyedEvent<T>> events, long receivedNanos) {
		this.incoming.accept();
		this.incoming.set(events, receivedNanos, this.entries.isEmpty());
	}

	private void accept(KeyedEvent<T> keyed, long receivedNanos) {
		Entry<T> entry = entry(keyed.key(), keyed.event().previous(), keyed.uid());
		count(entry, -1);
		try {
			entry.pending().add(keyed, this.position++, receivedNanos);
			if (entry.state() != State.DELIVERING) {
				reindex(entry);
			}
		}
		finally {
			count(entry, 1);
		}
	}

	private Entry<T> entry(String key, @Nullable T lastDelivered, @Nullable String uid) {
		return this.entries.computeIfAbsent(key, (added) -> new Entry<>(added, (this.policy == QueuePolicy.COALESCE)
				? new CoalescedPending<>(lastDelivered, uid) : new KeepAllPending<>()));
	}

	/**
	 * Take the object that has been ready longest. {@link #delivered} or {@link #failed}
	 * has to follow; until then no other event of the object is taken.
	 * @param now the current time, in nanoseconds
	 * @return the object; {@code null} when none is ready
	 */
	@Nullable QueueItem<T> take(long now) {
		this.waiting.retryDue(now);
		if (!isReady()) {
			return null;
		}
		Entry<T> entry = this.waiting.takeReady();
		entry.beginDelivery(now);
		long position = entry.pending().position();
		long receivedNanos = entry.pending().receivedNanos();
		count(entry, -1);
		PendingDelivery<T> delivery = entry.pending().begin();
		count(entry, 1);
		boolean gone = entry.access() == Access.GONE && delivery.isDeletion();
		return new QueueItem<>(entry, gone ? delivery.unwatched() : delivery, position, receivedNanos);
	}

	/**
	 * Return whether an item that was taken may be delivered now: the handler may have
	 * been paused since.
	 */
	boolean isPermitted(QueueItem<T> item) {
		return item.position() < this.pauses.limit();
	}

	/**
	 * End a delivery: the event has been delivered, was filtered out, or is not retried
	 * any more.
	 * @param item the item that was taken
	 * @param event the event; {@code null} for none
	 */
	void delivered(QueueItem<T> item, @Nullable ResourceEvent<T> event) {
		endDelivery(item, (entry) -> {
			entry.pending().delivered(item.delivery().stateAfter(event));
			entry.resetFailures();
			entry.state(State.IDLE);
		});
	}

	/**
	 * End a delivery that has failed and is retried.
	 * @param item the item that was taken
	 * @param event the event; {@code null} if it could not be composed
	 * @param due the time of the retry, in nanoseconds
	 */
	void failed(QueueItem<T> item, @Nullable ResourceEvent<T> event, long due) {
		endDelivery(item, (entry) -> {
			entry.pending().failed();
			entry.addFailure(event, due);
			this.waiting.addDelayed(entry);
		});
	}

	/**
	 * End a delivery that the handler has postponed, which is no failure.
	 * @param item the item that was taken
	 * @param due the time of the next attempt, in nanoseconds
	 */
	void postponed(QueueItem<T> item, long due) {
		endDelivery(item, (entry) -> {
			entry.pending().failed();
			entry.postpone(due);
			this.waiting.addDelayed(entry);
		});
	}

	/**
	 * Put back an item whose delivery has not begun.
	 * @param item the item that was taken
	 */
	void putBack(QueueItem<T> item) {
		endDelivery(item, (entry) -> {
			entry.pending().failed();
			entry.state(State.IDLE);
		});
	}

	/** Do nothing if the queue was cleared since. */
	private void endDelivery(QueueItem<T> item, Consumer<Entry<T>> end) {
		this.incoming.acceptChanges();
		Entry<T> entry = item.entry();
		if (this.entries.get(entry.key()) == entry) {
			count(entry, -1);
			end.accept(entry);
			reindex(entry);
			count(entry, 1);
		}
	}

	/**
	 * Make a difference pending that was given up before, together with any later change
	 * of the object.
	 * @param key the key of the object
	 * @param undelivered the difference
	 * @param now the current time, in nanoseconds
	 * @return whether it is pending; {@code false} if an event of the object is being
	 * delivered, or if the object was deleted or recreated since
	 */
	boolean restore(String key, PendingDelivery<T> undelivered, long now) {
		this.incoming.accept();
		Entry<T> entry = entry(key, undelivered.current(), undelivered.uid());
		if (entry.state() == State.DELIVERING) {
			return false;
		}
		count(entry, -1);
		boolean restored = entry.pending().restore(undelivered, this.position++, now);
		reindex(entry);
		count(entry, 1);
		return restored;
	}

	/**
	 * Pause while the gate is closed for the handler as a whole.
	 */
	void updatePause() {
		setPaused(PauseReason.GATE_CLOSED, !this.gate.isOpen(), null);
	}

	/**
	 * Hold the objects for which the gate has closed, and those no longer for which it
	 * has opened.
	 */
	void gateChanged() {
		updatePause();
		this.waiting.misplaced().forEach((entry) -> {
			count(entry, -1);
			this.waiting.remove(entry);
			reindex(entry);
			count(entry, 1);
		});
	}

	/**
	 * Add or remove a reason for which the handler is paused. A handler that is suspended
	 * retries delayed events at once.
	 * @param requestedBy the caller; {@code null} for the factory of the informer
	 */
	void setPaused(PauseReason reason, boolean paused, @Nullable String requestedBy) {
		this.incoming.accept();
		if (this.pauses.set(reason, paused, requestedBy, this.position) && reason == PauseReason.SUSPENDED) {
			retryNow();
		}
	}

	/**
	 * Make all delayed objects ready.
	 */
	void retryNow() {
		this.incoming.accept();
		this.waiting.delayed().forEach(this.waiting::retryNow);
	}

	/**
	 * Make a delayed object ready.
	 * @return whether it was delayed
	 */
	boolean retryNow(String key) {
		this.incoming.accept();
		Entry<T> entry = this.entries.get(key);
		if (entry == null || entry.state() != State.DELAYED) {
			return false;
		}
		this.waiting.retryNow(entry);
		return true;
	}

	WaitingEntries<T> waiting() {
		this.incoming.accept();
		return this.waiting;
	}

	@Nullable Entry<T> find(String key) {
		this.incoming.accept();
		return this.entries.get(key);
	}

	/**
	 * Return whether an event can be delivered.
	 */
	boolean isReady() {
		this.incoming.acceptChanges();
		while (this.waiting.firstReady() == null && !this.incoming.isEmpty()) {
			this.incoming.acceptPart();
		}
		Entry<T> first = this.waiting.firstReady();
		return first != null && first.pending().position() < this.pauses.limit();
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
		return (this.pauses.limit() == 0) ? Long.MAX_VALUE : this.waiting.nanosToRetry(now);
	}

	/**
	 * Return the number of idle threads that the queue needs: one for each ready object,
	 * and one that waits for the next retry.
	 * @param idle whether there is one, which accepts the incoming events and starts more
	 */
	int threadsNeeded(boolean idle) {
		if (idle && !this.incoming.isEmpty()) {
			return 1;
		}
		return (isReady() ? this.waiting.readySize() : 0) + Math.min(1, this.waiting.delayedSize());
	}

	/**
	 * Return the number of pending events, without those that are being delivered. Under
	 * {@link QueuePolicy#COALESCE} it is the number of objects with a pending event.
	 */
	int size() {
		this.incoming.accept();
		return this.size;
	}

	/**
	 * Return whether an event of the initial list may be undelivered, including those
	 * that are being delivered. Accepts no batch: one with an event of the initial list
	 * counts.
	 */
	boolean hasInitial() {
		return this.initialSize > 0 || this.incoming.hasInitial();
	}

	Collection<Entry<T>> entries() {
		this.incoming.accept();
		return Collections.unmodifiableCollection(this.entries.values());
	}

	/**
	 * Remove all events.
	 */
	void clear() {
		this.incoming.clear();
		this.entries.clear();
		this.waiting.clear();
		this.size = 0;
		this.initialSize = 0;
	}

	/**
	 * Add the sizes of an object that is not held to the totals, or subtract them.
	 */
	private void count(Entry<T> entry, int sign) {
		if (entry.state() != State.HELD) {
			this.size += sign * entry.pending().size();
			this.initialSize += sign * entry.pending().initialSize();
		}
	}

	/**
	 * Put an object that is not being delivered where it belongs.
	 */
	private void reindex(Entry<T> entry) {
		if (entry.pending().size() > 0) {
			if (entry.state() == State.IDLE) {
				this.waiting.add(entry);
			}
			else {
				this.waiting.update(entry);
			}
			return;
		}
		if (entry.state() != State.IDLE) {
			this.waiting.remove(entry);
			entry.resetFailures();
		}
		if (entry.pending().isUpToDate()) {
			this.entries.remove(entry.key());
		}
	}

}
