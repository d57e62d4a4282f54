/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.informer.InvocationGate;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * Gate of a handler that is invoked only while this process is leader. {@link #begin}
 * checks the leadership immediately before each invocation: a process that was suspended
 * continues with an invocation before the loss is noticed. Thread-safe.
 */
final class LeadershipGate implements InvocationGate {

	private final Leadership leadership;

	private final Map<Follower, LeadershipListener> followers = new ConcurrentHashMap<>();

	/** Number of the answers that this process is not leader. */
	private final AtomicInteger refusals = new AtomicInteger();

	LeadershipGate(Leadership leadership) {
		this.leadership = leadership;
	}

	@Override
	public void follow(Follower follower) {
		LeadershipListener listener = new Notifier(follower);
		this.followers.put(follower, listener);
		this.leadership.addListener(listener);
	}

	@Override
	public void unfollow(Follower follower) {
		LeadershipListener listener = this.followers.remove(follower);
		if (listener != null) {
			this.leadership.removeListener(listener);
		}
	}

	@Override
	public boolean isOpen() {
		return noted(this.leadership.isLeader());
	}

	@Override
	public boolean begin(Target target) {
		return noted(this.leadership.begin());
	}

	private boolean noted(boolean leader) {
		if (!leader) {
			this.refusals.incrementAndGet();
		}
		return leader;
	}

	@Override
	public void end(Target target) {
		this.leadership.end();
	}

	@Override
	public @Nullable String closedReason(@Nullable Target target) {
		return this.leadership.isLeader() ? null
				: "The handler is leader-only, and " + this.leadership.leader()
					.filter((leader) -> !leader.equals(this.leadership.identity()))
					.map((leader) -> "the leader is '" + UntrustedText.of(leader) + "'")
					.orElse("no other leader is known");
	}

	Leadership leadership() {
		return this.leadership;
	}

	@Override
	public String toString() {
		return "leader-only";
	}

	private final class Notifier implements LeadershipListener {

		private final Follower follower;

		/** Written by the thread that notifies. */
		private volatile int refusals;

		Notifier(Follower follower) {
			this.follower = follower;
		}

		@Override
		public void acquired(Leadership leadership) {
			this.refusals = LeadershipGate.this.refusals.get();
			this.follower.changed();
		}

		@Override
		public void lost(Leadership leadership, String reason) {
			this.follower.revoked((target) -> true, "lost the election '" + leadership.election() + "'");
		}

		/**
		 * Open the gate if it was closed between the renew deadline and the answer to a
		 * renewal that was just in time: the leadership was never lost, so
		 * {@link #acquired} does not follow.
		 */
		@Override
		public void requested(Leadership leadership, Duration duration, boolean success) {
			if (success && leadership.isLeader() && this.refusals != LeadershipGate.this.refusals.get()) {
				acquired(leadership);
			}
		}

	}

}
