/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.boot3;

import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Boot3Application {

	public static void main(String[] args) {
		SpringApplication.run(Boot3Application.class, args);
	}

	@InformerHandler
	void changed(V1Pod pod) {
		System.out.println(pod.getMetadata().getName());
	}

}
