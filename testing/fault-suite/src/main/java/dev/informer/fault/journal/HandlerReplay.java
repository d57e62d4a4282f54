/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Replay of the events of one handler, which checks each event against those before it.
 * Not thread-safe.
 */
final class HandlerReplay {

	private final String handler;

	private final Map<String, ObjectState> delivered = new HashMap<>();

	private final Set<String> added = new HashSet<>();

	private final Set<String> deleted = new HashSet<>();

	private final List<Violation> violations = new ArrayList<>();

	private boolean rolledBack;

	HandlerReplay(String handler) {
		this.handler = handler;
	}

	/**
	 * Allow older and equal versions, and deleted objects to come back with their UID:
	 * the data of the server were restored from a backup.
	 */
	void allowRollback() {
		this.rolledBack = true;
	}

	void replay(Entry entry) {
		ObjectState last = this.delivered.get(entry.key());
		switch (entry.type()) {
			case ADDED -> added(entry, last);
			case UPDATED -> updated(entry, last);
			case DELETED -> deleted(entry, last);
		}
	}

	private void added(Entry entry, @Nullable ObjectState last) {
		check(last == null, "added over another object", entry, last);
		boolean first = this.added.add(entry.state().uid());
		check(first || (this.rolledBack && this.deleted.remove(entry.state().uid())), "added twice", entry, last);
		this.delivered.put(entry.key(), entry.state());
	}

	private void updated(Entry entry, @Nullable ObjectState last) {
		if (check(last != null, "updated without having been added", entry, last) && last != null) {
			check(last.equals(entry.previous()), "previous is not the last delivered state", entry, last);
			if (check(last.uid().equals(entry.state().uid()), "updated across UIDs", entry, last)) {
				// Restored data reach the same version again, with other content
				check(this.rolledBack || !last.equals(entry.state()), "delivered twice", entry, last);
				check(this.rolledBack || last.equals(entry.state()) || entry.state().isNewerThan(last),
						"delivered out of order", entry, last);
			}
		}
		this.delivered.put(entry.key(), entry.state());
	}

	private void deleted(Entry entry, @Nullable ObjectState last) {
		boolean first = this.deleted.add(entry.state().uid());
		if (check(first, "deleted twice", entry, last)
				&& check(last != null, "deleted without having been added", entry, last) && last != null) {
			check(last.equals(entry.previous()), "previous is not the last delivered state", entry, last);
			check(last.uid().equals(entry.state().uid()), "deleted with another UID", entry, last);
			check(this.rolledBack || !last.isNewerThan(entry.state()), "deleted with an older state", entry, last);
		}
		this.delivered.remove(entry.key());
	}

	private boolean check(boolean holds, String violation, Entry entry, @Nullable ObjectState last) {
		if (!holds) {
			this.violations.add(new Violation(violation, "%s, last delivered to %s: %s".formatted(entry.toLine(),
					this.handler, (last != null) ? last : "none")));
		}
		return holds;
	}

	/**
	 * Return the state that the events result in.
	 */
	Map<String, ObjectState> result() {
		return this.delivered;
	}

	/**
	 * Return the violations since the last call.
	 */
	List<Violation> takeViolations() {
		List<Violation> taken = List.copyOf(this.violations);
		this.violations.clear();
		return taken;
	}

}
