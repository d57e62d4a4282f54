/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import dev.informer.test.ReceivedRequest;

/**
 * Bounded log of the latest requests. Thread-safe.
 */
public final class RequestLog {

	private static final int CAPACITY = 10_000;

	private final Deque<ReceivedRequest> requests = new ArrayDeque<>();

	synchronized void add(ReceivedRequest request) {
		if (this.requests.size() == CAPACITY) {
			this.requests.removeFirst();
		}
		this.requests.addLast(request);
	}

	public synchronized List<ReceivedRequest> all() {
		return List.copyOf(this.requests);
	}

	public synchronized void clear() {
		this.requests.clear();
	}

}
