/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.informer.InvocationGate;
import dev.informer.InvocationGate.Access;
import dev.informer.InvocationGate.Target;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.client.TimeSource;
import dev.informer.processor.QueueEntry.State;
import dev.informer.work.WorkerThreads;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the undelivered events of a handler, per object. An object is being delivered,
 * or it is ready, delayed until the retry of a failed delivery, or held because the gate
 * of the handler is closed for it. So the events of one object are delivered in order. Of
 * several ready objects, the one with the oldest pending event comes first. Objects that
 * are held are not counted.
 * <p>
 * No event is ready while the handler is paused, except those that were pending when it
 * was suspended. The queue keeps an entry for an object while events are pending, and
 * while the last delivered state is not the current one: a filter may have hidden it.
 * <p>
 * The last batch is kept as it was added, and accepted when the queue is used next,
 * usually by a thread of the handler, so the informer does not process a long list once
 * per handler. Deliveries accept an initial list in parts if nothing else is pending, so
 * not all handlers have entries for all objects at the same time. Of other batches, they
 * need all events: the last state of an object is to be delivered.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the lock of {@link WorkerThreads}.
 */
final class HandlerQueue<T extends KubernetesObject> {

	/**
	 * Number of events of a part of the initial list, above that of a batch of changes.
	 */
	private static final int PART = 2_000;

	private static final Set<PauseReason> SUSPENDED = Set.of(PauseReason.SUSPENDED);

	private final QueuePolicy policy;

	private final InvocationGate gate;

	private final TimeSource time;

	private final Map<String, QueueEntry<T>> entries = new HashMap<>();

	private final TreeSet<QueueEntry<T>> ready = new TreeSet<>(Comparator.comparingLong(QueueEntry::position));

	private final TreeSet<QueueEntry<T>> delayed = new TreeSet<>(QueueEntry::compareRetry);

	private final Set<QueueEntry<T>> held = new HashSet<>();

	private final Map<PauseReason, Pause> pauses = new EnumMap<>(PauseReason.class);

	/** Position up to which events may be delivered although the handler is suspended. */
	private long suspendedAt;

	/** The last batch. */
	private List<KeyedEvent<T>> incoming = List.of();

	private boolean incomingInParts;

	private int incomingAccepted;

	private long incomingNanos;

	private long position;

	private int size;

	private int initialSize;

	HandlerQueue(QueuePolicy policy, InvocationGate gate, TimeSource time) {
		this.policy = policy;
		this.gate = gate;
		this.time = time;
	}

	/**
	 * Add a batch of events, which does not change any more, in the order of the changes
	 * of the cache.
	 */
	void add(List<KeyedEvent<T>> events, long receivedNanos) {
		acceptAll();
		this.incomingInParts = this.entries.isEmpty() && !events.isEmpty() && events.get(0).isInitial();
		this.incoming = events;
		this.incomingNanos = receivedNanos;
	}

	private void acceptAll() {
		while (!this.incoming.isEmpty()) {
			acceptPart();
		}
	}

	private void acceptForDelivery() {
		if (!this.incomingInParts) {
			acceptAll();
		}
	}

	private void acceptPart() {
		int end = Math.min(this.incomingAccepted + PART, this.incoming.size());
		while (this.incomingAccepted < end) {
			accept(this.incoming.get(this.incomingAccepted));
			// after it: a gate that throws loses no event
			this.incomingAccepted++;
		}
		if (end == this.incoming.size()) {
			clearIncoming();
		}
	}

	private void clearIncoming() {
		this.incoming = List.of();
		this.incomingAccepted = 0;
	}

	private void accept(KeyedEvent<T> keyed) {
		QueueEntry<T> entry = entry(keyed.key(), keyed.event().previous(), keyed.uid());
		change(entry, () -> entry.add(keyed, this.position++, this.incomingNanos));
	}

	/**
	 * Change an object, then put it where it belongs unless it is being delivered.
	 */
	private void change(QueueEntry<T> entry, Runnable change) {
		count(entry, -1);
		try {
			change.run();
			if (entry.state() != State.DELIVERING) {
				reindex(entry);
			}
		}
		finally {
			count(entry, 1);
		}
	}

	private QueueEntry<T> entry(String key, @Nullable T lastDelivered, @Nullable String uid) {
		return this.entries.computeIfAbsent(key, (added) -> (this.policy == QueuePolicy.COALESCE)
				? new CoalescedEntry<>(added, lastDelivered, uid) : new KeepAllEntry<>(added));
	}

