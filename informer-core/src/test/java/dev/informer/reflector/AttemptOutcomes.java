/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.informer.client.ServerStatusException;
import dev.informer.testing.ScriptedSource;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of attempts, for tests of {@link RetryDecider}.
 */
final class AttemptOutcomes {

	static final WatchOutcome.Progress UNOPENED = new WatchOutcome.Progress(false, false, false, Duration.ZERO, true,
			true, true);

	/** Open for less than a second, without an event. */
	static final WatchOutcome.Progress OPENED = new WatchOutcome.Progress(true, false, false, Duration.ofMillis(999),
			true, true, true);

	/** Open for more than a second, without an event. */
	static final WatchOutcome.Progress QUIET = new WatchOutcome.Progress(true, false, false, Duration.ofSeconds(1),
			true, true, true);

	static final WatchOutcome.Progress ADVANCED = new WatchOutcome.Progress(true, true, true, Duration.ZERO, true, true,
			true);

	/** Closed before the requested time. */
	static final WatchOutcome.Progress EARLY = new WatchOutcome.Progress(true, true, true, Duration.ofSeconds(1), true,
			true, false);

	/** Received synthetic events only. */
	static final WatchOutcome.Progress UNSET = new WatchOutcome.Progress(true, true, false, Duration.ofSeconds(1),
			false, true, true);

	static final ListOutcome<?> LISTED = new ListOutcome.Listed<>(List.of(), List.of(), Set.of(), "10", null,
			Duration.ZERO);

	private AttemptOutcomes() {
	}

	static WatchOutcome watch(WatchOutcome.Progress progress, @Nullable Throwable failure) {
		return WatchOutcome.of(progress, failure);
	}

	static ServerStatusException badRequest() {
		return new ServerStatusException(ScriptedSource.status(400, "BadRequest"));
	}

	static ServerStatusException status(int code) {
		return new ServerStatusException(ScriptedSource.status(code, ""));
	}

}
