/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.processor.Slot.Place;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has yet to be told, by object. An object is ready, or waits for another
 * attempt after a failure, or is being told about; never two of these at once, so that
 * what one object goes through is told in order. Whoever has waited longest comes first.
 * <p>
 * An object is remembered here while something waits for it, and while what the handler
 * knows of it is not what is in the store.
 * <p>
 * <b>Concurrency.</b> Not thread-safe, the {@link ProcessorListener} guards it.
 *
 * @param <T> the type of the objects
 */
final class HandlerQueue<T extends KubernetesObject> {

	private final Map<String, Slot<T>> slots = new HashMap<>();

	private final TreeSet<Slot<T>> ready = new TreeSet<>(Comparator.comparingLong((slot) -> slot.backlog().position()));

	private final TreeSet<Slot<T>> delayed = new TreeSet<>(HandlerQueue::compareDue);

	private final QueuePolicy policy;

	private long position;

	private int size;

	private int initialSize;

	HandlerQueue(QueuePolicy policy) {
		this.policy = policy;
	}

	QueuePolicy policy() {
		return this.policy;
	}

	/**
	 * Takes an event, in the order of the changes of the store.
	 * @param key the key of its object
	 * @param event the event
	 * @param received when it came from the server, in nanoseconds
	 */
	void offer(String key, ResourceEvent<T> event, long received) {
		Slot<T> slot = this.slots.computeIfAbsent(key, (absent) -> new Slot<>(absent, newBacklog(event)));
		change(slot, (backlog) -> backlog.add(event, this.position++, received));
		if (slot.place() != Place.RUNNING) {
			settle(slot);
		}
	}

	private Pending<T> newBacklog(ResourceEvent<T> event) {
		return (this.policy == QueuePolicy.COALESCE) ? new CoalescedPending<>(event.previous())
				: new KeepAllPending<>();
	}

	/**
	 * Begins with the object that has been ready longest. What comes of it has to be said
	 * by {@link #told} or {@link #failed}; until then nothing else is begun for it.
	 * @param now the time
	 * @return the object; {@code null} when none is ready
	 */
	@Nullable Call<T> take(long now) {
		while (!this.delayed.isEmpty() && this.delayed.first().due() - now <= 0) {
			makeReady(this.delayed.first());
		}
		Slot<T> slot = this.ready.pollFirst();
		if (slot == null) {
			return null;
		}
		slot.place(Place.RUNNING);
		this.size -= slot.backlog().size();
		long received = slot.backlog().received();
		PendingDelivery<T> transition = slot.backlog().begin();
		this.size += slot.backlog().size();
		return new Call<>(slot, transition, received);
	}

	/**
	 * Notes what the handler knows now, be it because it was told or because it shall not
	 * be told again.
	 * @param call what was begun
	 * @param event what it was told; {@code null} when there was nothing to tell
	 */
	void told(Call<T> call, @Nullable ResourceEvent<T> event) {
		Slot<T> slot = call.slot();
		if (this.slots.get(slot.key()) == slot) {
			change(slot, (backlog) -> backlog.told(call.transition().after(event)));
			slot.forgetFailures();
			slot.place(Place.NONE);
			settle(slot);
		}
	}

	/**
	 * Notes that the handler has thrown.
	 * @param call what was begun
	 * @param event what it was told
	 * @param due when it is to be told again
	 */
	void failed(Call<T> call, ResourceEvent<T> event, long due) {
		Slot<T> slot = call.slot();
		if (this.slots.get(slot.key()) == slot) {
			change(slot, Pending::failed);
			slot.countFailure(event, due);
			slot.place(Place.DELAYED);
			this.delayed.add(slot);
			settle(slot);
		}
	}

	/**
	 * Makes everything ready that waits for another attempt.
	 */
	void hurry() {
		List.copyOf(this.delayed).forEach(this::makeReady);
	}

	/**
	 * How long until an object is ready.
	 * @param now the time
	 * @return nanoseconds; {@link Long#MAX_VALUE} when nothing waits
	 */
	long nanosToNext(long now) {
		if (!this.ready.isEmpty()) {
			return 0;
		}
		return this.delayed.isEmpty() ? Long.MAX_VALUE : Math.max(0, this.delayed.first().due() - now);
	}

	/**
	 * How many threads can be of use: one for each object that is ready, and one that
	 * waits for those that will be.
	 */
	int usefulThreads() {
		return this.ready.size() + (this.delayed.isEmpty() ? 0 : 1);
	}

	/**
	 * How much waits, what is being told not counted: events when all are kept, objects
	 * otherwise.
	 */
	int size() {
		return this.size;
	}

	/**
	 * How many adds of the initial list there are, what is being told counted.
	 */
	int initialSize() {
		return this.initialSize;
	}

	/**
	 * How many objects are remembered.
	 */
	int slots() {
		return this.slots.size();
	}

	/**
	 * Forgets everything.
	 */
	void clear() {
		this.slots.clear();
		this.ready.clear();
		this.delayed.clear();
		this.size = 0;
		this.initialSize = 0;
	}

	private void change(Slot<T> slot, Consumer<Pending<T>> change) {
		Pending<T> backlog = slot.backlog();
		this.size -= backlog.size();
		this.initialSize -= backlog.initialSize();
		change.accept(backlog);
		this.size += backlog.size();
		this.initialSize += backlog.initialSize();
	}

	/**
	 * Puts an object that is not being told about where it belongs.
	 */
	private void settle(Slot<T> slot) {
		if (slot.backlog().size() > 0) {
			if (slot.place() == Place.NONE) {
				slot.place(Place.READY);
				this.ready.add(slot);
			}
			return;
		}
		if (slot.place() != Place.NONE) {
			((slot.place() == Place.READY) ? this.ready : this.delayed).remove(slot);
			slot.place(Place.NONE);
			slot.forgetFailures();
		}
		if (slot.backlog().isForgettable()) {
			this.slots.remove(slot.key());
		}
	}

	private void makeReady(Slot<T> slot) {
		this.delayed.remove(slot);
		slot.place(Place.READY);
		this.ready.add(slot);
	}

	private static int compareDue(Slot<?> one, Slot<?> other) {
		int order = Long.signum(one.due() - other.due());
		return (order != 0) ? order : Long.compare(one.backlog().position(), other.backlog().position());
	}

	/**
	 * An object about which the handler is being told.
	 *
	 * @param <T> the type of the object
	 * @param slot its place
	 * @param transition what the handler was told and what it has to know
	 * @param received when the first of what it does not know yet came from the server
	 */
	record Call<T extends KubernetesObject>(Slot<T> slot, PendingDelivery<T> transition, long received) {

	}

}
