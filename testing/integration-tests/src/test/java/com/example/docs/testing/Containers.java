/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.testing;

import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;

@TestConfiguration(proxyBeanMethods = false)
class Containers {

	@Bean
	@ServiceConnection
	K3sContainer k3s() {
		return new K3sContainer(DockerImageName.parse("rancher/k3s:v1.36.1-k3s1"));
	}

}
