/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Optional;

import dev.informer.Sharding;
import dev.informer.shard.ShardMember;
import dev.informer.spring.InvalidHandlerMethodException;
import org.jspecify.annotations.Nullable;

/**
 * Membership of this application in the group of replicas that divide objects between
 * them. Empty if sharding is disabled.
 */
public final class ShardMembership {

	private final @Nullable ShardMember member;

	private final @Nullable Sharding inherited;

	/**
	 * Create a membership.
	 * @param member the member that belongs to this context; {@code null} for none
	 * @param inherited the member of the parent context; {@code null} for none
	 */
	public ShardMembership(@Nullable ShardMember member, @Nullable Sharding inherited) {
		this.member = member;
		this.inherited = inherited;
	}

	/**
	 * Return the member that belongs to this context.
	 * @return the member
	 */
	public Optional<ShardMember> member() {
		return Optional.ofNullable(this.member);
	}

	/**
	 * Return the division of objects of this context or of its parent.
	 * @return the division
	 */
	public Optional<Sharding> sharding() {
		return Optional.ofNullable((this.member != null) ? this.member : this.inherited);
	}

	/**
	 * Find the division of objects that a handler selects.
	 * @return the division; {@code null} if the handler is invoked for every object
	 * @throws InvalidHandlerMethodException if sharding is disabled
	 */
	@Nullable Sharding find(InformerHandlerEndpoint endpoint, ReplicaSelection selection) {
		if (!Boolean.TRUE.equals(selection.sharded())) {
			return null;
		}
		return sharding().orElseThrow(() -> endpoint.method()
			.invalid("it is sharded, but sharding is disabled",
					"Set informer.sharding.enabled=true, or let every replica invoke it for every object: remove "
							+ "sharded, and the property informer.handlers." + endpoint.id() + ".sharded."));
	}

}
