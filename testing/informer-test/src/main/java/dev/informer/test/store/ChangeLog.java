/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Latest changes of one resource, as a linked list. All methods are called with the
 * store's lock held. The list itself is followed without the lock.
 */
final class ChangeLog {

	private final int capacity;

	private Change first = Change.start(0);

	private Change last = this.first;

	private long floor;

	private int size;

	ChangeLog(int capacity, long floor) {
		this.capacity = capacity;
		this.floor = floor;
	}

	void append(Change change) {
		this.last.next(change);
		this.last = change;
		if (++this.size > this.capacity) {
			Change forgotten = this.first.next();
			if (forgotten != null) {
				this.first = forgotten;
				this.floor = Math.max(this.floor, forgotten.resourceVersion());
				this.size--;
			}
		}
	}

	/**
	 * Discard all changes up to a resource version.
	 */
	void compact(long resourceVersion) {
		this.first = this.last;
		this.size = 0;
		this.floor = resourceVersion;
	}

	/**
	 * Return the oldest resource version since which all changes are kept.
	 */
	long floor() {
		return this.floor;
	}

	Change last() {
		return this.last;
	}

	/**
	 * Return the last change that is not newer than a resource version.
	 */
	Change after(long resourceVersion) {
		Change change = this.first;
		for (Change next = change.next(); next != null
				&& next.resourceVersion() <= resourceVersion; next = change.next()) {
			change = next;
		}
		return change;
	}

	/**
	 * Revert all changes that are newer than a resource version.
	 */
	NavigableMap<String, StoredObject> rewind(Map<String, StoredObject> current, long resourceVersion) {
		NavigableMap<String, StoredObject> past = new TreeMap<>(current);
		Map<String, Boolean> seen = new TreeMap<>();
		for (Change change = after(resourceVersion).next(); change != null; change = change.next()) {
			String path = change.object().key().path();
			if (seen.putIfAbsent(path, true) == null) {
				restore(past, path, change.previous());
			}
		}
		return past;
	}

	private static void restore(Map<String, StoredObject> objects, String path, @Nullable StoredObject previous) {
		if (previous == null) {
			objects.remove(path);
		}
		else {
			objects.put(path, previous);
		}
	}

}
