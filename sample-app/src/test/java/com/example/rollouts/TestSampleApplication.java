/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Workload;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/**
 * Starts the application with an embedded API server and simulated rollouts.
 */
public final class TestSampleApplication {

	private TestSampleApplication() {
	}

	/**
	 * Start the application.
	 * @param args properties as {@code --name=value}
	 */
	public static void main(String[] args) {
		SpringApplication.from(RolloutsApplication::main).with(BusyShop.class).run(args);
	}

	static Workload startShop(EmbeddedKubernetes kubernetes) {
		return Workload.on(kubernetes)
			.nodes("node-1", "node-2", "node-3")
			.deployment("shop", "web", 5, "example/web:1.0")
			.deployment("shop", "cart", 3, "example/cart:1.0")
			.deployment("billing", "invoices", 2, "example/invoices:1.0")
			.configMap("shop", "settings", "app.kubernetes.io/part-of", "rollouts")
			.rolloutEvery(10)
			.start();
	}

	/**
	 * Deployments with rollouts, pods and changing settings. Not a
	 * {@code @Configuration}, so that component scanning does not find it.
	 */
	@AutoConfigureEmbeddedKubernetes
	static class BusyShop {

		private static final Logger logger = LoggerFactory.getLogger(TestSampleApplication.class);

		@Bean
		Workload workload(EmbeddedKubernetes kubernetes) {
			return startShop(kubernetes);
		}

		@EventListener
		void logAddress(ApplicationReadyEvent event) {
			String port = event.getApplicationContext().getEnvironment().getProperty("local.server.port");
			logger.info("Started with an embedded Kubernetes API server and simulated rollouts. "
					+ "Look at http://localhost:{}/", port);
		}

	}

}
