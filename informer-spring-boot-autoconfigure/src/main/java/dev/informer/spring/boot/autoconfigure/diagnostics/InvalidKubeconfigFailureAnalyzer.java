/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.spring.kubeconfig.InvalidKubeconfigException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for {@link InvalidKubeconfigException}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InvalidKubeconfigFailureAnalyzer extends AbstractFailureAnalyzer<InvalidKubeconfigException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidKubeconfigException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
