/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.Map;

import dev.informer.SharedIndexInformer;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Logging context of an invocation: informer, handler, and namespace and name of the
 * object. A failure is logged after the end of the interceptor, with the context that was
 * set inside of it, for example the ID of a trace. Confined to the thread of the handler,
 * whose previous context is restored at the end.
 */
final class InvocationLogContext implements AutoCloseable {

	private final @Nullable Map<String, String> previous = MDC.getCopyOfContextMap();

	private @Nullable Map<String, String> failed;

	InvocationLogContext(SharedIndexInformer<?> informer, String handler, String key) {
		MDC.put("informer", informer.name());
		MDC.put("handler", handler);
		int slash = key.indexOf('/');
		if (slash >= 0) {
			MDC.put("namespace", UntrustedText.of(key.substring(0, slash)));
		}
		MDC.put("name", UntrustedText.of(key.substring(slash + 1)));
	}

	/**
	 * Save the current context as that of the failure.
	 */
	void saveFailed() {
		this.failed = MDC.getCopyOfContextMap();
	}

	/**
	 * Restore the context of the failure.
	 */
	void restoreFailed() {
		if (this.failed != null) {
			MDC.setContextMap(this.failed);
		}
	}

	@Override
	public void close() {
		if (this.previous != null) {
			MDC.setContextMap(this.previous);
		}
		else {
			MDC.clear();
		}
	}

}
