/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.endpoint.InformerEndpointAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.health.InformerHealthContributorAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.replicas.InformerReplicasAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AnnotationUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the endpoints and health contributors with their documentation.
 */
class EndpointsPageTests {

	private static final Page PAGE = Page.of("docs/observability.md");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				InformerReplicasAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class,
				InformerEndpointAutoConfiguration.class, InformerHealthContributorAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=*", "informer.auto-startup=false");

	@Test
	void endpointTable_containsAllOperations() {
		this.contextRunner.run((context) -> {
			Set<String> operations = new TreeSet<>();
			context.getBeansWithAnnotation(Endpoint.class)
				.values()
				.forEach((endpoint) -> operations.addAll(operations(endpoint.getClass())));
			assertThat(documented("## Endpoints")).containsExactlyInAnyOrderElementsOf(operations);
		});
	}

	@Test
	void healthTable_containsAllContributors() {
		String[] replicas = { "spring.application.name=shop", "informer.connection.namespace=default",
				"informer.leader.enabled=true", "informer.sharding.enabled=true" };
		this.contextRunner.withPropertyValues(replicas).run((context) -> {
			Map<String, HealthContributor> contributors = context.getBeansOfType(HealthContributor.class);
			assertThat(documented("## Health")).containsExactlyInAnyOrderElementsOf(contributors.keySet()
				.stream()
				.map((name) -> name.replaceFirst("Health(Contributor|Indicator)$", ""))
				.toList());
		});
	}

	private static List<String> documented(String heading) {
		return PAGE.table(heading).stream().map((row) -> row.get(0).replace("`", "")).toList();
	}

	private static Set<String> operations(Class<?> endpoint) {
		String path = "/actuator/"
				+ AnnotationUtils.getValue(AnnotationUtils.getAnnotation(endpoint, Endpoint.class), "id");
		return Stream.of(endpoint.getDeclaredMethods())
			.filter((method) -> method.isAnnotationPresent(ReadOperation.class)
					|| method.isAnnotationPresent(WriteOperation.class))
			.map((method) -> (method.isAnnotationPresent(ReadOperation.class) ? "GET " : "POST ") + path
					+ selectors(method))
			.collect(Collectors.toSet());
	}

	private static String selectors(Method method) {
		return Stream.of(method.getParameters())
			.filter((parameter) -> parameter.isAnnotationPresent(Selector.class))
			.map(Parameter::getName)
			.map((name) -> name.equals("path") ? "/handlers"
					: name.equals("reconcilers") ? "/reconcilers" : "/<" + name + ">")
			.collect(Collectors.joining());
	}

}
