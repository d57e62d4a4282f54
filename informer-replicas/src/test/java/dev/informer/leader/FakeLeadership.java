/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.replicas.Leadership;
import dev.informer.replicas.ReplicaEvent.LeadershipAcquired;
import dev.informer.replicas.ReplicaEvent.LeadershipLost;
import dev.informer.replicas.ReplicaEvent.Requested;
import dev.informer.replicas.ReplicaListener;
import org.jspecify.annotations.Nullable;

/**
 * {@link Leadership} that the test acquires and loses.
 */
public final class FakeLeadership implements Leadership {

	private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();

	private final AtomicInteger running = new AtomicInteger();

	private volatile boolean leader;

	private volatile @Nullable String observed;

	public void acquire() {
		this.leader = true;
		this.listeners.forEach((listener) -> listener.onEvent(new LeadershipAcquired(this)));
	}

	/**
	 * Observe another leader.
	 */
	public void observe(String leader) {
		this.observed = leader;
	}

	/**
	 * Lose the leadership without a notification, as after a suspension of the process.
	 */
	public void expire() {
		this.leader = false;
	}

	/**
	 * Be leader again without a notification of that, by a renewal after the deadline.
	 */
	public void renew() {
		this.leader = true;
		this.listeners.forEach((listener) -> listener.onEvent(new Requested(this, Duration.ZERO, true)));
	}

	public void lose() {
		expire();
		this.listeners.forEach((listener) -> listener.onEvent(new LeadershipLost(this, "lost by the test")));
	}

	public int running() {
		return this.running.get();
	}

	public int listeners() {
		return this.listeners.size();
	}

	@Override
	public String election() {
		return "default";
	}

	@Override
	public String identity() {
		return "me";
	}

	@Override
	public boolean isLeader() {
		return this.leader;
	}

	@Override
	public OptionalInt fencingToken() {
		return OptionalInt.empty();
	}

	@Override
	public Optional<String> leader() {
		return Optional.ofNullable(this.observed);
	}

	@Override
	public boolean begin() {
		this.running.addAndGet(this.leader ? 1 : 0);
		return this.leader;
	}

	@Override
	public void end() {
		this.running.decrementAndGet();
	}

	@Override
	public void addListener(ReplicaListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void removeListener(ReplicaListener listener) {
		this.listeners.remove(listener);
	}

}
