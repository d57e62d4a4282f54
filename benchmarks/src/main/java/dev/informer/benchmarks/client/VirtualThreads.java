/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

/**
 * Virtual threads where every wait releases the carrier, which is Java 24 and later: what
 * an application gets that has {@code spring.threads.virtual.enabled}.
 */
final class VirtualThreads {

	private VirtualThreads() {
	}

	/**
	 * Makes virtual threads.
	 * @return the factory; {@code null} where there are no such threads
	 * @throws ReflectiveOperationException when the API is another one
	 */
	static @Nullable ThreadFactory factory() throws ReflectiveOperationException {
		if (Runtime.version().feature() < 24) {
			return null;
		}
		Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
		return (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
	}

}
