/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.cloud;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.spring.InformerRegistry;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Verb;
import io.kubernetes.client.openapi.ApiClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest
@ExtendWith(OutputCaptureExtension.class)
class DiscoveryTests {

	@Autowired
	EmbeddedKubernetes kubernetes;

	@Autowired
	DiscoveryClient discovery;

	@Autowired
	InformerRegistry registry;

	@Test
	void discovery_readsTheCacheOfTheInformers(CapturedOutput output) {
		assertThat(this.discovery.getServices()).contains("web");
		assertThat(this.discovery.getInstances("web")).extracting(ServiceInstance::getHost).containsExactly("10.0.0.1");
		create("later", "10.0.0.2");
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.discovery.getInstances("later")).extracting(ServiceInstance::getHost)
				.containsExactly("10.0.0.2"));
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(output).contains("Service web has changed", "Service later has changed"));
		for (String resource : List.of("services", "endpoints")) {
			assertThat(this.kubernetes.requests(Verb.LIST, resource)).as(resource).hasSize(1);
			assertThat(this.kubernetes.requests(Verb.WATCH, resource)).as(resource).hasSize(1);
		}
		assertThat(this.registry.hasSynced()).isTrue();
	}

	private void create(String name, String address) {
		create(this.kubernetes, name, address);
	}

	private static void create(EmbeddedKubernetes kubernetes, String name, String address) {
		kubernetes.create(Map.of("apiVersion", "v1", "kind", "Service", "metadata",
				Map.of("namespace", "default", "name", name), "spec", Map.of("ports", List.of(Map.of("port", 80)))));
		kubernetes.create(Map.of("apiVersion", "v1", "kind", "Endpoints", "metadata",
				Map.of("namespace", "default", "name", name), "subsets",
				List.of(Map.of("addresses", List.of(Map.of("ip", address)), "ports", List.of(Map.of("port", 8080))))));
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Cluster {

		@Bean
		EmbeddedKubernetes embeddedKubernetes() {
			EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
			create(kubernetes, "web", "10.0.0.1");
			return kubernetes;
		}

		@Bean
		ApiClient apiClient(EmbeddedKubernetes kubernetes) {
			return new ApiClient().setBasePath(kubernetes.url());
		}

	}

}
