/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Extension that fails a test that leaves a thread of an informer behind. JUnit registers
 * it automatically, so it applies to all tests of this module.
 */
public final class NoThreadLeft implements AfterEachCallback {

	@Override
	public void afterEach(ExtensionContext context) {
		await().pollDelay(Duration.ZERO)
			.untilAsserted(() -> assertThat(informerThreads()).as("threads left behind").isEmpty());
	}

	public static List<String> informerThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("informer-"))
			.toList();
	}

}
