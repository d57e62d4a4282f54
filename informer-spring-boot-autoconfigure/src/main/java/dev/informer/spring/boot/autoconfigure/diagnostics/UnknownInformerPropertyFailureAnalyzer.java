/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.stream.Collectors;

import dev.informer.spring.boot.autoconfigure.InformerProperties;
import dev.informer.spring.boot.autoconfigure.InformerVariables;
import dev.informer.spring.boot.autoconfigure.PropertyTree;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
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

	private final PropertyTree tree = new PropertyTree("informer", InformerProperties.class);

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		if (!cause.getUnboundProperties()
			.stream()
			.allMatch((property) -> isVariable(property) || this.tree.isAbove(property.getName()))) {
			return null;
		}
		String keys = cause.getUnboundProperties()
			.stream()
			.map(UnknownInformerPropertyFailureAnalyzer::describe)
			.collect(Collectors.joining(System.lineSeparator()));
		String remedies = cause.getUnboundProperties()
			.stream()
			.map((property) -> "    - " + explain(property))
			.collect(Collectors.joining(System.lineSeparator()));
		return new FailureAnalysis(
				"Unknown properties of informers:" + System.lineSeparator() + System.lineSeparator() + keys,
				"Correct or remove them:" + System.lineSeparator() + System.lineSeparator() + remedies, cause);
	}

	private static String describe(ConfigurationProperty property) {
		return "    - " + (isVariable(property) ? InformerVariables.variable(property.getName()) : property.getName())
				+ ((property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "");
	}

	private String explain(ConfigurationProperty property) {
		ConfigurationPropertyName name = property.getName();
		if (!isVariable(property) || this.tree.takesNoValue(name)) {
			return this.tree.explain(name);
		}
		String variable = InformerVariables.variable(name);
		return "Unknown variable '" + variable + "'"
				+ InformerVariables.nearest(variable).map((each) -> ", did you mean '" + each + "'?").orElse(".")
				+ " Variables that begin with INFORMER_ are properties of informers: "
				+ "remove or rename one that is none.";
	}

	private static boolean isVariable(ConfigurationProperty property) {
		return property.getSource() != null && InformerVariables.isVariables(property.getSource());
	}

}
