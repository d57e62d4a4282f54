/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.cache;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Objects whose current state could not be decoded or transformed, so that the cache
 * keeps an earlier state or has none. The last {@value #LIMIT} are recorded. Thread-safe,
 * guarded by its monitor.
 */
public final class StaleObjects {

	private static final int LIMIT = 1_000;

	private final Map<String, Cause> causes = new LinkedHashMap<>();

	/** Whether there is none, so that most changes need not acquire the monitor. */
	private volatile boolean empty = true;

	/**
	 * Return the key of the objects without a readable name in a namespace, or in any if
	 * it is empty.
	 */
	public static String unnamed(String namespace) {
		return namespace + "/";
	}

	/**
	 * Record that the current state of an object could not be read. The reason does not
	 * have the content of the object.
	 */
	public synchronized void add(String key, String reason, Instant time) {
		this.causes.remove(key);
		this.causes.put(key, new Cause(reason, time));
		if (this.causes.size() > LIMIT) {
			this.causes.remove(this.causes.keySet().iterator().next());
		}
		this.empty = false;
	}

	/**
	 * Record that a later state of an object could be read, or that it was deleted.
	 */
	public void remove(String key) {
		if (!this.empty) {
			removeRecorded(key);
		}
	}

	private synchronized void removeRecorded(String key) {
		this.causes.remove(key);
		this.empty = this.causes.isEmpty();
	}

	/**
	 * Record a list of a namespace, or of all if it is empty: all objects but the
	 * retained ones could be read or do not exist.
	 */
	public void retain(String namespace, Set<String> retained) {
		if (!this.empty) {
			retainRecorded(namespace, retained);
		}
	}

	private synchronized void retainRecorded(String namespace, Set<String> retained) {
		this.causes.keySet()
			.removeIf((key) -> (namespace.isEmpty() || key.startsWith(namespace + "/")) && !retained.contains(key));
		this.empty = this.causes.isEmpty();
	}

	/**
	 * Return why the current state of an object could not be read; {@code null} if it
	 * could be read, or if that is not recorded.
	 */
	public synchronized @Nullable Cause find(String key) {
		return this.causes.get(key);
	}

	/**
	 * Return why no object could be read; {@code null} if one of the cached ones was, or
	 * if there is none. More cached objects than are recorded count as read.
	 */
	synchronized @Nullable Cause ofAll(int cached, Supplier<List<String>> keys) {
		return (!this.empty && cached <= this.causes.size() && this.causes.keySet().containsAll(keys.get()))
				? this.causes.values().iterator().next() : null;
	}

	/**
	 * Cause for which an object is stale.
	 *
	 * @param reason the reason, without the content of the object
	 */
	public record Cause(String reason, Instant time) {

	}

}
