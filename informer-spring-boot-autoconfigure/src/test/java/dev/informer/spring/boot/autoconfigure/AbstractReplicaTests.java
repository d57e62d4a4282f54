/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.informer.test.EmbeddedKubernetes;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Base class for tests with several replicas of an application, each in a separate
 * context, and one embedded API server.
 */
@Timeout(120)
abstract class AbstractReplicaTests {

	final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final List<ConfigurableApplicationContext> contexts = new CopyOnWriteArrayList<>();

	/** Threads of earlier tests, which end with the idle connections of their clients. */
	private final Set<Thread> earlierThreads = Thread.getAllStackTraces().keySet();

	@AfterEach
	void stop() {
		this.kubernetes.faults().clear();
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.kubernetes.close();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.filteredOn((thread) -> !this.earlierThreads.contains(thread))
			.extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("informer")));
	}

	/**
	 * Return the properties of all replicas beside those of the connection.
	 */
	abstract List<String> properties();

	ConfigurableApplicationContext run(Class<?> handlers, String... arguments) {
		return run(List.of(handlers), arguments);
	}

	ConfigurableApplicationContext run(List<Class<?>> handlers, String... arguments) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.sources(handlers.toArray(Class<?>[]::new))
			.web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "informer.connection.url=" + this.kubernetes.url(),
					"informer.connection.namespace=default", "spring.application.name=Shop")
			.properties(properties().toArray(String[]::new))
			.run(arguments);
		this.contexts.add(context);
		return context;
	}

	void assertInvalid(Class<?> handlers, String key, String argument) {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> run(handlers, argument))
			.satisfies((ex) -> assertThat(analyze(ex).getDescription())
				.startsWith("Property '" + key + "' cannot be used: "));
	}

	static FailureAnalysis analyze(Throwable failure) {
		return SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class, (type, name, cause) -> {
			// those of Boot need the context
		}).stream().map((analyzer) -> analyzer.analyze(failure)).filter(Objects::nonNull).findFirst().orElseThrow();
	}

	static double gauge(ConfigurableApplicationContext context, String name, String... tags) {
		return context.getBean(MeterRegistry.class).get("kubernetes.informer." + name).tags(tags).gauge().value();
	}

	static Health health(HealthIndicator indicator) {
		return Objects.requireNonNull(indicator.health());
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
