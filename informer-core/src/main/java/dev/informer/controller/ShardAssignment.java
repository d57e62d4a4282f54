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
import dev.informer.Moment;
import dev.informer.Shard;
import dev.informer.Sharding;
import dev.informer.ShardingListener;
import dev.informer.TimeSource;
import dev.informer.client.ShardSelector;
import org.jspecify.annotations.Nullable;

/**
 * Shard of the objects in fixed namespaces: no namespace as long as this process is
 * assigned no slot.
 * <p>
 * <b>Concurrency.</b> The assigned slots are read by the thread of the store. The
 * membership notifies of changes on its own thread.
 */
final class ShardAssignment implements Assignment, ShardingListener {

	private final Shard shard;

	private final Set<String> fixed;

	private final TimeSource time;

	private volatile InformerState state;

	private volatile Runnable callback = () -> {
	};

	private @Nullable Set<Integer> slots;

	private @Nullable ShardSelector selector;

	/**
	 * Create an assignment, which is to be closed.
	 * @param shard the shard
	 * @param namespaces the namespaces; none for all of them
	 * @param time the time
	 */
	ShardAssignment(Shard shard, List<String> namespaces, TimeSource time) {
		this.shard = shard;
		this.fixed = namespaces.isEmpty() ? Set.of("") : Set.copyOf(namespaces);
		this.time = time;
		this.state = new InformerState(Phase.CONNECTING, time.moment(), null, null, null);
		shard.sharding().addListener(this);
	}

	@Override
	public void assigned(Sharding sharding, Set<Integer> slots) {
		this.callback.run();
	}

	@Override
	public void start() {
		// the application starts the membership
	}

	@Override
	public @Nullable Set<String> namespaces() {
		Set<Integer> current = this.shard.sharding().assigned();
		if (current == null) {
			return null;
		}
		if (!current.equals(this.slots)) {
			if (this.slots == null) {
				this.state = new InformerState(Phase.WATCHING, this.time.moment(), null, null, null);
			}
			this.slots = current;
			this.selector = ShardSelector.of(this.shard.by(), this.shard.sharding().slots(), current);
		}
		return current.isEmpty() ? Set.of() : this.fixed;
	}

	@Override
	public @Nullable ShardSelector shard() {
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
		this.shard.sharding().removeListener(this);
	}

}
