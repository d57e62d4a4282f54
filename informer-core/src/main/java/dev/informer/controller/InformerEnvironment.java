/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import dev.informer.InformerFactorySettings;
import dev.informer.TimeSource;

/**
 * What the informers of a factory share.
 *
 * @param settings the settings of the factory
 * @param listener hears what happens
 * @param time the time
 * @param gate holds their handlers back
 */
record InformerEnvironment(InformerFactorySettings settings, EventDispatcher listener, TimeSource time,
		HandlerGate gate) {

	/**
	 * Makes a thread that carries the name of its informer.
	 */
	Thread newThread(String informer, String role, Runnable task) {
		Thread thread = this.settings.threadFactory().newThread(task);
		thread.setName("informer-" + informer + "-" + role);
		return thread;
	}

}
