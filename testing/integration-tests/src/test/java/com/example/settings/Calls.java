/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.settings;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.reconcilers.ReconcileCall;
import dev.informer.reconcilers.ReconcileInterceptor;
import dev.informer.writer.ObjectWrite;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.WriteInterceptor;

/**
 * Record of the calls and the writes of one replica, in which a test can stop a call.
 * Thread-safe.
 */
class Calls implements ReconcileInterceptor, WriteInterceptor {

	private final AtomicInteger calls = new AtomicInteger();

	/** Names of the written objects. */
	private final List<String> writes = new CopyOnWriteArrayList<>();

	private final List<Exception> failures = new CopyOnWriteArrayList<>();

	private final ConcurrentMap<String, Stop> stops = new ConcurrentHashMap<>();

	@Override
	public void intercept(ReconcileCall call) throws Exception {
		this.calls.incrementAndGet();
		Stop stop = this.stops.get(String.valueOf(call.primary().getMetadata().getName()));
		if (stop != null) {
			stop.reached.countDown();
			stop.end.await();
		}
		try {
			call.proceed();
		}
		catch (Exception ex) {
			this.failures.add(ex);
			throw ex;
		}
	}

	@Override
	public void intercept(ObjectWrite write) throws ObjectWriteException {
		if (write.proceed() != ObjectWrite.Outcome.UNCHANGED) {
			this.writes.add(String.valueOf(write.name()));
		}
	}

	int calls() {
		return this.calls.get();
	}

	List<String> writes() {
		return List.copyOf(this.writes);
	}

	List<Exception> failures() {
		return List.copyOf(this.failures);
	}

	/**
	 * Stop the calls for an object at their beginning.
	 */
	Stop stop(String name) {
		return this.stops.computeIfAbsent(name, (any) -> new Stop());
	}

	/**
	 * Stop of a call.
	 */
	static final class Stop implements AutoCloseable {

		private final CountDownLatch reached = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		void awaitReached() throws InterruptedException {
			this.reached.await();
		}

		@Override
		public void close() {
			this.end.countDown();
		}

	}

}
