/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayDeque;
import java.util.Deque;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Every event of an object, see {@link dev.informer.QueuePolicy#KEEP_ALL}.
 *
 * @param <T> the type of the object
 */
final class KeepAllPending<T extends KubernetesObject> implements Pending<T> {

	private final Deque<Item<T>> items = new ArrayDeque<>();

	private int initialSize;

	private boolean begun;

	/**
	 * Whether the handler knows something else than the last event that was begun says.
	 */
	private boolean deviating;

	private @Nullable T told;

	@Override
	public void add(ResourceEvent<T> event, long position, long received) {
		this.items.add(new Item<>(event, position, received));
		this.initialSize += isInitial(event) ? 1 : 0;
	}

	@Override
	public int size() {
		return this.items.size() - (this.begun ? 1 : 0);
	}

	@Override
	public long position() {
		return this.items.element().position();
	}

	@Override
	public long received() {
		return this.items.element().received();
	}

	@Override
	public int initialSize() {
		return this.initialSize;
	}

	@Override
	public PendingDelivery<T> begin() {
		this.begun = true;
		ResourceEvent<T> event = this.items.element().event();
		return new PendingDelivery<>(this.deviating ? this.told : event.previous(), stateAfter(event),
				(event instanceof Deleted<T> deleted) ? deleted : null, isInitial(event), event.resync());
	}

	@Override
	public void told(@Nullable T state) {
		this.begun = false;
		ResourceEvent<T> event = this.items.remove().event();
		this.initialSize -= isInitial(event) ? 1 : 0;
		this.deviating = state != stateAfter(event);
		this.told = this.deviating ? state : null;
	}

	@Override
	public void failed() {
		this.begun = false;
	}

	@Override
	public boolean isForgettable() {
		return this.items.isEmpty() && !this.deviating;
	}

	private static <T extends KubernetesObject> @Nullable T stateAfter(ResourceEvent<T> event) {
		return (event instanceof Deleted<T>) ? null : event.object();
	}

	private static boolean isInitial(ResourceEvent<?> event) {
		return event instanceof Added<?> added && added.initialList();
	}

	private record Item<T extends KubernetesObject>(ResourceEvent<T> event, long position, long received) {

	}

}
