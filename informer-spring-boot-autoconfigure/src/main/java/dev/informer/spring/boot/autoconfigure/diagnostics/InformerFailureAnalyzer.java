/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.InformerFailedException;
import dev.informer.NotSyncedException;
import dev.informer.UndecodableTypeException;
import dev.informer.client.connection.InvalidConnectionException;
import dev.informer.client.connection.NoKubernetesClusterException;
import dev.informer.spring.InformerConfigurationException;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.KnownProperties;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * {@link FailureAnalyzer} for the exceptions whose message is the description, for a
 * missing cluster, for caches that are read before their informer has synced, and for
 * properties below {@code informer} that are unknown or have a value of another type. The
 * outermost of them is reported. Ordered before Spring Boot's analyzers of properties.
 * Also runs in Spring Boot 3, to report its version.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InformerFailureAnalyzer implements FailureAnalyzer {

	private static final ConfigurationPropertyName INFORMER = ConfigurationPropertyName.of("informer");

	private final @Nullable Environment environment;

	InformerFailureAnalyzer(@Nullable Environment environment) {
		this.environment = environment;
	}

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable each = failure; each != null; each = each.getCause()) {
			FailureAnalysis analysis = analyze(each, failure);
			if (analysis != null) {
				return analysis;
			}
		}
		return null;
	}

	private @Nullable FailureAnalysis analyze(Throwable failure, Throwable rootFailure) {
		if (failure instanceof NoKubernetesClusterException cause) {
			return noCluster(cause);
		}
		if (failure instanceof NotSyncedException cause) {
			return notSynced(cause, creation(rootFailure));
		}
		if (failure instanceof UnboundConfigurationPropertiesException cause) {
			return unknownProperties(cause);
		}
		if (failure instanceof BindException cause && INFORMER.isAncestorOf(cause.getName())) {
			return invalidValue(cause);
		}
		String action = action(failure);
		return (action != null) ? new FailureAnalysis(failure.getMessage() + variables(failure), action, failure)
				: null;
	}

	/**
	 * Return the items in one line each.
	 */
	static String list(Stream<String> items) {
		return items.map((item) -> "    - " + item).collect(Collectors.joining(System.lineSeparator()));
	}

	private static FailureAnalysis noCluster(NoKubernetesClusterException cause) {
		String locations = list(Stream.concat(Stream.of("property 'informer.connection.url': not set",
				"property 'informer.connection.kubeconfig': not set"), cause.locations().stream()));
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

	private static FailureAnalysis notSynced(NotSyncedException cause, @Nullable BeanCreationException creation) {
		String key = "informer.resources." + cause.informer();
		if (creation == null) {
			return new FailureAnalysis(
					"The cache of the informer '" + cause.informer() + "' was read before the informer had synced.",
					"Startup waits for required informers only, and not at all with informer.auto-startup=false: "
							+ "remove " + key + ".required=false, or read the cache when "
							+ "SharedIndexInformer.hasSynced() returns true. To read an incomplete cache, set " + key
							+ ".allow-unsynced-reads=true.",
					cause);
		}
		return new FailureAnalysis(
				"The bean '" + creation.getBeanName() + "' reads the cache of the informer '" + cause.informer()
						+ "' while it is created, but informers start after all beans are created.",
				"Move the code that reads the cache from the constructor or initialization method of the bean '"
						+ creation.getBeanName() + "' to a method with "
						+ "@EventListener(ApplicationReadyEvent.class). To read an incomplete cache, set " + key
						+ ".allow-unsynced-reads=true.",
				cause);
	}

	private static @Nullable BeanCreationException creation(Throwable failure) {
		BeanCreationException innermost = null;
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof BeanCreationException creation && creation.getBeanName() != null) {
				innermost = creation;
			}
		}
		return innermost;
	}

	private static @Nullable FailureAnalysis unknownProperties(UnboundConfigurationPropertiesException cause) {
		Set<ConfigurationProperty> properties = cause.getUnboundProperties();
		if (!properties.stream().allMatch(KnownProperties::isOfInformers)) {
			return null;
		}
		return new FailureAnalysis(
				"Unknown properties of informers:" + System.lineSeparator() + System.lineSeparator()
						+ list(properties.stream().map(InformerFailureAnalyzer::describe)),
				"Correct or remove them:" + System.lineSeparator() + System.lineSeparator()
						+ list(properties.stream().map(KnownProperties::explain)),
				cause);
	}

	/**
	 * Return the analysis of a value that cannot be converted; {@code null} for a type
	 * that Spring Boot explains as well.
	 */
	private static @Nullable FailureAnalysis invalidValue(BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		String legal = (cause.getCause() instanceof ConversionFailedException failed)
				? legalValue(failed.getTargetType().getObjectType()) : null;
		return (property != null && legal != null) ? new FailureAnalysis("The value '" + property.getValue()
				+ "' of the property " + describe(property) + " is not " + legal + ".", "Set " + legal + ".", cause)
				: null;
	}

	private static @Nullable String legalValue(Class<?> type) {
		if (type == Duration.class) {
			return "a duration: a number and a unit, such as 30s";
		}
		if (type == DataSize.class) {
			return "a size: a number and a unit, such as 200MB";
		}
		if (type == Boolean.class) {
			return "true or false";
		}
		if (type == Integer.class || type == Long.class) {
			return "a whole number, such as 10";
		}
		return (type == Double.class) ? "a number, such as 1.5"
				: (type == Class.class) ? "the name of a class, such as " + V1Pod.class.getName() : null;
	}

	private static String describe(ConfigurationProperty property) {
		return Objects.requireNonNullElse(KnownProperties.variable(property), property.getName())
				+ ((property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "");
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