	/**
	 * Take the object that has been ready longest, if one is ready. {@link #delivered},
	 * {@link #failed}, {@link #postponed} or {@link #putBack} has to follow; until then
	 * no other event of the object is taken.
	 * @param now the current time, in nanoseconds
	 */
	@Nullable QueueEntry<T> take(long now) {
		while (!this.delayed.isEmpty() && this.delayed.first().retryAt() - now <= 0) {
			retryNow(this.delayed.first());
		}
		if (!isReady()) {
			return null;
		}
		QueueEntry<T> entry = Objects.requireNonNull(this.ready.pollFirst());
		change(entry, () -> entry.begin(now));
		return entry;
	}

	/**
	 * Return whether an object that was taken may be delivered now: the handler may have
	 * been paused since.
	 */
	boolean isPermitted(QueueEntry<T> entry) {
		return entry.deliveryPosition() < limit();
	}

	/**
	 * End a delivery: the event has been delivered, was filtered out, or is not retried
	 * any more.
	 */
	void delivered(QueueEntry<T> entry, @Nullable ResourceEvent<T> event) {
		endDelivery(entry, () -> entry.delivered(event));
	}

	/**
	 * End a delivery that has failed and is retried.
	 * @param event the event; {@code null} if it could not be composed
	 * @param retryAt the time of the retry, in nanoseconds
	 */
	void failed(QueueEntry<T> entry, @Nullable ResourceEvent<T> event, long retryAt) {
		endDelivery(entry, () -> {
			entry.failed(event, retryAt);
			place(entry, State.DELAYED);
		});
	}

	/**
	 * End a delivery that the handler has postponed, which is no failure.
	 * @param retryAt the time of the next attempt, in nanoseconds
	 */
	void postponed(QueueEntry<T> entry, long retryAt) {
		endDelivery(entry, () -> {
			entry.postponed(retryAt);
			place(entry, State.DELAYED);
		});
	}

	/**
	 * Put back an object whose delivery has not begun.
	 */
	void putBack(QueueEntry<T> entry) {
		endDelivery(entry, entry::putBack);
	}

	/** Do nothing if the queue was cleared since. */
	private void endDelivery(QueueEntry<T> entry, Runnable end) {
		acceptForDelivery();
		if (this.entries.get(entry.key()) == entry) {
			change(entry, end);
		}
	}

	/**
	 * Make a difference pending that was given up before, together with any later change
	 * of the object.
	 * @param now the current time, in nanoseconds
	 * @return whether it is pending; {@code false} if an event of the object is being
	 * delivered, or if the object was deleted or recreated since
	 */
	boolean restore(String key, PendingDelivery<T> undelivered, long now) {
		acceptAll();
		QueueEntry<T> entry = entry(key, undelivered.current(), undelivered.uid());
		if (entry.state() == State.DELIVERING) {
			return false;
		}
		AtomicBoolean restored = new AtomicBoolean();
		change(entry, () -> restored.set(entry.restore(undelivered, this.position++, now)));
		return restored.get();
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
		Stream.of(this.held, this.ready, this.delayed)
			.flatMap(Set::stream)
			.filter(this::isMisplaced)
			.toList()
			.forEach((entry) -> change(entry, () -> displace(entry)));
	}

	/**
	 * Add or remove a reason for which the handler is paused. A handler that is suspended
	 * delivers what is pending now, delayed events at once, until {@link #endDrain()}.
	 * @param requestedBy the caller; {@code null} for the factory of the informer
	 */
	void setPaused(PauseReason reason, boolean paused, @Nullable String requestedBy) {
		acceptAll();
		if (isPaused(reason) == paused) {
			return;
		}
		if (paused) {
			this.pauses.put(reason, new Pause(this.time.now(), requestedBy));
		}
		else {
			this.pauses.remove(reason);
		}
		if (reason == PauseReason.SUSPENDED) {
			// a handler that is paused for another reason, too, has nothing to drain
			this.suspendedAt = SUSPENDED.equals(this.pauses.keySet()) ? this.position : 0;
			retryNow();
		}
	}

	boolean isPaused(PauseReason reason) {
		return this.pauses.containsKey(reason);
	}

	/**
	 * Return a copy of the reasons for which the handler is paused.
	 */
	Map<PauseReason, Pause> pauses() {
		return new EnumMap<>(this.pauses);
	}

	/**
	 * Let no event be delivered any more while the handler is suspended.
	 */
	void endDrain() {
		this.suspendedAt = 0;
	}

	/** Return the position up to which events may be delivered. */
	private long limit() {
		if (this.pauses.isEmpty()) {
			return Long.MAX_VALUE;
		}
		return SUSPENDED.equals(this.pauses.keySet()) ? this.suspendedAt : 0;
	}

	/**
	 * Make all delayed objects ready.
	 */
	void retryNow() {
		delayed().forEach(this::retryNow);
	}

