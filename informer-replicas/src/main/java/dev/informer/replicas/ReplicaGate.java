/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InvocationGate;
import dev.informer.replicas.ReplicaEvent.Requested;

/**
 * Gate that opens and closes with a {@link Coordination}. {@link #begin} asks it
 * immediately before each invocation: a process that was suspended continues with an
 * invocation before a loss is noticed. Thread-safe.
 * <p>
 * <b>Concurrency.</b> An invocation may be refused between the renew deadline and the
 * answer to a renewal that was just in time. Nothing was lost then, so no event follows
 * that says the opposite; the followers are notified after the renewal.
 */
abstract class ReplicaGate implements InvocationGate {

	private final Coordination coordination;

	private final Map<Follower, ReplicaListener> followers = new ConcurrentHashMap<>();

	/** Number of refusals of what the followers regard as open. */
	private final AtomicInteger refusals = new AtomicInteger();

	ReplicaGate(Coordination coordination) {
		this.coordination = coordination;
	}

	@Override
	public void follow(Follower follower) {
		ReplicaListener listener = new Notifier(follower);
		this.followers.put(follower, listener);
		this.coordination.addListener(listener);
	}

	@Override
	public void unfollow(Follower follower) {
		ReplicaListener listener = this.followers.remove(follower);
		if (listener != null) {
			this.coordination.removeListener(listener);
		}
	}

	/**
	 * Note that an invocation is refused which the followers regard as permitted.
	 */
	final void refused() {
		this.refusals.incrementAndGet();
	}

	/**
	 * Notify a follower of an event that may have opened or closed the gate.
	 */
	abstract void notify(Follower follower, ReplicaEvent event);

	private final class Notifier implements ReplicaListener {

		private final Follower follower;

		/** Written by the thread that notifies. */
		private volatile int refusals;

		Notifier(Follower follower) {
			this.follower = follower;
		}

		@Override
		public void onEvent(ReplicaEvent event) {
			int current = ReplicaGate.this.refusals.get();
			if (!(event instanceof Requested requested) || (requested.success() && this.refusals != current)) {
				this.refusals = current;
				ReplicaGate.this.notify(this.follower, event);
			}
		}

	}

}
