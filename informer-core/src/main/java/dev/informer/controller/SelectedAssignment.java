/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.List;
import java.util.Set;

import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.WatchedSet;
import dev.informer.client.ObjectSelector;
import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Objects of a {@link WatchedSet} in fixed namespaces: no namespace as long as no object
 * is selected.
 * <p>
 * <b>Concurrency.</b> The selector is read by the thread of the store. The set notifies
 * of changes on any thread.
 */
final class SelectedAssignment extends Assignment {

	private final WatchedSet objects;

	private final Set<String> fixed;

	private final TimeSource time;

	private final Runnable notifier = this::changed;

	private volatile InformerState state;

	private @Nullable ObjectSelector selector;

	/**
	 * Create an assignment, which is to be closed.
	 * @param namespaces the namespaces; none for all of them
	 */
	SelectedAssignment(WatchedSet objects, List<String> namespaces, TimeSource time) {
		this.objects = objects;
		this.fixed = namespaces.isEmpty() ? Set.of("") : Set.copyOf(namespaces);
		this.time = time;
		this.state = new InformerState(Phase.CONNECTING, time.moment(), null, null, null);
		objects.follow(this.notifier);
	}

	@Override
	@Nullable Set<String> namespaces() {
		ObjectSelector current = this.objects.selector();
		if (current == null) {
			return null;
		}
		if (this.selector == null) {
			this.state = new InformerState(Phase.WATCHING, this.time.moment(), null, null, null);
		}
		this.selector = current;
		return current.isEmpty() ? Set.of() : this.fixed;
	}

	@Override
	@Nullable ObjectSelector selector() {
		return this.selector;
	}

	@Override
	InformerState state() {
		return this.state;
	}

	@Override
	void close() {
		this.objects.unfollow(this.notifier);
	}

}
