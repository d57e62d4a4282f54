/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.informer.HandlerOptions;
import dev.informer.InformerOptions;

/**
 * Settings of the informers and handlers of an application.
 *
 * @param startupTimeout the maximum time that startup waits for all required informers
 * together
 * @param deliverAfterSync whether events are delivered only after all required informers
 * have synced
 * @param awaitHandlers whether startup also waits until handlers have received the
 * initial list
 * @param drainTimeout the maximum time for handlers to return when the application stops
 * @param defaults the settings of informers that the application does not configure
 * @param handlers the settings of handlers, by ID
 */
public record InformerSettings(boolean autoStartup, Duration startupTimeout, OnTimeout onTimeout,
		boolean deliverAfterSync, boolean awaitHandlers, Duration drainTimeout, Informer defaults,
		Map<String, Informer> informers, Map<String, Handler> handlers) {

	/** Shortest resync period, apart from zero for none. */
	public static final Duration MIN_RESYNC_PERIOD = Duration.ofSeconds(1);

	Informer informer(String name) {
		return this.informers.getOrDefault(name, this.defaults);
	}

	/**
	 * Settings of an informer.
	 *
	 * @param indices the names of the built-in indices
	 * @param required whether startup waits for the informer and fails without it
	 */
	public record Informer(Consumer<InformerOptions.Builder> options, List<String> indices, boolean required,
			Handler handler) {
	}

	/**
	 * Settings of a handler.
	 */
	public record Handler(Consumer<HandlerOptions.Builder<?>> options, ReplicaSelection replicas) {

		static final Handler NONE = new Handler((options) -> {
		}, ReplicaSelection.NONE);

	}

}
