/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.docs;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for endless and negative values of all properties that are durations, and of the
 * attributes of {@link InformerHandler}.
 */
@Timeout(120)
class DurationPropertiesTests {

	private static final String ENDLESS = "9223372036854775807s";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(Audit.class)
		.withPropertyValues("informer.connection.url=" + this.kubernetes.url());

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	static List<String> properties() {
		List<String> names = new PropertyMetadata().all()
			.stream()
			.filter((property) -> property.name().startsWith("informer.")
					&& property.type().equals(Duration.class.getName()))
			.map((property) -> property.name().replace("<name>", "configmaps").replace("<id>", "audit"))
			.toList();
		assertThat(names).contains("informer.startup.timeout", "informer.handlers.audit.retry.max-delay");
		return names;
	}

	static Stream<List<String>> endless() {
		List<String> all = new ArrayList<>(properties());
		all.add("spring.lifecycle.timeout-per-shutdown-phase");
		return Stream.concat(all.stream().map(DurationPropertiesTests::withMaximum),
				Stream.of(all.stream().filter((name) -> !name.endsWith("delay") || name.contains(".max-")).toList()));
	}

	private static List<String> withMaximum(String name) {
		return name.endsWith(".delay") ? List.of(name, name.replace(".delay", ".max-delay")) : List.of(name);
	}

	@ParameterizedTest
	@MethodSource("endless")
	void endlessValue_isAccepted(List<String> names) {
		this.kubernetes.create(TestObjects.configMap("default", "a"));
		this.kubernetes.faults().next(1, Verb.WATCH, "configmaps", Fault.status(503));
		this.contextRunner.withPropertyValues(names.stream().map((name) -> name + "=" + ENDLESS).toArray(String[]::new))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(InformerRegistry.class).awaitHandlersIdle(Duration.ofSeconds(60))).isTrue();
				assertThat(context.getBean(Audit.class).names).containsExactly("a");
			});
	}

	@ParameterizedTest
	@MethodSource("properties")
	void negativeValue_failsStartupWithItsKey(String name) {
		this.contextRunner.withPropertyValues(name + "=-9223372036854775807s")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(InvalidInformerPropertyException.class.getName())
				.satisfies((failure) -> assertThat(key(failure)).matches((key) -> name.startsWith(key), "prefix")));
	}

	private static String key(Throwable failure) {
		return Stream.iterate(failure, (each) -> each != null, Throwable::getCause)
			.filter(InvalidInformerPropertyException.class::isInstance)
			.map((each) -> ((InvalidInformerPropertyException) each).key())
			.findFirst()
			.orElseThrow();
	}

	@Test
	void endlessAttributesAndWaits_areAccepted() {
		this.kubernetes.create(TestObjects.configMap("default", "a"));
		this.contextRunner.withBean(EndlessAudit.class).run((context) -> {
			assertThat(context.getBean(InformerRegistry.class).awaitHandlersIdle(ChronoUnit.FOREVER.getDuration()))
				.isTrue();
			assertThat(context.getBean(EndlessAudit.class).names).containsExactly("a");
			context.getBean(EndlessAudit.class).failures = 2;
			this.kubernetes.create(TestObjects.configMap("default", "b"));
			await().until(() -> context.getBean(EndlessAudit.class).names.contains("b"));
		});
	}

	static class Audit {

		final List<String> names = new CopyOnWriteArrayList<>();

		@InformerHandler(id = "audit")
		void handle(V1ConfigMap configMap) {
			this.names.add(configMap.getMetadata().getName());
		}

		@InformerReconciler(id = "audit")
		void reconcile(V1ConfigMap configMap) {
		}

	}

	static class EndlessAudit {

		final List<String> names = new CopyOnWriteArrayList<>();

		volatile int failures;

		@InformerReconciler(minInterval = ENDLESS, timeout = ENDLESS,
				retry = @InformerHandler.Retry(delay = "1ms", maxDelay = ENDLESS, jitter = "1ms"))
		void reconcile(V1ConfigMap configMap) {
		}

		@InformerHandler(id = "endless", resyncPeriod = ENDLESS,
				retry = @InformerHandler.Retry(delay = "1ms", maxDelay = ENDLESS, jitter = "1ms"))
		synchronized void handle(V1ConfigMap configMap) {
			if (this.failures > 0) {
				this.failures--;
				throw new IllegalStateException("for the test");
			}
			this.names.add(configMap.getMetadata().getName());
		}

	}

}
