/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.support;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Deadlines and poll intervals for conditions that a test waits for. The deadlines are
 * generous, because only a failing test reaches them.
 */
public final class Await {

	private Await() {
	}

	/**
	 * Return the settings for a condition on objects in the JVM of the test: checked each
	 * 5 ms, for at most 60 s. An exception fails the test at once.
	 * @return the condition factory
	 */
	public static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(5));
	}

	/**
	 * Return the settings for a condition on another process, such as a real API server
	 * or a browser: checked each 50 ms, for at most 60 s. Exceptions count as a condition
	 * that is not met, because the process may be starting.
	 * @return the condition factory
	 */
	public static ConditionFactory awaitExternal() {
		return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).ignoreExceptions();
	}

}
