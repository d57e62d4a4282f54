/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Stands around the calls of all handlers of a factory: for traces, security contexts and
 * the like. Called on the thread of the handler, for different objects at the same time
 * when the handler has several.
 */
@FunctionalInterface
public interface HandlerInterceptor {

	/**
	 * Makes a call. What this throws counts as thrown by the handler, and when it returns
	 * without having made the call the handler counts as told.
	 * @param informer the informer
	 * @param handler the name of the handler
	 * @param event what the handler is to be told
	 * @param call the call, to be made once
	 * @throws Exception what the call throws
	 */
	void intercept(SharedIndexInformer<?> informer, String handler, ResourceEvent<?> event, Call call) throws Exception;

	/**
	 * A call of a handler.
	 */
	@FunctionalInterface
	interface Call {

		/**
		 * Makes the call.
		 * @throws Exception what the handler throws
		 */
		void proceed() throws Exception;

	}

}
