/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.work;

import java.util.Map;

import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Logging context of an invocation: who is invoked, and namespace and name of the object.
 * A failure is logged after the end of the interceptor, with the context that was set
 * inside of it, for example the ID of a trace. The previous context of the thread is
 * restored at the end.
 */
public final class LogContext implements AutoCloseable {

	private final @Nullable Map<String, String> previous = MDC.getCopyOfContextMap();

	private @Nullable Map<String, String> failed;

	/**
	 * Begin the context of an invocation for the object with a key.
	 */
	public LogContext(Map<String, String> invoked, String key) {
		invoked.forEach(MDC::put);
		int slash = key.indexOf('/');
		if (slash >= 0) {
			MDC.put("namespace", UntrustedText.of(key.substring(0, slash)));
		}
		MDC.put("name", UntrustedText.of(key.substring(slash + 1)));
	}

	/**
	 * Save the context of a failure.
	 */
	public void saveFailed() {
		this.failed = MDC.getCopyOfContextMap();
	}

	/**
	 * Restore the context of the failure, to log it.
	 */
	public void restoreFailed() {
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
