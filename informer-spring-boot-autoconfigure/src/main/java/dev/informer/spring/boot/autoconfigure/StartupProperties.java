/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import dev.informer.spring.config.OnTimeout;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Properties of the startup of the application.
 */
@ConfigurationPropertiesSource
public class StartupProperties {

	/**
	 * Maximum time to create the API client, with its credentials plugin, and to wait for
	 * all required informers together.
	 */
	private Duration timeout = Duration.ofSeconds(30);

	/**
	 * Reaction when required informers have not synced in time.
	 */
	private OnTimeout onTimeout = OnTimeout.FAIL;

	/**
	 * Whether to deliver events to handlers only after all required informers have
	 * synced, or after the timeout.
	 */
	private boolean deliverAfterSync = true;

	/**
	 * Whether startup also waits until handlers have handled the objects of the initial
	 * list, within the same timeout. For applications that answer requests from what
	 * their handlers collect. Handlers that are paused, leader-only or sharded are not
	 * waited for.
	 */
	private boolean awaitHandlers;

	public Duration getTimeout() {
		return this.timeout;
	}

	public void setTimeout(Duration timeout) {
		this.timeout = timeout;
	}

	public OnTimeout getOnTimeout() {
		return this.onTimeout;
	}

	public void setOnTimeout(OnTimeout onTimeout) {
		this.onTimeout = onTimeout;
	}

	public boolean isDeliverAfterSync() {
		return this.deliverAfterSync;
	}

	public void setDeliverAfterSync(boolean deliverAfterSync) {
		this.deliverAfterSync = deliverAfterSync;
	}

	public boolean isAwaitHandlers() {
		return this.awaitHandlers;
	}

	public void setAwaitHandlers(boolean awaitHandlers) {
		this.awaitHandlers = awaitHandlers;
	}

}
