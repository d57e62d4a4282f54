/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.WatchedSet;
import dev.informer.client.Moment;
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
final class SelectedAssignment implements Assignment {

	private final WatchedSet objects;

	private final Set<String> fixed;

	private final TimeSource time;

	private final Runnable notifier = this::changed;

	private volatile InformerState state;

	private volatile Runnable callback = () -> {
	};

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

	private void changed() {
		this.callback.run();
	}

	@Override
	public void start() {
		// the application starts what determines the objects
	}

	@Override
	public @Nullable Set<String> namespaces() {
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
	public @Nullable ObjectSelector selector() {
		return this.selector;
	}

	@Override
	public InformerState state() {
		return this.state;
	}

	@Override
	public @Nullable InformerFailure failure() {
		return null;
	}

	@Override
	public Optional<Moment> lastActivity() {
		return Optional.empty();
	}

	@Override
	public void follow(Runnable changed) {
		this.callback = changed;
	}

	@Override
	public void close() {
		this.objects.unfollow(this.notifier);
	}

}
