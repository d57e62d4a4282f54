/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import dev.informer.BackoffPolicy;
import dev.informer.InformerFactory;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Factories of this project's informers for runs that no other client supports.
 */
final class InformerSetup {

	static final Duration PATIENCE = Duration.ofMinutes(10);

	private static final BackoffPolicy NO_WAIT = new BackoffPolicy(Duration.ofMillis(1), 1, Duration.ofMillis(1),
			Duration.ZERO, Duration.ofMinutes(2));

	private InformerSetup() {
	}

	/**
	 * Return a factory whose informers do not wait after a failure.
	 */
	static InformerFactory factory(ClientSettings settings, InformerListener listener) {
		return factory(settings, listener, null);
	}

	/**
	 * Return such a factory with threads of another kind.
	 * @param threads the factory of the threads; {@code null} for platform threads
	 */
	static InformerFactory factory(ClientSettings settings, InformerListener listener,
			@Nullable ThreadFactory threads) {
		ApiClient apiClient = new Connections(settings).official();
		return InformerFactory.create(() -> apiClient, (factory) -> {
			factory.addListener(listener)
				.defaults(new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(NO_WAIT)
					.encoding(settings.encoding())
					.build());
			if (threads != null) {
				factory.threadFactory(threads);
			}
		});
	}

}
