/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Log of the changes of a resource: after a number of updates, which rotate through the
 * objects, other objects are created and deleted. All events follow from the position in
 * the log, so that no event has to be stored and every watch can start from any version.
 * <p>
 * Thread-safe.
 */
final class ChangeLog {

	/** First version of an event. Versions of the initial objects are lower. */
	private static final long FIRST_VERSION = 1_000_000_000L;

	private static final long INITIAL_VERSION = 100_000L;

	/** Distance between versions, which leaves room for those of other resources. */
	private static final int STEP = 10;

	/** Number of the created and deleted objects that exist at a time. */
	private static final int PASSING = 64;

	private final int objects;

	private final long updates;

	private long reached;

	private long other;

	private long expired;

	private int watches;

	private @Nullable EventPace pace;

	/**
	 * Create an empty log.
	 * @param objects the number of initial objects
	 * @param updates the number of updates before objects are created and deleted
	 */
	ChangeLog(int objects, long updates) {
		this.objects = objects;
		this.updates = updates;
	}

	int objects() {
		return this.objects;
	}

	/**
	 * Return the current state of an initial object.
	 */
	ObjectState state(int index) {
		long reached = Math.min(reached(), this.updates);
		if (reached <= index) {
			return initialState(index);
		}
		long revision = (reached - 1 - index) / this.objects + 1;
		return new ObjectState(index, revision, version((revision - 1) * this.objects + index));
	}

	/**
	 * Return the state of an initial object before its updates.
	 */
	ObjectState initialState(int index) {
		return new ObjectState(index, 0, INITIAL_VERSION + index);
	}

	/**
	 * Return an event.
	 * @param sequence its number, from 0
	 */
	Event event(long sequence) {
		if (sequence < this.updates) {
			int index = (int) (sequence % this.objects);
			return new Event(EventType.MODIFIED,
					new ObjectState(index, sequence / this.objects + 1, version(sequence)));
		}
		long passing = sequence - this.updates;
		long round = passing / (2 * PASSING);
		int step = (int) (passing % (2 * PASSING));
		int index = (int) (this.objects + round * PASSING + step % PASSING);
		return new Event((step < PASSING) ? EventType.ADDED : EventType.DELETED,
				new ObjectState(index, 0, version(sequence)));
	}

	static long version(long sequence) {
		return FIRST_VERSION + STEP * (sequence + 1);
	}

	/**
	 * Return the number of the first event after a version.
	 */
	static long sequence(long version) {
		return Math.max(0, (version - FIRST_VERSION) / STEP);
	}

	synchronized long reached() {
		return this.reached;
	}

	/**
	 * Return the resource version of lists.
	 */
	synchronized long version() {
		return FIRST_VERSION + STEP * this.reached + this.other;
	}

	/**
	 * Publish events once a watch is open.
	 * @param events the number of events
	 * @return the version after the events
	 */
	synchronized long advance(long events) throws InterruptedException {
		awaitWatch();
		this.reached += events;
		this.other = 0;
		notifyAll();
		return version();
	}

	/**
	 * Publish events at a fixed rate, once a watch is open.
	 * @param events the number of events
	 * @param rate the number of events per second
	 * @return the version after the events
	 */
	synchronized long advance(int events, long rate) throws InterruptedException {
		awaitWatch();
		this.pace = new EventPace(this.reached, events, rate);
		return advance(events);
	}

	/**
	 * Return the pace of the last events with a fixed rate.
	 */
	synchronized @Nullable EventPace pace() {
		return this.pace;
	}

	/**
	 * Expire all watches, once a watch is open, as if the server had compacted its log up
	 * to their positions, and another resource had changed since.
	 * @return the version after that change
	 */
	synchronized long expire() throws InterruptedException {
		awaitWatch();
		this.other = Math.min(this.other + 1, STEP - 1);
		this.expired++;
		notifyAll();
		return version();
	}

	private void awaitWatch() throws InterruptedException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
		while (this.watches == 0) {
			long remaining = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
			if (remaining <= 0) {
				throw new IllegalStateException("No watch was opened within a minute");
			}
			wait(remaining);
		}
	}

	/**
	 * Count a watch.
	 * @return the number of expirations so far
	 */
	synchronized long beginWatch() {
		this.watches++;
		notifyAll();
		return this.expired;
	}

	synchronized void endWatch() {
		this.watches--;
	}

	/**
	 * Wait for an event.
	 * @param sequence its number
	 * @param expired the number of expirations when the watch began
	 * @param millis the maximum wait in milliseconds
	 * @return whether the watch has expired
	 */
	synchronized boolean await(long sequence, long expired, long millis) throws InterruptedException {
		if (sequence >= this.reached && this.expired == expired) {
			wait(millis);
		}
		return this.expired != expired;
	}

	/**
	 * Event of a resource.
	 *
	 * @param type the type
	 * @param object the state after it, or before a deletion
	 */
	record Event(EventType type, ObjectState object) {
	}

}
