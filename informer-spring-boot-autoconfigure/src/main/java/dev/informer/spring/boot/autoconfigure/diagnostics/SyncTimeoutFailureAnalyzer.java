/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.TimeSource;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.UnsyncedInformer;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for {@link SyncTimeoutException}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class SyncTimeoutFailureAnalyzer extends AbstractFailureAnalyzer<SyncTimeoutException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, SyncTimeoutException cause) {
		if (!cause.isConnected()) {
			return new FailureAnalysis("The API client was not created within " + seconds(cause) + ".",
					"Check what creates it: the exec plugin of the kubeconfig's user, which may wait for input or for "
							+ "its identity provider, or the ApiClient bean of the application. If it needs more time, "
							+ "increase informer.startup.timeout; to start without informers, set "
							+ "informer.startup.on-timeout=warn.",
					cause);
		}
		if (!cause.handlers().isEmpty()) {
			return new FailureAnalysis(
					"Handlers did not receive the initial list within " + seconds(cause) + ":" + System.lineSeparator()
							+ System.lineSeparator() + list(cause.handlers().stream()),
					"Make the handlers faster or increase their concurrency, or increase informer.startup.timeout. To "
							+ "start without waiting for them, set informer.startup.await-handlers=false.",
					cause);
		}
		String informers = list(cause.informers().stream().map(UnsyncedInformer::toString));
		String remedies = list(
				cause.informers().stream().map((informer) -> informer.name() + ": " + FailureRemedy.of(informer)));
		return new FailureAnalysis(
				"Required informers did not sync within " + seconds(cause) + ":" + System.lineSeparator()
						+ System.lineSeparator() + informers,
				System.lineSeparator() + remedies + System.lineSeparator() + System.lineSeparator()
						+ "To start without them, set informer.resources.<name>.required=false or "
						+ "informer.startup.on-timeout=warn.",
				cause);
	}

	private static String list(Stream<String> items) {
		return items.map((item) -> "    - " + item).collect(Collectors.joining(System.lineSeparator()));
	}

	private static String seconds(SyncTimeoutException cause) {
		return "informer.startup.timeout (" + TimeSource.millis(cause.timeout()) + " ms)";
	}

}
