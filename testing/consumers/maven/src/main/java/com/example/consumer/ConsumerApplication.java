/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.consumer;

import java.util.List;

import dev.informer.IndexFunction;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class ConsumerApplication {

	@Bean
	static IndexFunction<V1Pod> byNode() {
		return (pod) -> (pod.getSpec() != null && pod.getSpec().getNodeName() != null)
				? List.of(pod.getSpec().getNodeName()) : List.of();
	}

	public static void main(String[] args) {
		SpringApplication.run(ConsumerApplication.class, args);
	}

}
