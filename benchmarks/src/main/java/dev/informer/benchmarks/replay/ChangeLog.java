/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.util.concurrent.TimeUnit;

/**
 * What happens to the objects of a resource: after a number of updates, which take them
 * in turn, others are created and deleted. Everything follows from how far it has got, so
 * that nothing has to be kept and every watch can be served from any version on.
 * <p>
 * Thread-safe.
 */
final class ChangeLog {

	/** Those of the initial objects are below. */
	private static final long FIRST_VERSION = 1_000_000_000L;

	private static final long INITIAL_VERSION = 100_000L;

	/** Leaves room for versions that belong to no object of this resource. */
	private static final int STEP = 10;

	/** How many of the objects that come and go are there at a time. */
	private static final int PASSING = 64;

	private final int objects;

	private final long updates;

	private long reached;

	private long other;

	private long expired;

	private int watches;

	/**
	 * Create an empty log.
	 * @param objects how many objects there are
	 * @param updates how many updates there are before objects come and go
	 */
	ChangeLog(int objects, long updates) {
		this.objects = objects;
		this.updates = updates;
	}

	int objects() {
		return this.objects;
	}

	/**
	 * The current state of an object that stays.
	 */
	ObjectState state(int index) {
		long reached = Math.min(reached(), this.updates);
		if (reached <= index) {
			return new ObjectState(index, 0, INITIAL_VERSION + index);
		}
		long revision = (reached - 1 - index) / this.objects + 1;
		return new ObjectState(index, revision, version((revision - 1) * this.objects + index));
	}

	/**
	 * An event.
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

	private static long version(long sequence) {
		return FIRST_VERSION + STEP * (sequence + 1);
	}

	/**
	 * The number of the first event after a version.
	 */
	static long sequence(long version) {
		return Math.max(0, (version - FIRST_VERSION) / STEP);
	}

	synchronized long reached() {
		return this.reached;
	}

	/**
	 * The version that lists carry.
	 */
	synchronized long version() {
		return FIRST_VERSION + STEP * this.reached + this.other;
	}

	/**
	 * Publish events once there is a watch.
	 * @param events how many
	 * @return the version after them
	 */
	synchronized long advance(long events) throws InterruptedException {
		awaitWatch();
		this.reached += events;
		this.other = 0;
		notifyAll();
		return version();
	}

	/**
	 * Ends all watches, as soon as there is one, as if the server had compacted its log
	 * up to where they are; something else has happened since.
	 * @return the version since then
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
	 * Notes a watch.
	 * @return how often watches had expired by then
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
	 * Waits until there is an event.
	 * @param sequence its number
	 * @param expired how often watches had expired when the watch began
	 * @param millis how long to wait at most
	 * @return whether the watch has expired
	 */
	synchronized boolean await(long sequence, long expired, long millis) throws InterruptedException {
		if (sequence >= this.reached && this.expired == expired) {
			wait(millis);
		}
		return this.expired != expired;
	}

	/**
	 * Something that happened.
	 *
	 * @param type what
	 * @param object the state after it, or before a deletion
	 */
	record Event(EventType type, ObjectState object) {
	}

}
