/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.SharedIndexInformer;

/**
 * The handlers of a registry by id. Those at informers of an ancestor of its context are
 * paused while the registry does not run, since their informers go on. Thread-safe.
 */
final class HandlerRegistrations {

	private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();

	private final Set<HandlerRegistration> held = ConcurrentHashMap.newKeySet();

	/**
	 * Adds a handler.
	 * @param id its id
	 * @param registration its registration
	 * @param informer its informer
	 * @param inherited whether the informer is one of an ancestor
	 */
	void add(String id, HandlerRegistration registration, SharedIndexInformer<?> informer, boolean inherited) {
		Entry entry = new Entry(registration, informer, inherited);
		this.entries.put(id, entry);
		hold(entry);
	}

	/**
	 * The ids of those that have not been removed.
	 */
	List<String> ids() {
		return this.entries.keySet().stream().filter((id) -> find(id).isPresent()).sorted().toList();
	}

	Optional<HandlerRegistration> find(String id) {
		return Optional.ofNullable(this.entries.get(id)).filter(Entry::isThere).map(Entry::registration);
	}

	Stream<HandlerRegistration> stream() {
		return this.entries.values().stream().filter(Entry::isThere).map(Entry::registration);
	}

	/**
	 * Forgets the handlers of an informer that is there no more.
	 */
	void forget(SharedIndexInformer<?> informer) {
		this.entries.values().removeIf((entry) -> entry.informer() == informer);
	}

	void holdInherited() {
		this.entries.values().forEach(this::hold);
	}

	private void hold(Entry entry) {
		if (entry.inherited() && !entry.registration().isPaused()) {
			entry.registration().pause();
			this.held.add(entry.registration());
		}
	}

	void releaseInherited() {
		this.held.forEach(HandlerRegistration::resume);
		this.held.clear();
	}

	void removeInherited() {
		this.entries.values().stream().filter(Entry::inherited).forEach((entry) -> entry.registration().remove());
	}

	private record Entry(HandlerRegistration registration, SharedIndexInformer<?> informer, boolean inherited) {

		boolean isThere() {
			return this.informer.handlers().contains(this.registration);
		}

	}

}
