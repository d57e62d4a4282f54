/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Objects;

import dev.informer.InformerFactorySettings;
import dev.informer.client.TimeSource;

/**
 * Environment that the informers of a factory share.
 *
 * @param syncLock the lock for threads that wait for some of them
 */
record InformerEnvironment(InformerFactorySettings settings, EventDispatcher listener, HandlerGate gate,
		StateLock syncLock) {

	InformerEnvironment(InformerFactorySettings settings) {
		this(settings, new EventDispatcher(settings.listeners()), new HandlerGate(), new StateLock(settings.time()));
	}

	TimeSource time() {
		return this.settings.time();
	}

	/**
	 * Create a thread whose name contains that of its informer.
	 */
	Thread newThread(String informer, String role, Runnable task) {
		Thread thread = Objects.requireNonNull(this.settings.threadFactory().newThread(task),
				"The thread factory has returned no thread");
		thread.setName("informer-" + informer + "-" + role);
		return thread;
	}

}
