/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

/**
 * Virtual threads that release the carrier during every wait, which requires Java 24 or
 * later. Applications get them with {@code spring.threads.virtual.enabled}.
 */
final class VirtualThreads {

	private VirtualThreads() {
	}

	/**
	 * Return a factory of virtual threads.
	 * @return the factory; {@code null} if the JVM has no such threads
	 * @throws ReflectiveOperationException if the API of the JVM differs
	 */
	static @Nullable ThreadFactory factory() throws ReflectiveOperationException {
		if (Runtime.version().feature() < 24) {
			return null;
		}
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
	}

}
