/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.Map;

import dev.informer.spring.InformerHandler;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A whole Spring Boot application, as a user would write it.
 */
@ExtendWith(OutputCaptureExtension.class)
class ApplicationTests {

	@AutoClose
	private EmbeddedKubernetes kubernetes;

	@BeforeEach
	void start() {
		this.kubernetes = EmbeddedKubernetes.start();
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", "one")));
	}

	@Test
	void health_containsInformersAndReadinessTheirSync() {
		try (ConfigurableApplicationContext context = run(
				"--management.endpoint.health.group.readiness.include=informerSync")) {
			HealthEndpoint endpoint = context.getBean(HealthEndpoint.class);
			assertThat(endpoint.healthForPath("informers")).isInstanceOfSatisfying(CompositeHealthDescriptor.class,
					(informers) -> {
						assertThat(informers.getStatus()).isEqualTo(Status.UP);
						assertThat(informers.getComponents()).containsOnlyKeys("pods");
					});
			assertThat(endpoint.healthForPath("readiness")).extracting(HealthDescriptor::getStatus)
				.isEqualTo(Status.UP);
		}
	}

	@Test
	void metrics_areRegistered() {
		try (ConfigurableApplicationContext context = run()) {
			assertThat(context.getBean(MeterRegistry.class).get("kubernetes.informer.store.size").gauge().value())
				.isEqualTo(1);
		}
	}

	@Test
	void invalidSelector_isExplained(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run("--informer.resources.pods.label-selector=((").close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Informer 'pods' failed permanently")
			.contains("Change informer.resources.pods.label-selector");
	}

	@Test
	void unknownKey_isExplained(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run("--informer.resources.pods.labels=one").close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Unknown property 'labels' of 'informer.resources.pods'");
	}

	private ConfigurableApplicationContext run(String... arguments) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("informer.connection.url=" + this.kubernetes.url(), "spring.main.banner-mode=off")
			.run(arguments);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@InformerHandler
		void handle(V1Pod pod) {
		}

	}

}
