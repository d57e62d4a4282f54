/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

/**
 * Interceptor of all calls of reconcilers.
 */
@FunctionalInterface
public interface ReconcileInterceptor {

	/**
	 * Intercept a call.
	 * @param call the call, which {@link ReconcileCall#proceed} carries out. It must be
	 * called exactly once
	 * @throws Exception the failure of the reconciler. Another one after the reconciler
	 * has returned is logged, and the call has succeeded nevertheless
	 */
	void intercept(ReconcileCall call) throws Exception;

}