	/**
	 * Make an object ready if it is delayed, and return whether it was.
	 */
	boolean retryNow(String key) {
		QueueEntry<T> entry = find(key);
		if (entry == null || entry.state() != State.DELAYED) {
			return false;
		}
		retryNow(entry);
		return true;
	}

	private void retryNow(QueueEntry<T> entry) {
		this.delayed.remove(entry);
		entry.retryNow();
		this.ready.add(entry);
	}

	@Nullable QueueEntry<T> find(String key) {
		acceptAll();
		return this.entries.get(key);
	}

	Collection<QueueEntry<T>> entries() {
		acceptAll();
		return Collections.unmodifiableCollection(this.entries.values());
	}

	/**
	 * Return a copy of the delayed objects, the next retry first.
	 */
	List<QueueEntry<T>> delayed() {
		acceptAll();
		return new ArrayList<>(this.delayed);
	}

	int heldSize() {
		acceptAll();
		return this.held.size();
	}

	/**
	 * Return whether an event can be delivered.
	 */
	boolean isReady() {
		acceptForDelivery();
		while (this.ready.isEmpty() && !this.incoming.isEmpty()) {
			acceptPart();
		}
		return !this.ready.isEmpty() && this.ready.first().position() < limit();
	}

	/**
	 * Return the nanoseconds until an object is ready, {@link Long#MAX_VALUE} when
	 * nothing is pending.
	 */
	long nanosToNext(long now) {
		if (isReady()) {
			return 0;
		}
		return (limit() == 0 || this.delayed.isEmpty()) ? Long.MAX_VALUE
				: Math.max(0, this.delayed.first().retryAt() - now);
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
		return (isReady() ? this.ready.size() : 0) + Math.min(1, this.delayed.size());
	}

	/**
	 * Return the number of pending events, without those that are being delivered. Under
	 * {@link QueuePolicy#COALESCE} it is the number of objects with a pending event.
	 */
	int size() {
		acceptAll();
		return this.size;
	}

	/**
	 * Return whether an event of the initial list may be undelivered, including those
	 * that are being delivered. Accepts no batch: one with an event of the initial list
	 * counts.
	 */
	boolean hasInitial() {
		return this.initialSize > 0 || this.incoming.subList(this.incomingAccepted, this.incoming.size())
			.stream()
			.anyMatch(KeyedEvent::isInitial);
	}

	void clear() {
		clearIncoming();
		this.entries.clear();
		this.ready.clear();
		this.delayed.clear();
		this.held.clear();
		this.size = 0;
		this.initialSize = 0;
	}

	/** Add the sizes of an object that is not held to the totals, or subtract them. */
	private void count(QueueEntry<T> entry, int sign) {
		if (entry.state() != State.HELD) {
			this.size += sign * entry.size();
			this.initialSize += sign * entry.initialSize();
		}
	}

	/** Put an object that is not being delivered where it belongs. */
	private void reindex(QueueEntry<T> entry) {
		if (entry.size() > 0) {
			if (entry.state() == State.IDLE) {
				place(entry, State.READY);
			}
			else if (isMisplaced(entry)) {
				boolean delay = entry.state() == State.DELAYED;
				displace(entry);
				place(entry, delay ? State.DELAYED : State.READY);
			}
			return;
		}
		if (entry.state() != State.IDLE) {
			displace(entry);
			entry.resetFailures();
		}
		if (entry.isUpToDate()) {
			this.entries.remove(entry.key());
		}
	}

	/** Place an object that is ready or delayed if the gate is open for it. */
	private void place(QueueEntry<T> entry, State state) {
		Target target = target(entry);
		entry.place(state, target, access(target));
		placed(entry.state()).add(entry);
	}

	/** It keeps its position until then: the sets sort by it. */
	private void displace(QueueEntry<T> entry) {
		placed(entry.state()).remove(entry);
		entry.displace();
	}

	private Set<QueueEntry<T>> placed(State state) {
		return switch (state) {
			case READY -> this.ready;
			case DELAYED -> this.delayed;
			case HELD -> this.held;
			default -> throw new IllegalStateException("The entry is " + state);
		};
	}

	private @Nullable Target target(QueueEntry<T> entry) {
		return (this.gate != InvocationGate.OPEN) ? entry.next(null).target(entry.key()) : null;
	}

	private Access access(@Nullable Target target) {
		return (target != null) ? this.gate.access(target) : Access.OPEN;
	}

	/**
	 * Return whether the place of an object is not the one that its next invocation
	 * needs.
	 */
	private boolean isMisplaced(QueueEntry<T> entry) {
		Target target = target(entry);
		return !entry.isPlacedFor(target, access(target));
	}

	/**
	 * Pause for one reason.
	 *
	 * @param requestedBy the caller; {@code null} for the factory of the informer
	 */
	record Pause(Instant since, @Nullable String requestedBy) {

	}

}
