/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

/**
 * Factory of the threads that invoke handlers.
 */
@FunctionalInterface
public interface HandlerThreadFactory {

	/**
	 * Create a thread without starting it.
	 * @param handler the name of the handler, followed by the number of the thread if the
	 * handler may have several
	 * @param task the task of the thread
	 * @return the thread
	 */
	Thread newThread(String handler, Runnable task);

}
