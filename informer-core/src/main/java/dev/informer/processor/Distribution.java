/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Distribution of the events of a batch to the queues of the handlers. It can be resumed
 * after a failure: the events do not follow from the batch again, because the store has
 * its objects already.
 * <p>
 * <b>Concurrency.</b> Not thread-safe.
 *
 * @param <T> the type of the objects
 */
final class Distribution<T extends KubernetesObject> {

	private final List<KeyedEvent<T>> events;

	/** Handlers that do not have the events yet. */
	private final Queue<ProcessorListener<T>> recipients;

	Distribution(List<KeyedEvent<T>> events, Collection<ProcessorListener<T>> recipients) {
		this.events = events;
		this.recipients = new ArrayDeque<>(recipients);
	}

	List<KeyedEvent<T>> events() {
		return this.events;
	}

	/**
	 * Add the events to the queues that do not have them yet.
	 */
	void complete(long receivedNanos) {
		if (this.events.isEmpty()) {
			return;
		}
		ProcessorListener<T> next;
		while ((next = this.recipients.peek()) != null) {
			next.add(this.events, receivedNanos);
			this.recipients.remove();
		}
	}

}
