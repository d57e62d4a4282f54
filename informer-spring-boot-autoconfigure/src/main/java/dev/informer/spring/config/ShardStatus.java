/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Optional;
import java.util.Set;

import dev.informer.SharedIndexInformer;
import dev.informer.replicas.Shard;
import org.jspecify.annotations.Nullable;

/**
 * Share of the objects that an informer caches now.
 *
 * @param by the property of an object that its slot follows from
 * @param assignedSlots the number of slots that this replica is assigned; {@code null}
 * until they are known
 */
public record ShardStatus(String group, Shard.Key by, @Nullable Integer assignedSlots, int slots) {

	/**
	 * Return the share of an informer; empty if the informer caches all objects.
	 */
	public static Optional<ShardStatus> of(SharedIndexInformer<?> informer) {
		return Shard.of(informer.options()).map((shard) -> {
			Set<Integer> assigned = shard.sharding().assigned();
			return new ShardStatus(shard.sharding().group(), shard.by(), (assigned != null) ? assigned.size() : null,
					shard.sharding().slots());
		});
	}

}
