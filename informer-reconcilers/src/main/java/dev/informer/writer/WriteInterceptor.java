/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

/**
 * Interceptor of the writes of an {@link ObjectWriter}, for example to measure them.
 * Called by the thread that writes; must be thread-safe.
 */
@FunctionalInterface
public interface WriteInterceptor {

	/**
	 * Intercept a write.
	 * @param write the write, which {@link ObjectWrite#proceed} carries out. It must be
	 * called exactly once
	 * @throws ObjectWriteException the failure of the request
	 */
	void intercept(ObjectWrite write) throws ObjectWriteException;

}
