/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.spring.InvalidInjectionPointException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for {@link InvalidInjectionPointException}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InvalidInjectionPointFailureAnalyzer extends AbstractFailureAnalyzer<InvalidInjectionPointException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidInjectionPointException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
