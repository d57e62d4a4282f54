/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

import dev.informer.client.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Reasons for which a handler is paused. No event may be delivered while there is one,
 * except those that were pending when the handler was suspended.
 * <p>
 * <b>Concurrency.</b> Not thread-safe; guarded by the {@link HandlerLock}.
 */
final class PauseState {

	private static final Set<PauseReason> SUSPENDED = Set.of(PauseReason.SUSPENDED);

	private final Map<PauseReason, Pause> pauses = new EnumMap<>(PauseReason.class);

	private final TimeSource time;

	/** Position up to which events may be delivered although the handler is suspended. */
	private long suspendedAt;

	PauseState(TimeSource time) {
		this.time = time;
	}

	/**
	 * Add or remove a reason.
	 * @param requestedBy the caller; {@code null} for the factory of the informer
	 * @param position the position of the next event
	 * @return whether that is a change
	 */
	boolean set(PauseReason reason, boolean paused, @Nullable String requestedBy, long position) {
		if (this.pauses.containsKey(reason) == paused) {
			return false;
		}
		if (paused) {
			this.pauses.put(reason, new Pause(this.time.now(), requestedBy));
		}
		else {
			this.pauses.remove(reason);
		}
		if (reason == PauseReason.SUSPENDED) {
			// a handler that is paused for another reason, too, has nothing to drain
			this.suspendedAt = SUSPENDED.equals(this.pauses.keySet()) ? position : 0;
		}
		return true;
	}

	boolean contains(PauseReason reason) {
		return this.pauses.containsKey(reason);
	}

	/**
	 * Return the reasons.
	 * @return a copy
	 */
	Map<PauseReason, Pause> all() {
		return new EnumMap<>(this.pauses);
	}

	/**
	 * Return the position up to which events may be delivered.
	 */
	long limit() {
		if (this.pauses.isEmpty()) {
			return Long.MAX_VALUE;
		}
		return SUSPENDED.equals(this.pauses.keySet()) ? this.suspendedAt : 0;
	}

	/**
	 * Let no event be delivered any more while the handler is suspended.
	 */
	void endDrain() {
		this.suspendedAt = 0;
	}

	/**
	 * Pause for one reason.
	 *
	 * @param since the time since which the handler is paused
	 * @param requestedBy the caller; {@code null} for the factory of the informer
	 */
	record Pause(Instant since, @Nullable String requestedBy) {

	}

}
