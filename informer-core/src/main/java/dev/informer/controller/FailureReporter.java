/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.controller;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.MutatedObjectException;
import dev.informer.SharedIndexInformer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reporter of the failures between the reflectors and the handlers of an informer: logs
 * them and publishes them as events. Thread-safe.
 */
final class FailureReporter {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final SharedIndexInformer<?> informer;

	private final InformerEnvironment environment;

	FailureReporter(SharedIndexInformer<?> informer, InformerEnvironment environment) {
		this.informer = informer;
		this.environment = environment;
	}

	void indexFailed(String index, String key, Throwable cause) {
		report(Kind.INDEX_FUNCTION,
				"Index function '" + index + "' failed for " + key + "; the object is stored, but not under this index",
				cause);
	}

	void transformFailed(String key, Throwable cause) {
		report(Kind.TRANSFORM,
				"Transform of informer '" + this.informer.name() + "' failed for " + key + " of "
						+ this.informer.resourceType().qualifiedName() + "; keeping the last state of the object",
				cause);
	}

	void objectMutated(MutatedObjectException finding) {
		report(Kind.MUTATED_OBJECT, String.valueOf(finding.getMessage()), finding);
	}

	void batchFailed(Throwable cause, boolean awaitingRelist) {
		report(Kind.OTHER, "Cannot apply queued changes to the cache; " + (awaitingRelist ? "relisting" : "retrying"),
				cause);
	}

	private void report(Kind kind, String message, Throwable cause) {
		logger.atError()
			.addKeyValue("informer", this.informer.name())
			.setCause(cause)
			.log("Informer '{}': {}", this.informer.name(), message);
		InformerFailure failure = new InformerFailure(kind, message, this.environment.time().now(), cause);
		this.environment.listener().onEvent(new InformerEvent.Failed(this.informer, null, failure));
	}

}
