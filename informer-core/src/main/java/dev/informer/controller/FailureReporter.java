/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import java.util.Map;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.MutatedObjectException;
import dev.informer.SharedIndexInformer;
import dev.informer.cache.StaleObjects;
import dev.informer.support.FailureLog;
import dev.informer.support.UntrustedText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reporter of the failures between the reflectors and the handlers of an informer: logs
 * them and publishes them as events. Thread-safe.
 */
final class FailureReporter {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	/** Number of failures of each kind that are logged separately. */
	private static final int LINES = 3;

	private final SharedIndexInformer<?> informer;

	private final DefaultInformerFactory factory;

	private final FailureLog log;

	FailureReporter(SharedIndexInformer<?> informer, DefaultInformerFactory factory) {
		this.informer = informer;
		this.factory = factory;
		this.log = new FailureLog(logger, factory.time::nanoTime, "Informer '" + informer.name() + "'",
				Map.of("informer", informer.name()), LINES);
	}

	void indexFailed(String description, Throwable cause) {
		report(Kind.INDEX_FUNCTION, description, cause);
	}

	void transformFailed(String key, Throwable cause, StaleObjects stale) {
		stale.add(key, "its transform failed: " + cause.getClass().getName(), this.factory.time.now());
		report(Kind.TRANSFORM,
				"Transform of informer '" + this.informer.name() + "' failed for " + UntrustedText.of(key) + " of "
						+ this.informer.resourceType().qualifiedName() + "; keeping the last state of the object",
				cause);
	}

	void objectMutated(MutatedObjectException finding) {
		report(Kind.MUTATED_OBJECT, String.valueOf(finding.getMessage()), finding);
	}

	InformerFailure threadFailed(String problem, Throwable cause) {
		return report(Kind.OTHER, problem, cause);
	}

	private InformerFailure report(Kind kind, String message, Throwable cause) {
		this.log.report(Level.ERROR, kind.name(), "Informer '" + this.informer.name() + "': " + message, cause);
		InformerFailure failure = new InformerFailure(kind, message, this.factory.time.now(), cause);
		this.factory.listener.onEvent(new InformerEvent.Failed(this.informer, null, null, failure));
		return failure;
	}

}
