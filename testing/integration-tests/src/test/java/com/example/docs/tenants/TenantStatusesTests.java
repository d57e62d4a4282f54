/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.tenants;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.informer.HandlerErrorHandler;
import dev.informer.HandlerFailure;
import dev.informer.Lister;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import io.kubernetes.client.common.KubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Test of the recipe that writes a status.
 */
@SpringBootTest(properties = { "informer.resources.tenants.handler.retry.delay=1ms",
		"informer.resources.tenants.handler.retry.jitter=0",
		"informer.resources.tenants.handler.retry.max-delay=10ms" })
@AutoConfigureEmbeddedKubernetes
@Import(TenantDefinition.class)
@ExtendWith(OutputCaptureExtension.class)
class TenantStatusesTests {

	/** An outage of a minute is seven attempts with the delays of the page. */
	private static final int ATTEMPTS = 20;

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	Lister<Tenant> tenants;

	@Autowired
	Queue<HandlerFailure<?>> failures;

	@BeforeEach
	void clearRequests() {
		this.failures.clear();
		this.kubernetes.clearRequests();
	}

	@AfterEach
	void clearFaults() {
		this.kubernetes.faults().clear();
	}

	@Test
	void missingStatus_isWrittenOnce() {
		create("unready");
		awaitStatus("unready");
		String version = this.tenants.get("default", "unready").orElseThrow().getMetadata().getResourceVersion();
		assertThat(String.valueOf(this.kubernetes.resourceVersion())).isEqualTo(version);
	}

	@Test
	void statusDuringAnOutageOfWrites_isWrittenAfterIt() {
		this.kubernetes.faults().always(Verb.UPDATE, "tenants.example.com", Fault.status(503));
		create("delayed");
		await().until(() -> attempts() >= ATTEMPTS);
		this.kubernetes.faults().clear();
		awaitStatus("delayed");
	}

	@Test
	void conflicts_areRetriedWithoutWarning(CapturedOutput output) {
		this.kubernetes.faults().next(ATTEMPTS, Verb.UPDATE, "tenants.example.com", Fault.status(409));
		create("contended");
		awaitStatus("contended");
		assertThat(attempts()).isGreaterThan(ATTEMPTS);
		assertThat(this.failures).isEmpty();
		assertThat(output.toString().lines().filter((line) -> line.contains("contended")))
			.noneMatch((line) -> line.contains("WARN") || line.contains("ERROR"));
	}

	private void create(String name) {
		this.kubernetes.create(Map.of("apiVersion", "example.com/v1", "kind", "Tenant", "metadata",
				Map.of("name", name), "spec", Map.of("plan", "gold")));
	}

	private int attempts() {
		return this.kubernetes.requests(Verb.UPDATE, "tenants.example.com").size();
	}

	private void awaitStatus(String name) {
		await().untilAsserted(() -> assertThat(this.tenants.get("default", name)).get()
			.satisfies((tenant) -> assertThat(tenant.readySince()).isPresent())
			.satisfies((tenant) -> assertThat(tenant.plan()).contains("gold")));
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Failures {

		@Bean
		Queue<HandlerFailure<?>> handlerFailures() {
			return new ConcurrentLinkedQueue<>();
		}

		@Bean
		HandlerErrorHandler<KubernetesObject> failureLog(Queue<HandlerFailure<?>> failures) {
			return failures::add;
		}

	}

}
