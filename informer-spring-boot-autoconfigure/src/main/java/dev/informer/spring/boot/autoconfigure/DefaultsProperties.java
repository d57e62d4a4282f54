/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Defaults for all informers and handlers.
 */
@ConfigurationPropertiesSource
public class DefaultsProperties extends InformerOptionsProperties {

	/**
	 * Period of resyncs, which deliver every object of the cache to the handlers again. 0
	 * for none.
	 */
	private Duration resyncPeriod = Duration.ZERO;

	public Duration getResyncPeriod() {
		return this.resyncPeriod;
	}

	public void setResyncPeriod(Duration resyncPeriod) {
		this.resyncPeriod = resyncPeriod;
	}

}
