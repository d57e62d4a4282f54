/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.controllers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.informer.replicas.Leadership;
import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.builder.ControllerBuilder;
import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.models.V1ConfigMap;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

@Component
class ControllerLifecycle implements SmartLifecycle {

	private final SharedInformerFactory factory;

	private final Reconciler reconciler;

	private final Leadership leadership;

	private volatile Runnable shutdown = () -> {
	};

	private volatile boolean running;

	ControllerLifecycle(SharedInformerFactory factory, Reconciler reconciler, Leadership leadership) {
		this.factory = factory;
		this.reconciler = reconciler;
		this.leadership = leadership;
	}

	@Override
	public void start() {
		// a controller cannot run twice
		Controller controller = ControllerBuilder.defaultBuilder(this.factory)
			.withName("copies")
			.watch((queue) -> ControllerBuilder.controllerWatchBuilder(V1ConfigMap.class, queue).build())
			.withReconciler(this::reconcileAsLeader)
			.withWorkerCount(2)
			.build();
		this.running = true;
		this.shutdown = controller::shutdown;
		new Thread(controller::run, "copies").start();
	}

	private Result reconcileAsLeader(Request request) {
		while (!this.leadership.begin()) {
			if (!this.running) {
				return new Result(false);
			}
			LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
		}
		try {
			return this.reconciler.reconcile(request);
		}
		finally {
			this.leadership.end();
		}
	}

	@Override
	public void stop() {
		this.running = false;
		this.shutdown.run();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
