/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.InformerFailedException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for {@link InformerFailedException}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InformerFailedFailureAnalyzer extends AbstractFailureAnalyzer<InformerFailedException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InformerFailedException cause) {
		return new FailureAnalysis(cause.getMessage(), FailureRemedy.invalid(cause.informer()), cause);
	}

}
