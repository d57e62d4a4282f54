/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.replicas.Shard;
import org.jspecify.annotations.Nullable;

/**
 * Informer that has not synced in time.
 *
 * @param name the name of the informer
 * @param resourceType the resource
 * @param options the options of the informer
 * @param awaitedGroup the name of the group of replicas whose slots the informer waits
 * for; {@code null} for none
 * @param state the state of the informer
 */
public record UnsyncedInformer(String name, ResourceType<?> resourceType, InformerOptions options,
		@Nullable String awaitedGroup, InformerState state) {

	/**
	 * Describe an informer.
	 * @param informer the informer
	 * @return its description
	 */
	public static UnsyncedInformer of(SharedIndexInformer<?> informer) {
		return new UnsyncedInformer(informer.name(), informer.resourceType(), informer.options(),
				awaitedGroup(Shard.of(informer.options()).orElse(null)), informer.state());
	}

	private static @Nullable String awaitedGroup(@Nullable Shard shard) {
		return (shard != null && shard.sharding().assigned() == null) ? shard.sharding().group() : null;
	}

	@Override
	public String toString() {
		return "'" + this.name + "' (" + this.resourceType + ") is " + this.state.phase() + reason();
	}

	private String reason() {
		if (this.state.failure() != null) {
			return ": " + this.state.failure().message();
		}
		return (this.awaitedGroup != null) ? ": waiting for the slots of group '" + this.awaitedGroup + "'" : "";
	}

}
