/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.informer.InformerFactory;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Environment variables and system properties that set no property.
 */
@Timeout(300)
class EnvironmentVariablesTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `(informer\\.[^`]+)` \\| (list of)?");

	private static final Pattern NAME = Pattern
		.compile("^(INFORMER_(?:RESOURCES|HANDLERS|RECONCILERS|WRITER_WRITES)_[^_]+)_.*");

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new)
		.withBean("audit", Audit.class);

	@ParameterizedTest
	@CsvSource({ "INFORMER_RESOURCES_PODS_NAMESPACE, INFORMER_RESOURCES_PODS_NAMESPACES",
			"INFORMER_RESOURCES_PODS_LABELSELEKTOR, INFORMER_RESOURCES_PODS_LABELSELECTOR",
			"INFORMER_RESOURCES_PODS_LABEL_SELEKTOR, INFORMER_RESOURCES_PODS_LABEL_SELECTOR",
			"INFORMER_RESOURCES_PODS_NAMESPACE_0, INFORMER_RESOURCES_PODS_NAMESPACES_0",
			"INFORMER_RESOURCES_WEB_RESOURC, INFORMER_RESOURCES_WEB_RESOURCE",
			"INFORMER_HANDLERS_AUDIT_RETRY_MAXRETIRES, INFORMER_HANDLERS_AUDIT_RETRY_MAXRETRIES",
			"INFORMER_STARTUP_TIMEOT, INFORMER_STARTUP_TIMEOUT", "informer_startup_timeot, INFORMER_STARTUP_TIMEOUT",
			"INFORMER_STARTUPTIMEOUT, INFORMER_STARTUP_TIMEOUT", "INFORMR_STARTUP_TIMEOUT, INFORMER_STARTUP_TIMEOUT",
			"INFORMER_AUTO_STARTUPS, INFORMER_AUTO_STARTUP",
			"INFORMERRESOURCES_PODS_NAMESPACES, INFORMER_RESOURCES_<NAME>_NAMESPACES" })
	void unknownVariable_isNamedWithNearestOne(String variable, String nearest) {
		Advice advice = Advice.of(with(Map.of(variable, "shop")));
		assertThat(advice.description()).contains(variable);
		assertThat(advice.suggestion()).isEqualTo(nearest);
	}

	@Test
	void variableFarFromAll_isNamed() {
		Advice advice = Advice.of(with(Map.of("INFORMER_WATCHEDTHINGS", "shop")));
		assertThat(advice.description()).contains("INFORMER_WATCHEDTHINGS");
		assertThat(advice.action()).contains("INFORMER_WATCHEDTHINGS").doesNotContainIgnoringCase("did you mean");
	}

	@ParameterizedTest
	@CsvSource({ "INFORMER_RESOURCES_POD_NAMESPACES, pods", "INFORMER_HANDLERS_ADIT_QUEUE, audit",
			"INFORMER_RECONCILERS_ADIT_LEADER, audit" })
	void unknownNameInVariable_isReportedWithVariable(String variable, String nearest) {
		Advice advice = Advice.of(with(Map.of(variable, "keep-all")));
		assertThat(advice.description()).contains(variable);
		assertThat(advice.suggestion()).isEqualTo(nearest);
	}

	@Test
	void valueInPlaceOfNestedProperties_isReportedWithVariable() {
		Advice advice = Advice.of(with(Map.of("INFORMER_STARTUP", "30s")));
		assertThat(advice.description()).contains("INFORMER_STARTUP");
		assertThat(advice.action()).contains("takes no value");
	}

	@ParameterizedTest
	@CsvSource({ "informer.resources.pods.namespace, did you mean 'namespaces'",
			"informer.startup.timeot, did you mean 'timeout'", "informer.startup.on.timeout, on-timeout",
			"informer.handlers[audit].queu, did you mean 'queue'" })
	void unknownSystemProperty_isNamed(String property, String nearest) {
		Advice advice = Advice.of(this.runner.withSystemProperties(property + "=shop"));
		assertThat(advice.description()).contains(property);
		assertThat(advice.action()).contains(nearest);
	}

	@Test
	void knownSystemProperties_areUsed() {
		this.runner
			.withSystemProperties("informer.resources.pods.namespaces[0]=shop", "informer.startup.onTimeout=warn",
					"informer.handlers[audit].leaderOnly=false", "informer.resources.pods.label-selector=tier=web")
			.run((context) -> assertThat(context.getBean("podsInformer", SharedIndexInformer.class).options())
				.satisfies((options) -> assertThat(options.namespaces()).containsExactly("shop"))
				.satisfies((options) -> assertThat(options.labelSelector()).isEqualTo("tier=web")));
	}

	@Test
	void knownVariables_areUsed() {
		Map<String, String> variables = new LinkedHashMap<>();
		variables.put("INFORMER_RESOURCES_PODS_NAMESPACES_0", "shop");
		variables.put("INFORMER_RESOURCES_PODS_NAMESPACES_1", "web");
		variables.put("INFORMER_RESOURCES_PODS_LABEL_SELECTOR", "tier=web");
		variables.put("INFORMER_RESOURCES_PODS_PAGESIZE", "7");
		variables.put("informer_resources_pods_fieldselector", "spec.nodeName=one");
		variables.put("informer.resources.pods.watch-timeout", "2m");
		variables.put("INFORMER_HANDLERS_AUDIT_RETRY_MAX_RETRIES", "3");
		with(variables)
			.run((context) -> assertThat(context.getBean("podsInformer", SharedIndexInformer.class).options())
				.satisfies((options) -> {
					assertThat(options.namespaces()).containsExactly("shop", "web");
					assertThat(options.labelSelector()).isEqualTo("tier=web");
					assertThat(options.pageSize()).isEqualTo(7);
					assertThat(options.fieldSelector()).isEqualTo("spec.nodeName=one");
					assertThat(options.watchTimeout()).hasMinutes(2);
				}));
	}

	@Test
	void knownVariables_areNotReported() {
		for (boolean indexed : List.of(true, false)) {
			Advice advice = Advice.of(with(knownVariables().filter((variable) -> variable.endsWith("_0") == indexed)
				.collect(Collectors.toMap((variable) -> variable, (variable) -> "invalid"))));
			assertThat(advice.description()).doesNotContain("Unknown").contains("invalid");
		}
	}

	@Test
	void eachVariableThatDiffersByOneLetter_isReported() {
		Set<String> known = knownVariables().collect(Collectors.toCollection(LinkedHashSet::new));
		Set<String> misspelt = new LinkedHashSet<>();
		known.forEach((variable) -> misspelt.addAll(misspell(variable)));
		misspelt.removeAll(known);
		Set<String> reported = new LinkedHashSet<>();
		List<String> all = List.copyOf(misspelt);
		for (int index = 0; index < all.size(); index += 1000) {
			reported.addAll(report(all.subList(index, Math.min(index + 1000, all.size()))));
		}
		misspelt.removeAll(reported);
		// the name of an election may be any
		misspelt.removeIf((each) -> each.matches("INFORMER_LEADER_ELECTIONS_[A-Z]+_.*"));
		// the misspelt name of an informer, handler, reconciler or write, with any of its
		// properties
		Map<String, String> names = new LinkedHashMap<>();
		misspelt.forEach((each) -> names.putIfAbsent(NAME.matcher(each).replaceFirst("$1"), each));
		List<String> missed = names.values().stream().filter((each) -> !isReported(each)).toList();
		assertThat(reported).hasSizeGreaterThan(10_000);
		assertThat(names).hasSizeLessThan(200);
		assertThat(missed).isEmpty();
	}

	private Set<String> report(List<String> variables) {
		Set<String> reported = new LinkedHashSet<>();
		with(variables.stream().collect(Collectors.toMap((variable) -> variable, (variable) -> ""))).run((context) -> {
			UnboundConfigurationPropertiesException failure = (UnboundConfigurationPropertiesException) NestedExceptionUtils
				.getMostSpecificCause(Objects.requireNonNull(context.getStartupFailure()));
			failure.getUnboundProperties()
				.forEach((each) -> reported
					.add(Objects.requireNonNull((PropertySourceOrigin) each.getOrigin()).getPropertyName()));
		});
		return reported;
	}

	private boolean isReported(String variable) {
		boolean[] reported = new boolean[1];
		ApplicationContextRunner started = with(Map.of(variable, "4"));
		started.run((context) -> reported[0] = context.getStartupFailure() != null);
		return reported[0] && Advice.of(started).description().contains(variable);
	}

	@ParameterizedTest
	@ValueSource(strings = { "INFORMER", "INFORMER_STARTUP", "INFORMER_HANDLERS", "INFORMER_RESOURCES",
			"INFORMER_RESOURCES_PODS" })
	void serviceLinks_areNoProperties(String service) {
		Map<String, String> links = new LinkedHashMap<>();
		links.put(service + "_SERVICE_HOST", "10.0.0.1");
		links.put(service + "_SERVICE_PORT", "80");
		links.put(service + "_SERVICE_PORT_HTTP", "80");
		links.put(service + "_PORT", "tcp://10.0.0.1:80");
		links.put(service + "_PORT_80_TCP", "tcp://10.0.0.1:80");
		links.put(service + "_PORT_80_TCP_PROTO", "tcp");
		links.put(service + "_PORT_80_TCP_PORT", "80");
		links.put(service + "_PORT_80_TCP_ADDR", "10.0.0.1");
		with(links).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeansOfType(SharedIndexInformer.class)).containsOnlyKeys("podsInformer");
		});
	}

	@Test
	void serviceLinks_hideNoMisspelling() {
		Advice advice = Advice.of(with(Map.of("INFORMER_SERVICE_HOST", "10.0.0.1", "INFORMER_SERVICE_PORT", "80",
				"INFORMER_STARTUP_TIMEOT", "30s")));
		assertThat(advice.description()).contains("INFORMER_STARTUP_TIMEOT").doesNotContain("INFORMER_SERVICE_HOST");
	}

	private ApplicationContextRunner with(Map<String, String> variables) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.copyOf(variables))));
	}

	/**
	 * Return the variables of all properties on the page of properties, with and without
	 * underscores in place of dashes.
	 */
	static Stream<String> knownVariables() {
		try {
			return ROW.matcher(Files.readString(Path.of("../docs/properties.md"))).results().flatMap((row) -> {
				String key = row.group(1)
					.replace("resources.<name>", "resources.pods")
					.replace("handlers.<id>", "handlers.audit")
					.replace("reconcilers.<id>", "reconcilers.audit")
					.replace("writes.<name>", "writes.pods")
					.replace("<name>", "mails");
				String variable = key.replace('.', '_').toUpperCase(Locale.ROOT);
				return Stream.of(variable.replace("-", ""), variable.replace('-', '_'))
					.distinct()
					.flatMap((each) -> (row.group(2) != null) ? Stream.of(each, each + "_0") : Stream.of(each));
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Set<String> misspell(String variable) {
		Set<String> misspelt = new LinkedHashSet<>();
		for (int index = 0; index < variable.length(); index++) {
			String before = variable.substring(0, index);
			String after = variable.substring(index + 1);
			misspelt.add(before + after);
			misspelt.add(before + "X" + after);
			misspelt.add(before + "X" + variable.substring(index));
			misspelt.add(before + "_" + variable.substring(index));
			if (!after.isEmpty()) {
				misspelt.add(before + after.charAt(0) + variable.charAt(index) + after.substring(1));
			}
		}
		misspelt.add(variable + "X");
		misspelt.remove(variable);
		// Spring Boot ignores empty elements, so that these are used
		misspelt.removeIf((each) -> each.contains("__") || each.startsWith("_") || each.endsWith("_"));
		return misspelt;
	}

	static class Audit {

		@InformerHandler(id = "audit")
		void handle(V1Pod pod) {
			Objects.requireNonNull(pod);
		}

		@InformerReconciler(id = "audit")
		void reconcile(V1Pod pod) {
		}

	}

}
