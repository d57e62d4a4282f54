/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.web;

import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.NotSyncedException;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InformerWebAutoConfiguration}.
 */
class InformerWebAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class, InformerWebAutoConfiguration.class,
				WebMvcAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class, JacksonAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new)
		.withBean(PodsController.class)
		.withBean("podsRoute", RouterFunction.class,
				() -> RouterFunctions.route().GET("/function", InformerWebAutoConfigurationTests::read).build());

	private static ServerResponse read(ServerRequest request) {
		throw new NotSyncedException("pods");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/pods", "/function" })
	void readBeforeSync_isAnsweredWith503AndRetryAfter(String path) {
		this.contextRunner.run((context) -> assertThat(MockMvcTester.from(context).get().uri(path))
			.hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
			.hasHeader("Retry-After", "5")
			.hasContentType("application/problem+json")
			.bodyJson()
			.isLenientlyEqualTo("""
					{"status": 503, "title": "Service Unavailable",
					"detail": "The cache of the informer 'pods' has not synced yet."}"""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/pods", "/function" })
	void adviceOfApplication_takesPrecedence(String path) {
		this.contextRunner.withBean(OwnAdvice.class)
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri(path)).hasStatus(HttpStatus.CONFLICT));
	}

	@Test
	void otherFailureOfFunction_isNotAnswered() {
		this.contextRunner
			.withBean("failingRoute", RouterFunction.class, () -> RouterFunctions.route().GET("/failing", (request) -> {
				throw new IllegalStateException("for the test");
			}).build())
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/failing")).hasFailed()
				.failure()
				.hasRootCauseInstanceOf(IllegalStateException.class));
	}

	@Test
	void applicationWithoutWeb_hasNoAdvice() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(InformerAutoConfiguration.class, InformerWebAutoConfiguration.class))
			.run((context) -> assertThat(context).doesNotHaveBean(NotSyncedAdvice.class));
	}

	@RestController
	static class PodsController {

		PodsController(Lister<V1Pod> pods) {
		}

		@GetMapping("/pods")
		int count() {
			throw new NotSyncedException("pods");
		}

	}

	@RestControllerAdvice
	static class OwnAdvice {

		@ExceptionHandler
		ResponseEntity<Void> notSynced(NotSyncedException exception) {
			return ResponseEntity.status(HttpStatus.CONFLICT).build();
		}

	}

}
