/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

/**
 * Outcome of one attempt of a {@link Reflector}: a list, a check for a rollback, or a
 * watch.
 */
sealed interface AttemptOutcome permits ListOutcome, RollbackCheck.Outcome, WatchOutcome {

}
