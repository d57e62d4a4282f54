/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import org.jspecify.annotations.Nullable;

/**
 * Selection of the election whose leader alone invokes a handler.
 *
 * @param leaderOnly whether only the leader invokes the handler; {@code null} if that is
 * not set
 * @param election the name of the election; {@code null} if it is not set
 */
public record LeaderSelection(@Nullable Boolean leaderOnly, @Nullable String election) {

	/** Selection without any value. */
	public static final LeaderSelection NONE = new LeaderSelection(null, null);

	/**
	 * Return this selection with values of another one where values are not set.
	 */
	LeaderSelection orElse(LeaderSelection other) {
		// the name of an election alone makes a handler leader-only
		Boolean only = (this.leaderOnly != null || this.election == null) ? this.leaderOnly : Boolean.TRUE;
		return new LeaderSelection((only != null) ? only : other.leaderOnly(),
				(this.election != null) ? this.election : other.election());
	}

}
