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
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.WebFilter;

/**
 * Tests for {@link InformerWebAutoConfiguration} in applications with Spring WebFlux.
 */
class InformerWebAutoConfigurationWebFluxTests {

	private final ReactiveWebApplicationContextRunner contextRunner = new ReactiveWebApplicationContextRunner()
		.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet"))
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class, InformerWebAutoConfiguration.class,
				HttpHandlerAutoConfiguration.class, WebFluxAutoConfiguration.class, CodecsAutoConfiguration.class,
				JacksonAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new)
		.withUserConfiguration(PodsConfiguration.class);

	@ParameterizedTest
	@ValueSource(strings = { "/thrown", "/mono", "/flux", "/function", "/throwing-function", "/filtered" })
	void readBeforeSync_isAnsweredWith503AndRetryAfter(String path) {
		this.contextRunner.run((context) -> client(context).get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
			.expectHeader()
			.valueEquals("Retry-After", "5")
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.json("""
					{"status": 503, "title": "Service Unavailable",
					"detail": "The cache of the informer 'pods' has not synced yet."}"""));
	}

	@Test
	void problemDetailsOfSpringBoot_doNotReplaceIt() {
		this.contextRunner.withPropertyValues("spring.webflux.problemdetails.enabled=true")
			.run((context) -> client(context).get()
				.uri("/mono")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
				.expectHeader()
				.valueEquals("Retry-After", "5"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/thrown", "/function", "/throwing-function", "/filtered" })
	void adviceOfApplication_takesPrecedence(String path) {
		this.contextRunner.withBean(OwnAdvice.class)
			.run((context) -> client(context).get().uri(path).exchange().expectStatus().isEqualTo(HttpStatus.CONFLICT));
	}

	@Test
	void otherFailure_isNotChanged() {
		this.contextRunner.run((
				context) -> client(context).get().uri("/failing").exchange().expectStatus().isEqualTo(HttpStatus.GONE));
	}

	private static WebTestClient client(ApplicationContext context) {
		return WebTestClient.bindToApplicationContext(context).build();
	}

	@Configuration(proxyBeanMethods = false)
	static class PodsConfiguration {

		@Bean
		PodsController podsController(Lister<V1Pod> pods) {
			return new PodsController();
		}

		@Bean
		RouterFunction<ServerResponse> podsRoute() {
			return RouterFunctions.route()
				.GET("/function", (request) -> Mono.error(new NotSyncedException("pods")))
				.GET("/throwing-function", PodsConfiguration::read)
				.GET("/failing", (request) -> Mono.error(new ResponseStatusException(HttpStatus.GONE)))
				.build();
		}

		private static Mono<ServerResponse> read(ServerRequest request) {
			throw new NotSyncedException("pods");
		}

		@Bean
		WebFilter podsFilter() {
			return (exchange, chain) -> exchange.getRequest().getPath().value().equals("/filtered")
					? Mono.error(new NotSyncedException("pods")) : chain.filter(exchange);
		}

	}

	@RestController
	static class PodsController {

		@GetMapping("/thrown")
		int thrown() {
			throw new NotSyncedException("pods");
		}

		@GetMapping("/mono")
		Mono<Integer> mono() {
			return Mono.fromCallable(() -> {
				throw new NotSyncedException("pods");
			});
		}

		@GetMapping("/flux")
		Flux<Integer> flux() {
			return Flux.error(() -> new NotSyncedException("pods"));
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
