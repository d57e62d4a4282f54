/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;

import org.springframework.boot.SpringApplication;

final class TestPodNamesApplication {

	private TestPodNamesApplication() {
	}

	public static void main(String[] args) {
		SpringApplication.from(PodNamesApplication::main).with(EmbeddedServer.class).run(args);
	}

	@AutoConfigureEmbeddedKubernetes
	static class EmbeddedServer {

	}

}
