/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import org.jspecify.annotations.Nullable;

/**
 * Selection of the replicas that invoke a handler: the leader of an election, the owner
 * of the slot of each object, or every replica. Values that are not set are {@code null}.
 */
public record ReplicaSelection(@Nullable Boolean leaderOnly, @Nullable String election, @Nullable Boolean sharded) {

	/** Selection without any value. */
	public static final ReplicaSelection NONE = new ReplicaSelection(null, null, null);

	/**
	 * Return this selection with values of another one where values are not set.
	 */
	ReplicaSelection orElse(ReplicaSelection other) {
		// the name of an election alone makes a handler leader-only
		Boolean only = (this.leaderOnly != null || this.election == null) ? this.leaderOnly : Boolean.TRUE;
		return new ReplicaSelection((only != null) ? only : other.leaderOnly(),
				(this.election != null) ? this.election : other.election(),
				(this.sharded != null) ? this.sharded : other.sharded());
	}

}
