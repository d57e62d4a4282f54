/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Virtual time of a simulation, in nanoseconds: actions run in the order of their times
 * and, at the same time, in the order in which they were added. Not thread-safe.
 */
public final class VirtualTime {

	/** Nanoseconds of a second. */
	public static final long SECOND = 1_000_000_000L;

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::at).thenComparingLong(Event::order));

	private long now;

	private long order;

	/**
	 * Return the current time.
	 */
	public long now() {
		return this.now;
	}

	/**
	 * Add an action that runs after a delay.
	 */
	public void after(long delay, Runnable action) {
		this.events.add(new Event(this.now + delay, this.order++, action));
	}

	/**
	 * Run the actions until a time.
	 */
	public void runUntil(long end) {
		runUntil(end, () -> {
		});
	}

	/**
	 * Run the actions until a time, and a check after each of them.
	 */
	public void runUntil(long end, Runnable check) {
		while (!this.events.isEmpty() && this.events.peek().at() <= end) {
			Event event = this.events.poll();
			this.now = event.at();
			event.action().run();
			check.run();
		}
		this.now = end;
	}

	private record Event(long at, long order, Runnable action) {
	}

}
