/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.Objects;
import java.util.stream.Collectors;

import dev.informer.spring.boot.autoconfigure.KnownProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for unknown properties below {@code informer}, and for
 * values in place of nested properties. Ordered before Spring Boot's analyzer of unbound
 * properties.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnknownInformerPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		if (!cause.getUnboundProperties().stream().allMatch(KnownProperties::isOfInformers)) {
			return null;
		}
		String keys = cause.getUnboundProperties()
			.stream()
			.map(UnknownInformerPropertyFailureAnalyzer::describe)
			.collect(Collectors.joining(System.lineSeparator()));
		String remedies = cause.getUnboundProperties()
			.stream()
			.map((property) -> "    - " + KnownProperties.explain(property))
			.collect(Collectors.joining(System.lineSeparator()));
		return new FailureAnalysis(
				"Unknown properties of informers:" + System.lineSeparator() + System.lineSeparator() + keys,
				"Correct or remove them:" + System.lineSeparator() + System.lineSeparator() + remedies, cause);
	}

	private static String describe(ConfigurationProperty property) {
		return "    - " + Objects.requireNonNullElse(KnownProperties.variable(property), property.getName())
				+ ((property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "");
	}

}
