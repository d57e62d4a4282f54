/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import java.util.List;

import dev.informer.HandlerRegistration;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.config.DefaultInformerRegistry;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} for readiness. {@code OUT_OF_SERVICE} until all required
 * informers have synced for the first time, and the handlers that the startup waits for
 * have received the initial list, and {@code UP} from then on, independent of the API
 * server.
 */
class InformerSyncHealthIndicator extends AbstractHealthIndicator {

	private final DefaultInformerRegistry registry;

	private volatile boolean synced;

	InformerSyncHealthIndicator(DefaultInformerRegistry registry) {
		super("Cannot determine whether the informers have synced");
		this.registry = registry;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		List<SharedIndexInformer<?>> informers = this.synced ? List.of() : this.registry.awaitedInformers();
		List<HandlerRegistration> handlers = this.synced ? List.of() : this.registry.awaitedHandlers();
		if (!informers.isEmpty()) {
			builder.outOfService().withDetail("waitingFor", informers.stream().map(SharedIndexInformer::name).toList());
		}
		else if (!handlers.isEmpty()) {
			builder.outOfService()
				.withDetail("waitingForHandlers", handlers.stream().map(HandlerRegistration::name).toList());
		}
		else {
			this.synced = true;
			builder.up();
		}
	}

}
