/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * What the handler was told last of an object and what is true now, see
 * {@link dev.informer.QueuePolicy#COALESCE}.
 *
 * @param <T> the type of the object
 */
final class CoalescedPending<T extends KubernetesObject> implements Pending<T> {

	private @Nullable T told;

	private @Nullable T now;

	/** The last deletion of the object that the handler was told of. */
	private @Nullable Deleted<T> deletion;

	private boolean initialList;

	private boolean resync;

	private boolean waiting;

	private long position;

	private long received;

	private @Nullable PendingDelivery<T> begun;

	private long begunPosition;

	private long begunReceived;

	CoalescedPending(@Nullable T told) {
		this.told = told;
		this.now = told;
	}

	@Override
	public void add(ResourceEvent<T> event, long position, long received) {
		if (!this.waiting) {
			this.position = position;
			this.received = received;
		}
		if (event instanceof Deleted<T> deleted) {
			T known = (this.told != null || this.begun == null) ? this.told : this.begun.now();
			if (known != null && ObjectKey.sameObject(known, deleted.object())) {
				this.deletion = deleted;
			}
			this.now = null;
			this.initialList = false;
			this.resync = false;
		}
		else {
			if (event instanceof Added<T> added) {
				this.initialList = this.told == null && added.initialList();
			}
			this.now = event.object();
			this.resync |= event.resync();
		}
		this.waiting = this.begun != null || isDifferent();
	}

	private boolean isDifferent() {
		return this.told != this.now || this.resync;
	}

	@Override
	public int size() {
		return this.waiting ? 1 : 0;
	}

	@Override
	public long position() {
		return this.position;
	}

	@Override
	public long received() {
		return this.received;
	}

	@Override
	public int initialSize() {
		return (this.initialList || (this.begun != null && this.begun.initialList())) ? 1 : 0;
	}

	@Override
	public PendingDelivery<T> begin() {
		PendingDelivery<T> transition = new PendingDelivery<>(this.told, this.now, this.deletion, this.initialList,
				this.resync);
		this.begun = transition;
		this.begunPosition = this.position;
		this.begunReceived = this.received;
		if (this.now != null && !transition.isRebirth()) {
			this.deletion = null;
		}
		this.waiting = false;
		this.resync = false;
		return transition;
	}

	@Override
	public void told(@Nullable T state) {
		boolean halfway = state == null && this.begun != null && this.begun.isRebirth();
		this.begun = null;
		this.told = state;
		this.initialList = false;
		if (state == null) {
			this.deletion = null;
		}
		if (halfway) {
			waitAgain();
		}
		this.waiting = (this.waiting || halfway) && isDifferent();
	}

	@Override
	public void failed() {
		this.resync |= this.now != null && this.begun != null && this.begun.resync();
		this.begun = null;
		waitAgain();
		this.waiting = isDifferent();
	}

	private void waitAgain() {
		this.position = this.begunPosition;
		this.received = this.begunReceived;
	}

	@Override
	public boolean isForgettable() {
		return this.begun == null && !this.waiting && this.told == this.now;
	}

}
