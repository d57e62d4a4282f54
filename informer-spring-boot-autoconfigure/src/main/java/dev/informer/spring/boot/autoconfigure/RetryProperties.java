/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import dev.informer.RetryPolicy;
import dev.informer.spring.config.Policies;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Properties of the retries of a handler that throws.
 */
@ConfigurationPropertiesSource
public class RetryProperties {

	/**
	 * Maximum number of retries of one event. 0 for none, 4 by default.
	 */
	private @Nullable Integer maxRetries;

	/**
	 * Delay before the first retry. 800ms by default.
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
	 * Maximum random time that is added to the first delay. Multiplied together with the
	 * delay. 0 for none, 800ms by default.
	 */
	private @Nullable Duration jitter;

	public @Nullable Integer getMaxRetries() {
		return this.maxRetries;
	}

	public void setMaxRetries(@Nullable Integer maxRetries) {
		this.maxRetries = maxRetries;
	}

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

	/**
	 * Override the values of a policy that are set here.
	 * @param policy the policy
	 * @return the new policy
	 */
	RetryPolicy override(RetryPolicy policy) {
		return Policies.override(policy, this.maxRetries, this.delay, this.multiplier, this.maxDelay, this.jitter);
	}

}
