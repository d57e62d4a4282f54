/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.UndecodableTypeException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Failure analyzer for classes into which objects cannot be decoded.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class UndecodableTypeFailureAnalyzer extends AbstractFailureAnalyzer<UndecodableTypeException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UndecodableTypeException cause) {
		return new FailureAnalysis(cause.getMessage(), "Correct the class " + cause.type().getName()
				+ ", or use DynamicKubernetesObject or PartialObjectMetadata instead of it.", cause);
	}

}
