/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.browser;

import java.util.Optional;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JUnit extension of {@link HeadlessBrowser}. The browser is kept in the store of JUnit's
 * root context, which closes it.
 */
final class HeadlessBrowserExtension implements ExecutionCondition, ParameterResolver, AfterEachCallback {

	private static final Logger logger = LoggerFactory.getLogger(HeadlessBrowserExtension.class);

	private static final Namespace NAMESPACE = Namespace.create(HeadlessBrowserExtension.class);

	private static final String SWITCH = "INFORMER_TEST_BROWSER";

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		Optional<String> missing = BrowserPrograms.missing();
		if (missing.isEmpty()) {
			return ConditionEvaluationResult.enabled("Found a browser");
		}
		if ("required".equals(System.getenv(SWITCH))) {
			throw new IllegalStateException(
					"Cannot run browser tests: %s, but %s=required. Install Chromium and its driver."
						.formatted(missing.get(), SWITCH));
		}
		context.getRoot().getStore(NAMESPACE).computeIfAbsent("skipping", (key) -> {
			logger.atWarn().addKeyValue("reason", missing.get()).log("Skipped tests that need a browser");
			return true;
		});
		return ConditionEvaluationResult.disabled(missing.get());
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == Chromium.class;
	}

	@Override
	public Chromium resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return context.getRoot()
			.getStore(NAMESPACE)
			.computeIfAbsent(Chromium.class, (key) -> Chromium.start(), Chromium.class);
	}

	@Override
	public void afterEach(ExtensionContext context) {
		Chromium chromium = context.getRoot().getStore(NAMESPACE).get(Chromium.class, Chromium.class);
		if (chromium != null) {
			chromium.leavePage();
		}
	}

}
