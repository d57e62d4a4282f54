/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.util.Map;

import dev.informer.spring.InformerHandler;
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import io.kubernetes.client.openapi.models.V1Deployment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/**
 * Starts the controller with an embedded API server and one web application.
 */
public final class TestWebAppsApplication {

	private TestWebAppsApplication() {
	}

	/**
	 * Start the application.
	 * @param args properties as {@code --name=value}
	 */
	public static void main(String[] args) {
		SpringApplication.from(WebAppsApplication::main).with(WebAppDefinition.class, Cluster.class).run(args);
	}

	/**
	 * Cluster in which each Deployment is ready at once. Not a {@code @Configuration}, so
	 * that component scanning does not find it.
	 */
	@AutoConfigureEmbeddedKubernetes
	static class Cluster {

		private static final Logger logger = LoggerFactory.getLogger(TestWebAppsApplication.class);

		private final EmbeddedKubernetes kubernetes;

		Cluster(EmbeddedKubernetes kubernetes) {
			this.kubernetes = kubernetes;
		}

		@InformerHandler
		void rollOut(V1Deployment deployment) {
			int replicas = deployment.getSpec().getReplicas();
			this.kubernetes.mergePatch("deployments.apps", deployment.getMetadata().getNamespace(),
					deployment.getMetadata().getName(),
					Map.of("status", Map.of("observedGeneration", deployment.getMetadata().getGeneration(), "replicas",
							replicas, "updatedReplicas", replicas, "readyReplicas", replicas)));
		}

		@EventListener(ApplicationReadyEvent.class)
		void createWebApp() {
			this.kubernetes.create(WebAppDefinition.read("example.yaml"));
			logger.info("Started with an embedded Kubernetes API server. Look at "
					+ "{}/apis/example.com/v1/namespaces/default/webapps/shop", this.kubernetes.url());
		}

	}

}
