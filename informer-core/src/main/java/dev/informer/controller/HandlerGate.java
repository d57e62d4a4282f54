/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.informer.processor.PauseReason;
import dev.informer.processor.SharedProcessor;

/**
 * Gate in front of the handlers of all informers of a factory, which stay paused until
 * some informers have synced, or while they are suspended.
 * <p>
 * <b>Concurrency.</b> Guarded by this object's monitor, which is taken before that of a
 * processor, never the other way round. Threads of handlers that are invoked again are
 * started without it, because the thread factory is code of the user.
 */
final class HandlerGate {

	private final List<SharedProcessor<?>> processors = new ArrayList<>();

	private final Set<SyncLatch> awaited = new HashSet<>();

	private boolean suspended;

	/**
	 * Add the handlers of an informer.
	 */
	synchronized void add(SharedProcessor<?> processor) {
		this.processors.add(processor);
		if (!this.awaited.isEmpty()) {
			processor.setPaused(PauseReason.NOT_SYNCED, true);
		}
		if (this.suspended) {
			processor.setPaused(PauseReason.SUSPENDED, true);
		}
	}

	/**
	 * Remove the handlers of an informer that is closed.
	 */
	synchronized void remove(SharedProcessor<?> processor) {
		this.processors.remove(processor);
	}

	/**
	 * Pause all handlers until all of these latches are settled.
	 */
	void close(Collection<SyncLatch> latches) {
		update(() -> {
			this.awaited.clear();
			latches.stream().filter((latch) -> !latch.isSettled()).forEach(this.awaited::add);
			if (this.awaited.isEmpty()) {
				resume(PauseReason.NOT_SYNCED);
			}
			else {
				// the new reason first: no handler may be invoked in between
				pause(PauseReason.NOT_SYNCED);
			}
			this.suspended = false;
			resume(PauseReason.SUSPENDED);
		});
	}

	/**
	 * Record that an informer has synced, has failed permanently, or is closed.
	 */
	void passed(SyncLatch latch) {
		update(() -> {
			// removed last: what a failure has left is done by the next call
			if (this.awaited.equals(Set.of(latch))) {
				resume(PauseReason.NOT_SYNCED);
			}
			this.awaited.remove(latch);
		});
	}

	/**
	 * Resume all handlers, whether or not the awaited informers have synced.
	 */
	void open() {
		update(() -> {
			this.awaited.clear();
			this.suspended = false;
			resume(PauseReason.NOT_SYNCED);
			resume(PauseReason.SUSPENDED);
		});
	}

	/**
	 * Pause all handlers until {@link #open} or {@link #close} is called, and return
	 * their processors.
	 */
	synchronized List<SharedProcessor<?>> suspend() {
		this.awaited.clear();
		this.suspended = true;
		pause(PauseReason.SUSPENDED);
		resume(PauseReason.NOT_SYNCED);
		return List.copyOf(this.processors);
	}

	synchronized boolean isSuspended() {
		return this.suspended;
	}

	private void update(Runnable change) {
		List<SharedProcessor<?>> current;
		synchronized (this) {
			change.run();
			current = List.copyOf(this.processors);
		}
		current.forEach(SharedProcessor::wakeHandlers);
	}

	private void pause(PauseReason reason) {
		this.processors.forEach((processor) -> processor.setPaused(reason, true));
	}

	private void resume(PauseReason reason) {
		this.processors.forEach((processor) -> processor.setPaused(reason, false));
	}

}
