/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Interceptor around the invocations of all handlers of a factory, for example for
 * tracing or a security context. Invoked on the thread of the handler; concurrently for
 * different objects if the concurrency of the handler is above 1.
 */
@FunctionalInterface
public interface HandlerInterceptor {

	/**
	 * Intercept an invocation. An exception counts as thrown by the handler. If this
	 * method returns without proceeding, the event counts as delivered.
	 * @param informer the informer
	 * @param handler the name of the handler
	 * @param event the event
	 * @param invocation the invocation, to be proceeded with once
	 * @throws Exception the exception of the invocation
	 */
	void intercept(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Invocation invocation)
			throws Exception;

	/**
	 * Invocation of a handler.
	 */
	@FunctionalInterface
	interface Invocation {

		/**
		 * Invoke the handler.
		 * @throws Exception the exception of the handler
		 */
		void proceed() throws Exception;

	}

}
