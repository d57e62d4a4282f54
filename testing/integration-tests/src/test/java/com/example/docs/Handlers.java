/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import java.util.Optional;
import java.util.function.Predicate;

import dev.informer.HandlerErrorHandler;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Type;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.spring.InformerHandler;
import dev.informer.spring.InformerHandler.Retry;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.annotation.Bean;

/**
 * Handlers of the documentation.
 */
class Handlers {

	private static final Logger logger = LoggerFactory.getLogger(Handlers.class);

	@InformerHandler
	void changed(ResourceEvent<V1Deployment> event) {
		String name = event.object().getMetadata().getName();
		if (event instanceof ResourceEvent.Updated<V1Deployment> updated) {
			logger.info("{} went from {} to {}", name, replicas(updated.previous()), replicas(updated.object()));
		}
		else {
			logger.info("{} was {}", name, event.type());
		}
	}

	@InformerHandler(informer = "certificates")
	void certificate(ResourceEvent<DynamicKubernetesObject> event) {
		logger.info("{}", event.object().getRaw().get("status"));
	}

	@InformerHandler(informer = "secrets")
	void secret(PartialObjectMetadata secret) {
		logger.info("{}", secret.getMetadata().getName());
	}

	private static int replicas(V1Deployment deployment) {
		return Optional.ofNullable(deployment.getSpec()).map(V1DeploymentSpec::getReplicas).orElse(1);
	}

	/**
	 * Handler that receives every event.
	 */
	static class Audit {

		private final AuditLog log;

		Audit(AuditLog log) {
			this.log = log;
		}

		@InformerHandler(id = "audit", on = { Type.ADDED, Type.DELETED }, filter = "production",
				queue = QueuePolicy.KEEP_ALL, concurrency = "${audit.threads:4}",
				retry = @Retry(maxRetries = "9", maxDelay = "5m"))
		void audit(ResourceEvent<V1Secret> event) {
			this.log.append(event.type(), event.object().getMetadata().getName());
		}

		@Bean
		static Predicate<V1Secret> production() {
			return (secret) -> secret.getMetadata().getNamespace().startsWith("prod-");
		}

		@Bean
		HandlerErrorHandler<KubernetesObject> failures(Alarm alarm) {
			return (failure) -> {
				if (failure.retriesExhausted()) {
					alarm.raise(failure.handler(), failure.cause());
				}
			};
		}

	}

	/**
	 * Log of audits.
	 */
	interface AuditLog {

		void append(Type type, String name);

	}

	/**
	 * Alert channel.
	 */
	interface Alarm {

		void raise(String handler, Throwable cause);

	}

}
