/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import org.jspecify.annotations.Nullable;

/**
 * Change of one object: a node of the linked list that {@link ChangeLog} keeps and
 * watches follow.
 */
public final class Change {

	private final Type type;

	private final long resourceVersion;

	private final @Nullable StoredObject previous;

	private final @Nullable StoredObject object;

	private volatile @Nullable StoredObject departed;

	private volatile @Nullable Change next;

	Change(Type type, long resourceVersion, @Nullable StoredObject previous, @Nullable StoredObject object) {
		this.type = type;
		this.resourceVersion = resourceVersion;
		this.previous = previous;
		this.object = object;
	}

	static Change start(long resourceVersion) {
		return new Change(Type.START, resourceVersion, null, null);
	}

	public Type type() {
		return this.type;
	}

	public long resourceVersion() {
		return this.resourceVersion;
	}

	public @Nullable StoredObject previous() {
		return this.previous;
	}

	/**
	 * Return the object after the change. For a deletion, this is the last state at the
	 * resource version of the deletion.
	 */
	public StoredObject object() {
		StoredObject current = this.object;
		if (current == null) {
			throw new IllegalStateException("The first entry of a change log has no object");
		}
		return current;
	}

	/**
	 * Return the object before the change, at the resource version of this change. A
	 * watch receives it when the object no longer matches its selector.
	 */
	public StoredObject departed() {
		StoredObject current = this.departed;
		if (current == null) {
			StoredObject before = this.previous;
			if (before == null) {
				throw new IllegalStateException("An added object has no previous state");
			}
			current = before.at(this.resourceVersion);
			this.departed = current;
		}
		return current;
	}

	public @Nullable Change next() {
		return this.next;
	}

	void next(Change change) {
		this.next = change;
	}

	public enum Type {

		/**
		 * The start of a change log, without an object.
		 */
		START,

		/**
		 * The creation of an object.
		 */
		ADDED,

		/**
		 * The update of an object.
		 */
		MODIFIED,

		/**
		 * The removal of an object.
		 */
		DELETED

	}

}
