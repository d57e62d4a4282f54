/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Series without unwritten occurrences, which their next occurrence continues. If there
 * is no room, the largest namespace forgets the one that it has had longest. Guarded by
 * the lock of the {@link DefaultEventRecorder}.
 */
final class WrittenSeries {

	private final int capacity;

	private final Map<String, Map<EventSeries.Identity, EventSeries>> namespaces = new HashMap<>();

	private int size;

	WrittenSeries(int capacity) {
		this.capacity = capacity;
	}

	/**
	 * Add a series whose identity no other one has.
	 */
	void add(EventSeries written) {
		this.namespaces.computeIfAbsent(written.namespace(), (namespace) -> new LinkedHashMap<>())
			.put(written.identity(), written);
		this.size++;
		if (this.size > this.capacity) {
			Iterator<EventSeries> eldest = this.namespaces.values()
				.stream()
				.max(Comparator.comparingInt(Map::size))
				.orElseThrow()
				.values()
				.iterator();
			remove(eldest.next().identity());
		}
	}

	/**
	 * Remove and return the series of an identity; {@code null} if there is none.
	 */
	@Nullable EventSeries remove(EventSeries.Identity identity) {
		Map<EventSeries.Identity, EventSeries> share = this.namespaces.get(identity.eventNamespace());
		if (share == null) {
			return null;
		}
		EventSeries removed = share.remove(identity);
		if (removed != null) {
			this.size--;
		}
		if (share.isEmpty()) {
			this.namespaces.remove(identity.eventNamespace());
		}
		return removed;
	}

}
