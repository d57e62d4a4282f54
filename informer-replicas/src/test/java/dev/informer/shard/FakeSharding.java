/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;

import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaEvent.Requested;
import dev.informer.replicas.ReplicaEvent.SlotsAcquired;
import dev.informer.replicas.ReplicaEvent.SlotsAssigned;
import dev.informer.replicas.ReplicaEvent.SlotsLost;
import dev.informer.replicas.ReplicaEvent.SlotsReleased;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Sharding;
import org.jspecify.annotations.Nullable;

/**
 * {@link Sharding} whose slots the test moves. The slot of an object follows from the
 * first character of its name: {@code 3-web} belongs to slot 3.
 */
public final class FakeSharding implements Sharding {

	private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();

	private final Queue<String> computed = new ConcurrentLinkedQueue<>();

	private final AtomicIntegerArray owned;

	private final AtomicIntegerArray running;

	private final String identity;

	private volatile @Nullable Set<Integer> assigned;

	private volatile Runnable onRefusal = () -> {
	};

	private volatile Runnable onSlotOf = () -> {
	};

	public FakeSharding(String identity, int slots) {
		this.identity = identity;
		this.owned = new AtomicIntegerArray(slots);
		this.running = new AtomicIntegerArray(slots);
	}

	/**
	 * Change the slots that this process is to own.
	 */
	public void assign(Integer... slots) {
		Set<Integer> changed = Set.of(slots);
		this.assigned = changed;
		notify(new SlotsAssigned(this, changed));
	}

	@Override
	public @Nullable Set<Integer> assigned() {
		return this.assigned;
	}

	public void acquire(Integer... slots) {
		set(1, slots);
		notify(new SlotsAcquired(this, Set.of(slots)));
	}

	/**
	 * Release slots, without waiting for the work on them.
	 */
	public void release(Integer... slots) {
		set(0, slots);
		notify(new SlotsReleased(this, Set.of(slots)));
	}

	/**
	 * Lose slots without a notification, as after a suspension of the process.
	 */
	public void expire(Integer... slots) {
		set(0, slots);
	}

	public void lose(Integer... slots) {
		expire(slots);
		notify(new SlotsLost(this, Set.of(slots), "lost by the test"));
	}

	/**
	 * Own slots again without a notification of that, by a renewal after the deadline.
	 */
	public void renew(Integer... slots) {
		set(1, slots);
		notify(new Requested(this, Duration.ZERO, true));
	}

	private void notify(ReplicaEvent event) {
		this.listeners.forEach((listener) -> listener.onEvent(event));
	}

	private void set(int value, Integer... slots) {
		for (int slot : slots) {
			this.owned.set(slot, value);
		}
	}

	/**
	 * Run an action before each {@link #begin} that returns {@code false}.
	 */
	public void onRefusal(Runnable action) {
		this.onRefusal = action;
	}

	/**
	 * Run an action before the slot of an object is computed.
	 */
	public void onSlotOf(Runnable action) {
		this.onSlotOf = action;
	}

	public int running(int slot) {
		return this.running.get(slot);
	}

	public int listeners() {
		return this.listeners.size();
	}

	/**
	 * Return the objects whose slot was computed, as {@code namespace:name}.
	 */
	public List<String> computed() {
		return List.copyOf(this.computed);
	}

	@Override
	public String group() {
		return "shop";
	}

	@Override
	public String identity() {
		return this.identity;
	}

	@Override
	public int slots() {
		return this.owned.length();
	}

	@Override
	public int slotOf(@Nullable String namespace, String name) {
		this.onSlotOf.run();
		this.computed.add(namespace + ":" + name);
		return (name.charAt(0) - '0') % slots();
	}

	@Override
	public boolean owns(int slot) {
		return this.owned.get(slot) == 1;
	}

	@Override
	public Set<Integer> owned() {
		Set<Integer> slots = new TreeSet<>();
		for (int slot = 0; slot < slots(); slot++) {
			if (owns(slot)) {
				slots.add(slot);
			}
		}
		return slots;
	}

	@Override
	public boolean begin(int slot) {
		// before the check: a slot is not moved after it, as long as work is running
		this.running.incrementAndGet(slot);
		boolean begun = owns(slot);
		if (!begun) {
			this.running.decrementAndGet(slot);
			this.onRefusal.run();
		}
		return begun;
	}

	@Override
	public void end(int slot) {
		this.running.decrementAndGet(slot);
	}

	@Override
	public void addListener(ReplicaListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void removeListener(ReplicaListener listener) {
		this.listeners.remove(listener);
	}

}
