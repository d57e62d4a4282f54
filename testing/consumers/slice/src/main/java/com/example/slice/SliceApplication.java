/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.slice;

import java.util.List;

import dev.informer.Lister;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
public class SliceApplication {

	public static void main(String[] args) {
		SpringApplication.run(SliceApplication.class, args);
	}

	@RestController
	static class PodsController {

		private final Lister<V1Pod> pods;

		PodsController(Lister<V1Pod> pods) {
			this.pods = pods;
		}

		@GetMapping("/names")
		List<String> names() {
			return this.pods.list().stream().map((pod) -> pod.getMetadata().getName()).toList();
		}

	}

}
