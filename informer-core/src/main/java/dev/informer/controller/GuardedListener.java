/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.function.Consumer;

import dev.informer.InformerListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener, which must not be able to do harm.
 */
final class GuardedListener {

	private static final Logger logger = LoggerFactory.getLogger(InformerListener.class);

	private final InformerListener listener;

	GuardedListener(InformerListener listener) {
		this.listener = listener;
	}

	void tell(Consumer<InformerListener> news) {
		try {
			news.accept(this.listener);
		}
		catch (Throwable ex) {
			logger.atError().setCause(ex).log("{} has thrown", this.listener.getClass().getName());
		}
	}

}
