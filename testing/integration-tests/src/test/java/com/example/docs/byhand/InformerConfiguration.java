/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.byhand;

import java.io.IOException;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentList;
import io.kubernetes.client.util.Config;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class InformerConfiguration {

	@Bean
	ApiClient apiClient() throws IOException {
		return Config.defaultClient();
	}

	@Bean
	SharedInformerFactory informerFactory(ApiClient apiClient) {
		return new SharedInformerFactory(apiClient);
	}

	@Bean
	SharedIndexInformer<V1Deployment> deploymentsInformer(SharedInformerFactory factory, ApiClient apiClient,
			Deployments handler) {
		AppsV1Api api = new AppsV1Api(apiClient);
		SharedIndexInformer<V1Deployment> informer = factory
			.sharedIndexInformerFor((parameters) -> api.listDeploymentForAllNamespaces()
				.resourceVersion(parameters.resourceVersion)
				.timeoutSeconds(parameters.timeoutSeconds)
				.watch(parameters.watch)
				.buildCall(null), V1Deployment.class, V1DeploymentList.class);
		informer.addEventHandler(handler);
		return informer;
	}

	@Bean
	HealthIndicator deploymentsInformerHealthIndicator(SharedIndexInformer<V1Deployment> informer) {
		return () -> (informer.hasSynced() ? Health.up() : Health.outOfService()).build();
	}

	@Bean
	MeterBinder deploymentsInformerMetrics(SharedIndexInformer<V1Deployment> informer) {
		return (registry) -> Gauge
			.builder("deployments.informer.size", informer, (each) -> each.getIndexer().list().size())
			.register(registry);
	}

}
