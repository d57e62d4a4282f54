/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import org.jspecify.annotations.Nullable;

/**
 * One change of one object, a link in the chain that {@link ChangeLog} keeps and watches
 * follow.
 */
final class Change {

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

	Type type() {
		return this.type;
	}

	long resourceVersion() {
		return this.resourceVersion;
	}

	@Nullable StoredObject previous() {
		return this.previous;
	}

	/**
	 * The state after the change, or the last one, at the resource version of its
	 * deletion.
	 */
	StoredObject object() {
		StoredObject current = this.object;
		if (current == null) {
			throw new IllegalStateException("The first entry of a change log has no object");
		}
		return current;
	}

	/**
	 * The state before the change, at this change's resource version: what a watch is
	 * sent whose selection the object has left.
	 */
	StoredObject departed() {
		StoredObject current = this.departed;
		if (current == null) {
			StoredObject before = this.previous;
			if (before == null) {
				throw new IllegalStateException("An object that was not there cannot leave");
			}
			current = before.at(this.resourceVersion);
			this.departed = current;
		}
		return current;
	}

	@Nullable Change next() {
		return this.next;
	}

	void next(Change change) {
		this.next = change;
	}

	enum Type {

		START, ADDED, MODIFIED, DELETED

	}

}
