/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;

import dev.informer.InformerFactory;
import dev.informer.spring.InformerRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Ends the calls of handlers when the application stops, before anything that handlers
 * may need stops as well: no handler is called any more, and calls that are running are
 * waited for, and interrupted when they take too long. The local copies are there, and
 * follow the server, until the {@link InformerRegistry} stops, which is after the web
 * server: requests that are still being served read what they did before.
 * <p>
 * There is nothing to start at first, since the registry lets handlers go on when it
 * starts.
 */
public final class HandlerDelivery implements SmartLifecycle {

	/**
	 * The phase of the lifecycle: before the graceful shutdown of web servers and
	 * whatever else stops with the default ones.
	 */
	public static final int PHASE = DEFAULT_PHASE - 100;

	private static final Logger logger = LoggerFactory.getLogger(HandlerDelivery.class);

	private final InformerFactory factory;

	private final InformerRegistry registry;

	private final Duration timeout;

	/**
	 * Creates the lifecycle.
	 * @param factory has the handlers
	 * @param registry starts and stops the informers
	 * @param timeout how long to wait for calls that are running
	 */
	public HandlerDelivery(InformerFactory factory, InformerRegistry registry, Duration timeout) {
		this.factory = factory;
		this.registry = registry;
		this.timeout = timeout;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public boolean isAutoStartup() {
		return this.registry.isAutoStartup();
	}

	@Override
	public boolean isRunning() {
		return this.registry.isRunning() && !this.factory.areHandlersSuspended();
	}

	/**
	 * Lets the handlers go on that were suspended while their informers were running.
	 */
	@Override
	public void start() {
		if (this.factory.areHandlersSuspended()) {
			this.factory.releaseHandlers();
		}
	}

	@Override
	public void stop(Runnable callback) {
		StopThread.start("informer-delivery-stop", this::stop, callback);
	}

	@Override
	public void stop() {
		try {
			if (!this.factory.suspendHandlers(this.timeout)) {
				logger.atWarn()
					.addKeyValue("timeout", this.timeout)
					.log("Handlers that have not returned after {} were interrupted; the application stops without them",
							this.timeout);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
