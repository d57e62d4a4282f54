/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import dev.informer.InformerFailedException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for {@link InformerFailedException}.
 */
class InformerFailedFailureAnalyzer extends AbstractFailureAnalyzer<InformerFailedException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InformerFailedException cause) {
		return new FailureAnalysis(cause.getMessage(), FailureRemedy.invalid(cause.informer()), cause);
	}

}
