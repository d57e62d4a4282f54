/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Properties of a delay that grows exponentially with each failure. Values that are not
 * set keep their default.
 */
@ConfigurationPropertiesSource
public abstract class ExponentialDelayProperties {

	/**
	 * Delay after the first failure. 800ms by default.
	 */
	private @Nullable Duration delay;

	/**
	 * Multiplier applied to the delay after each failure. At least 1, 2 by default.
	 */
	private @Nullable Double multiplier;

	/**
	 * Maximum delay, without the jitter. 30s by default.
	 */
	private @Nullable Duration maxDelay;

	/**
	 * Maximum random time that is added to the first delay. Grows with the delay. 0 for
	 * none, 800ms by default.
	 */
	private @Nullable Duration jitter;

	public @Nullable Duration getDelay() {
		return this.delay;
	}

	public void setDelay(@Nullable Duration delay) {
		this.delay = delay;
	}

	public @Nullable Double getMultiplier() {
		return this.multiplier;
	}

	public void setMultiplier(@Nullable Double multiplier) {
		this.multiplier = multiplier;
	}

	public @Nullable Duration getMaxDelay() {
		return this.maxDelay;
	}

	public void setMaxDelay(@Nullable Duration maxDelay) {
		this.maxDelay = maxDelay;
	}

	public @Nullable Duration getJitter() {
		return this.jitter;
	}

	public void setJitter(@Nullable Duration jitter) {
		this.jitter = jitter;
	}

}
