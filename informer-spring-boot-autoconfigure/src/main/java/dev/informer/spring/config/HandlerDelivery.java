/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import org.springframework.context.SmartLifecycle;

/**
 * Lifecycle of the delivery to handlers and reconcilers. Delivery stops before everything
 * that they may need: pending events are delivered and running calls end until the drain
 * timeout, then they are interrupted. The caches follow the server until the registry
 * stops, which is after the web server, so that requests in progress read current data.
 * The registry starts the delivery.
 */
public final class HandlerDelivery implements SmartLifecycle {

	/**
	 * The phase of this lifecycle: stops before the graceful shutdown of web servers and
	 * before beans of the default phase.
	 */
	public static final int PHASE = DEFAULT_PHASE - 100;

	private final InformerLifecycle informers;

	HandlerDelivery(InformerLifecycle informers) {
		this.informers = informers;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public boolean isAutoStartup() {
		return this.informers.isAutoStartup();
	}

	@Override
	public boolean isRunning() {
		return this.informers.isDelivering();
	}

	/**
	 * Resume the delivery if it was suspended while the informers were running.
	 */
	@Override
	public void start() {
		this.informers.resumeDelivery();
	}

	@Override
	public void stop() {
		this.informers.suspendDelivery();
	}

	@Override
	public void stop(Runnable callback) {
		InformerLifecycle.stopSeparately("informer-delivery-stop", this::stop, callback);
	}

}
