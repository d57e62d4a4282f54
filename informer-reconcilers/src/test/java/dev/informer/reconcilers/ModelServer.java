/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Model of a server whose etcd can be restored.
 */
final class ModelServer {

	private final Map<String, KubernetesObject> objects = new TreeMap<>();

	private final List<Event> events = new ArrayList<>();

	private long revision = 100;

	private History history = new History(null, 0);

	private @Nullable Backup backup;

	long revision() {
		return this.revision;
	}

	History history() {
		return this.history;
	}

	/**
	 * Return the next version, which the caller stores an object at.
	 */
	String next() {
		this.revision++;
		return String.valueOf(this.revision);
	}

	void put(String key, KubernetesObject object) {
		this.objects.put(key, object);
		this.events.add(new Event(this.revision, key, object));
	}

	void remove(String key) {
		if (this.objects.remove(key) != null) {
			this.revision++;
			this.events.add(new Event(this.revision, key, null));
		}
	}

	@Nullable KubernetesObject find(String key) {
		return this.objects.get(key);
	}

	Map<String, KubernetesObject> objects(String kind) {
		Map<String, KubernetesObject> found = new TreeMap<>();
		this.objects.forEach((key, object) -> {
			if (key.startsWith(kind)) {
				found.put(key, object);
			}
		});
		return found;
	}

	/**
	 * Return the next event of a kind after a version; {@code null} if there is none.
	 */
	@Nullable Event after(long version, String kind) {
		for (Event event : this.events) {
			if (event.version > version && event.key.startsWith(kind)) {
				return event;
			}
		}
		return null;
	}

	void backUp() {
		this.backup = new Backup(Map.copyOf(this.objects), List.copyOf(this.events), this.revision, this.history);
	}

	/**
	 * Restore the backup, and return whether there is one.
	 */
	boolean restore() {
		Backup restored = this.backup;
		if (restored == null) {
			return false;
		}
		this.objects.clear();
		this.objects.putAll(restored.objects);
		this.events.clear();
		this.events.addAll(restored.events);
		this.revision = restored.revision;
		this.history = new History(restored.history, restored.revision);
		return true;
	}

	/**
	 * Change or deletion of an object.
	 *
	 * @param object {@code null} after the deletion
	 */
	record Event(long version, String key, @Nullable KubernetesObject object) {
	}

	private record Backup(Map<String, KubernetesObject> objects, List<Event> events, long revision, History history) {
	}

	/**
	 * History of the server, which has another one in common up to a version. Two are the
	 * same only if they are identical.
	 */
	static final class History {

		private final @Nullable History parent;

		private final long since;

		History(@Nullable History parent, long since) {
			this.parent = parent;
			this.since = since;
		}

		/**
		 * Return whether a version of a history is one of this history, too.
		 */
		boolean contains(History other, long version) {
			History current = this;
			long limit = Long.MAX_VALUE;
			while (current != null) {
				if (current == other) {
					return version <= limit;
				}
				limit = Math.min(limit, current.since);
				current = current.parent;
			}
			return false;
		}

	}

}
