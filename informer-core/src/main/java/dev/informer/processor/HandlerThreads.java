/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

/**
 * Makes the threads that call handlers.
 */
@FunctionalInterface
public interface HandlerThreads {

	/**
	 * Makes a thread, not started yet.
	 * @param handler the name of the handler, with the number of the thread when there
	 * can be several
	 * @param task what it does
	 * @return the thread
	 */
	Thread newThread(String handler, Runnable task);

}
