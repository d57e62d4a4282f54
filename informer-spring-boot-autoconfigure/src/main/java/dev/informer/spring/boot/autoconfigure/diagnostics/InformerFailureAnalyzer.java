/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.InformerFailedException;
import dev.informer.UndecodableTypeException;
import dev.informer.client.connection.InvalidConnectionException;
import dev.informer.client.connection.NoKubernetesClusterException;
import dev.informer.spring.InformerConfigurationException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.KnownProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * {@link FailureAnalyzer} for the exceptions whose message is the description, and for a
 * missing cluster. The outermost of them is reported. Also runs in Spring Boot 3, to
 * report its version.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InformerFailureAnalyzer implements FailureAnalyzer {

	private final @Nullable Environment environment;

	InformerFailureAnalyzer(@Nullable Environment environment) {
		this.environment = environment;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof NoKubernetesClusterException cause) {
				return noCluster(cause);
			}
			String action = action(each);
			if (action != null) {
				return new FailureAnalysis(each.getMessage() + variables(each), action, each);
			}
		}
		return null;
	}

	private static FailureAnalysis noCluster(NoKubernetesClusterException cause) {
		String locations = Stream
			.concat(Stream.of("property 'informer.connection.url': not set",
					"property 'informer.connection.kubeconfig': not set"), cause.locations().stream())
			.map((location) -> "    - " + location)
			.collect(Collectors.joining(System.lineSeparator()));
		return new FailureAnalysis(
				"No Kubernetes cluster was found for the informers. The following locations were checked, in order:"
						+ System.lineSeparator() + System.lineSeparator() + locations,
				"Run the application with a kubeconfig or in a cluster, set informer.connection.url or "
						+ "informer.connection.kubeconfig, define an ApiClient or a "
						+ "KubernetesConnectionDetails bean, or, if no cluster is required (in a test), set "
						+ "informer.auto-startup=false; if a bean injects the ApiClient, set "
						+ "informer.connection.url=https://localhost as well, to which nothing is sent.",
				cause);
	}

	private static @Nullable String action(Throwable failure) {
		if (failure instanceof InformerConfigurationException invalid) {
			return invalid.action();
		}
		if (failure instanceof InvalidConnectionException invalid) {
			return invalid.action();
		}
		if (failure instanceof InformerFailedException failed) {
			return SyncTimeoutFailureAnalyzer.remedyOfInvalid(failed.informer());
		}
		if (failure instanceof UndecodableTypeException undecodable) {
			return "Correct the class " + undecodable.type().getName()
					+ ", or use DynamicKubernetesObject or PartialObjectMetadata instead of it.";
		}
		return null;
	}

	/**
	 * Return the environment variables that set an invalid property: the message names
	 * only the property.
	 */
	private String variables(Throwable failure) {
		if (this.environment == null || !(failure instanceof InvalidInformerPropertyException invalid)
				|| !ConfigurationPropertyName.isValid(invalid.key())) {
			return "";
		}
		Set<String> variables = KnownProperties
			.below(ConfigurationPropertyName.of(invalid.key()), ConfigurationPropertySources.get(this.environment))
			.stream()
			.map(KnownProperties::variable)
			.filter(Objects::nonNull)
			.collect(Collectors.toCollection(TreeSet::new));
		return variables.isEmpty() ? "" : " (environment variables " + variables + ")";
	}

}
