/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.util.Optional;

import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * JUnit extension of {@link RealKubernetes}. Servers are kept in JUnit's stores, which
 * close them: shared servers in the root store, separate ones in the store of their
 * class.
 */
final class RealKubernetesExtension implements ExecutionCondition, ParameterResolver, BeforeTestExecutionCallback {

	private static final Namespace NAMESPACE = Namespace.create(RealKubernetesExtension.class);

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		RealServers servers = servers(context);
		RequiredServer required = required(Annotated.of(context).annotation());
		Optional<String> missing = servers.missing(required);
		if (missing.isEmpty()) {
			return ConditionEvaluationResult.enabled("Found a real API server");
		}
		servers.skip(required, missing.get());
		return ConditionEvaluationResult.disabled(missing.get());
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == RealServer.class;
	}

	@Override
	public RealServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
		Annotated annotated = Annotated.of(context);
		RealServers servers = servers(context);
		RequiredServer required = required(annotated.annotation());
		if (!isOwn(annotated.annotation())) {
			return servers.shared(required);
		}
		return annotated.context()
			.getStore(NAMESPACE)
			.computeIfAbsent(RunningServer.class,
					(key) -> servers.start(required, annotated.annotation().apiServerFlags()), RunningServer.class)
			.server();
	}

	@Override
	public void beforeTestExecution(ExtensionContext context) {
		servers(context).count(required(Annotated.of(context).annotation()));
	}

	private static RealServers servers(ExtensionContext context) {
		return context.getRoot()
			.getStore(NAMESPACE)
			.computeIfAbsent(RealServers.class, (key) -> RealServers.fromEnvironment(), RealServers.class);
	}

	private static boolean isOwn(RealKubernetes annotation) {
		return annotation.own() || annotation.apiServerFlags().length > 0;
	}

	private static RequiredServer required(RealKubernetes annotation) {
		boolean any = annotation.value() == RequiredServer.ANY;
		return (any && annotation.apiServerFlags().length > 0) ? RequiredServer.CONTROL_PLANE : annotation.value();
	}

	/**
	 * Return the nearest annotation of a test.
	 *
	 * @param context the context of the class or method that carries it
	 * @param annotation the annotation
	 */
	private record Annotated(ExtensionContext context, RealKubernetes annotation) {

		static Annotated of(ExtensionContext context) {
			Optional<ExtensionContext> candidate = Optional.of(context);
			while (candidate.isPresent()) {
				ExtensionContext current = candidate.get();
				Optional<RealKubernetes> annotation = current.getElement()
					.flatMap((element) -> AnnotationSupport.findAnnotation(element, RealKubernetes.class));
				if (annotation.isPresent()) {
					return new Annotated(current, annotation.get());
				}
				candidate = current.getParent();
			}
			throw new IllegalStateException(
					"Cannot resolve a server: missing @RealKubernetes on " + context.getDisplayName());
		}

	}

}
