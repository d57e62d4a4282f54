/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.support.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publisher of the events of all informers of a factory, and the one guard around the
 * user's listeners: a failure of a listener is logged and cannot end a thread of an
 * informer. Thread-safe.
 */
final class EventDispatcher implements InformerListener {

	private static final Logger logger = LoggerFactory.getLogger(InformerListener.class);

	private final List<InformerListener> listeners;

	EventDispatcher(Collection<? extends InformerListener> listeners) {
		this.listeners = new CopyOnWriteArrayList<>(listeners);
	}

	void add(InformerListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void onEvent(InformerEvent event) {
		for (InformerListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			// Errors included: an error of a listener must not end a reflector
			catch (Throwable ex) {
				String informer = event.informer().name();
				FailureLog.log(() -> logger.atError().addKeyValue("informer", informer),
						"Informer listener " + listener.getClass().getName() + " failed on "
								+ event.getClass().getSimpleName() + " of informer '" + informer + "'",
						ex);
			}
		}
	}

}
