/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import dev.informer.SharedIndexInformer;
import dev.informer.processor.PauseReason;
import dev.informer.processor.SharedProcessor;

/**
 * Holds back the handlers of all informers of a factory until some informers have synced.
 * <p>
 * <b>Concurrency.</b> Guarded by this object's monitor, which is taken before that of a
 * processor, never the other way round.
 */
final class HandlerGate {

	private final List<SharedProcessor<?>> processors = new ArrayList<>();

	private final Set<SharedIndexInformer<?>> awaited = Collections.newSetFromMap(new IdentityHashMap<>());

	private boolean suspended;

	/**
	 * Puts the handlers of one more informer behind the gate.
	 */
	synchronized void add(SharedProcessor<?> processor) {
		this.processors.add(processor);
		if (!this.awaited.isEmpty()) {
			processor.pause(PauseReason.NOT_SYNCED);
		}
		if (this.suspended) {
			processor.pause(PauseReason.SUSPENDED);
		}
	}

	/**
	 * Forgets an informer that is closed.
	 */
	synchronized void remove(SharedIndexInformer<?> informer, SharedProcessor<?> processor) {
		this.processors.remove(processor);
		passed(informer);
	}

	/**
	 * Holds all handlers back until these informers have passed.
	 */
	synchronized void close(Collection<? extends SharedIndexInformer<?>> informers) {
		this.awaited.clear();
		informers.stream().filter((informer) -> !informer.hasSynced()).forEach(this.awaited::add);
		if (this.awaited.isEmpty()) {
			open();
			return;
		}
		// the new reason first: no handler may be invoked in between
		pause(PauseReason.NOT_SYNCED);
		this.suspended = false;
		resume(PauseReason.SUSPENDED);
	}

	/**
	 * Notes that there is nothing to wait for any more at an informer: it has synced, or
	 * has given up for good.
	 */
	synchronized void passed(SharedIndexInformer<?> informer) {
		if (this.awaited.remove(informer) && this.awaited.isEmpty()) {
			resume(PauseReason.NOT_SYNCED);
		}
	}

	/**
	 * Lets all handlers go on, whatever is awaited.
	 */
	synchronized void open() {
		this.awaited.clear();
		this.suspended = false;
		resume(PauseReason.NOT_SYNCED);
		resume(PauseReason.SUSPENDED);
	}

	/**
	 * Holds all handlers back, whoever has synced.
	 * @return the handlers
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

	private void pause(PauseReason reason) {
		this.processors.forEach((processor) -> processor.pause(reason));
	}

	private void resume(PauseReason reason) {
		this.processors.forEach((processor) -> processor.resume(reason));
	}

}
