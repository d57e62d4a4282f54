/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import dev.informer.ResourceEvent;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * The place of one object in a {@link HandlerQueue}. Not thread-safe.
 *
 * @param <T> the type of the object
 */
final class Slot<T extends KubernetesObject> {

	private final String key;

	private final Pending<T> backlog;

	private Place place = Place.NONE;

	private long due;

	private int failures;

	private int attempts;

	private @Nullable ResourceEvent<T> failed;

	Slot(String key, Pending<T> backlog) {
		this.key = key;
		this.backlog = backlog;
	}

	String key() {
		return this.key;
	}

	Pending<T> backlog() {
		return this.backlog;
	}

	Place place() {
		return this.place;
	}

	void place(Place place) {
		this.place = place;
	}

	/**
	 * When the next attempt is due.
	 */
	long due() {
		return this.due;
	}

	/**
	 * How often in a row the handler has thrown for this object.
	 */
	int failures() {
		return this.failures;
	}

	/**
	 * How often the handler was told something by now, should it be told so once more.
	 */
	int attempt(ResourceEvent<T> event) {
		ResourceEvent<T> last = this.failed;
		boolean again = last != null && last.type() == event.type() && last.object() == event.object();
		return again ? this.attempts + 1 : 1;
	}

	void countFailure(ResourceEvent<T> event, long due) {
		this.attempts = attempt(event);
		this.failures++;
		this.failed = event;
		this.due = due;
	}

	void forgetFailures() {
		this.attempts = 0;
		this.failures = 0;
		this.failed = null;
	}

	/**
	 * Where an object can be.
	 */
	enum Place {

		/** Nothing is to be told. */
		NONE,

		/** Something is to be told now. */
		READY,

		/** Something is to be told again, but not yet. */
		DELAYED,

		/** Something is being told. */
		RUNNING

	}

}
