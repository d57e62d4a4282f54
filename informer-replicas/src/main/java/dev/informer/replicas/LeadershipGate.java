/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.replicas;

import java.util.OptionalInt;

import dev.informer.replicas.ReplicaEvent.LeadershipLost;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;

/**
 * Gate of a handler that is invoked only while this process is leader.
 */
final class LeadershipGate extends ReplicaGate {

	private final Leadership leadership;

	LeadershipGate(Leadership leadership) {
		super(leadership);
		this.leadership = leadership;
	}

	@Override
	void notify(Follower follower, ReplicaEvent event) {
		if (event instanceof LeadershipLost) {
			follower.revoked((target) -> true, "lost the election '" + this.leadership.election() + "'");
		}
		else {
			follower.changed();
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
			refused();
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
				: "It is leader-only, and " + this.leadership.leader()
					.filter((leader) -> !leader.equals(this.leadership.identity()))
					.map((leader) -> "the leader is '" + UntrustedText.of(leader) + "'")
					.orElse("no other leader is known");
	}

	@Override
	public OptionalInt fencingToken() {
		return this.leadership.fencingToken();
	}

	@Override
	public long term(Target target) {
		OptionalInt token = this.leadership.fencingToken();
		return token.isPresent() ? token.getAsInt() + 1L : 0;
	}

	Leadership leadership() {
		return this.leadership;
	}

	@Override
	public String toString() {
		return "leader-only";
	}

}
