/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import org.jspecify.annotations.Nullable;

/**
 * Event that a handler has processed, one line of a journal.
 *
 * @param handler the name of the handler
 * @param type the type of the event
 * @param key the namespace and name of the object
 * @param state the delivered state
 * @param previous the previous state of the event
 */
public record Entry(String handler, Type type, String key, ObjectState state, @Nullable ObjectState previous) {

	private static final String NONE = "-";

	/**
	 * Return the line of the journal.
	 */
	public String toLine() {
		return String.join(" ", this.handler, this.type.name(), this.key, this.state.toString(),
				(this.previous != null) ? this.previous.toString() : NONE);
	}

	static Entry parse(String line) {
		String[] parts = line.split(" ");
		return new Entry(parts[0], Type.valueOf(parts[1]), parts[2], ObjectState.parse(parts[3]),
				NONE.equals(parts[4]) ? null : ObjectState.parse(parts[4]));
	}

	/**
	 * Type of an event.
	 */
	public enum Type {

		/** The object was added. */
		ADDED,

		/** The object was updated. */
		UPDATED,

		/** The object was deleted. */
		DELETED

	}

}
