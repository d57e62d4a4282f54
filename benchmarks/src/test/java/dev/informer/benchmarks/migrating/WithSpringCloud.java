/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.migrating;

import java.util.List;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

class WithSpringCloud {

	private final DiscoveryClient discoveryClient;

	WithSpringCloud(DiscoveryClient discoveryClient) {
		this.discoveryClient = discoveryClient;
	}

	int count() {
		List<ServiceInstance> instances = this.discoveryClient.getInstances("web");
		return instances.size();
	}

}
