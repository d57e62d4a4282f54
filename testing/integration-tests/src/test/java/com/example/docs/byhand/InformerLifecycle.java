/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.byhand;

import java.time.Duration;
import java.time.Instant;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1Deployment;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

@Component
class InformerLifecycle implements SmartLifecycle {

	private final SharedInformerFactory factory;

	private final SharedIndexInformer<V1Deployment> informer;

	private volatile boolean running;

	InformerLifecycle(SharedInformerFactory factory, SharedIndexInformer<V1Deployment> informer) {
		this.factory = factory;
		this.informer = informer;
	}

	@Override
	public void start() {
		this.factory.startAllRegisteredInformers();
		Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
		while (!this.informer.hasSynced()) {
			if (Instant.now().isAfter(deadline)) {
				throw new IllegalStateException("Not synced");
			}
			try {
				Thread.sleep(50);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
		}
		this.running = true;
	}

	@Override
	public void stop() {
		this.factory.stopAllRegisteredInformers();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return DEFAULT_PHASE - 4096;
	}

}
