/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.informer.cache.Indexer;
import dev.informer.client.ServerStatusException;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Outcomes of attempts, for tests of {@link RetryDecider}.
 */
final class AttemptOutcomes {

	static final AttemptOutcome.Progress UNOPENED = new AttemptOutcome.Progress(false, false, false, Duration.ZERO,
			true, true, true);

	/** Open for less than a second, without an event. */
	static final AttemptOutcome.Progress OPENED = new AttemptOutcome.Progress(true, false, false,
			Duration.ofMillis(999), true, true, true);

	/** Open for more than a second, without an event. */
	static final AttemptOutcome.Progress QUIET = new AttemptOutcome.Progress(true, false, false, Duration.ofSeconds(1),
			true, true, true);

	static final AttemptOutcome.Progress ADVANCED = new AttemptOutcome.Progress(true, true, true, Duration.ZERO, true,
			true, true);

	/** Closed before the requested time. */
	static final AttemptOutcome.Progress EARLY = new AttemptOutcome.Progress(true, true, true, Duration.ofSeconds(1),
			true, true, false);

	/** Received synthetic events only. */
	static final AttemptOutcome.Progress UNSET = new AttemptOutcome.Progress(true, true, false, Duration.ofSeconds(1),
			false, true, true);

	static final AttemptOutcome<?> LISTED = AttemptOutcome
		.of(new AttemptOutcome.Listed<>(List.of(), List.of(), Set.of(), "10", null, Duration.ZERO));

	private AttemptOutcomes() {
	}

	static AttemptOutcome<?> watch(AttemptOutcome.Progress progress, @Nullable Throwable failure) {
		return AttemptOutcome.of(progress, failure);
	}

	static ServerStatusException badRequest() {
		return new ServerStatusException(ScriptedSource.status(400, "BadRequest"));
	}

	static ServerStatusException status(int code) {
		return new ServerStatusException(ScriptedSource.status(code, ""));
	}

	static Throwable sizeLimit() {
		Indexer<V1Pod> cache = new Indexer<>((description, failure) -> {
		});
		return catchThrowable(() -> Objects.requireNonNull(cache.sizes(1)).received(TestObjects.pod("shop", "a"), 2));
	}

}
