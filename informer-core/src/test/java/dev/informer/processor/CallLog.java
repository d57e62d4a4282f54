/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Recorder of the invocations of a handler. Checks that invocations for one object do not
 * overlap, that the concurrency is not exceeded, and that each event follows from the
 * last delivered state. Thread-safe.
 */
final class CallLog {

	private final int concurrency;

	private final Map<String, V1Pod> states = new HashMap<>();

	private final Set<String> running = new HashSet<>();

	private final List<String> problems = new ArrayList<>();

	private int calls;

	private int delivered;

	CallLog(int concurrency) {
		this.concurrency = concurrency;
	}

	/**
	 * Record an invocation, which counts as delivered unless the body throws.
	 */
	void call(ResourceEvent<V1Pod> event, Runnable body) {
		String key = ObjectKey.of(event.object());
		synchronized (this) {
			check(this.running.add(key), "invocations for " + key + " overlap");
			check(this.running.size() <= this.concurrency, "too many invocations");
			check(event.previous() == this.states.get(key),
					event.type() + " of " + key + " does not follow from the last delivered state");
		}
		try {
			body.run();
			synchronized (this) {
				this.delivered++;
				if (event instanceof Deleted<V1Pod>) {
					this.states.remove(key);
				}
				else {
					this.states.put(key, event.object());
				}
			}
		}
		finally {
			synchronized (this) {
				this.running.remove(key);
			}
		}
	}

	/**
	 * Throw in every third invocation.
	 */
	synchronized void maybeThrow(ResourceEvent<V1Pod> event) {
		if (++this.calls % 3 == 0) {
			throw new IllegalStateException("for the test, " + event.type());
		}
	}

	/**
	 * Return the number of deliveries.
	 */
	synchronized int delivered() {
		return this.delivered;
	}

	synchronized Map<String, V1Pod> states() {
		return new HashMap<>(this.states);
	}

	synchronized List<String> problems() {
		return List.copyOf(this.problems);
	}

	private void check(boolean condition, String problem) {
		if (!condition) {
			this.problems.add(problem);
		}
	}

}
