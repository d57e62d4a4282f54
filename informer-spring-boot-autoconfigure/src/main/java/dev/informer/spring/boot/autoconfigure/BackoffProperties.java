/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import dev.informer.BackoffPolicy;
import dev.informer.spring.config.Policies;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Properties of the backoff between failed attempts of an informer.
 */
@ConfigurationPropertiesSource
public class BackoffProperties {

	/**
	 * Delay after the first failure.
	 */
	private @Nullable Duration delay;

	/**
	 * Multiplier applied to the delay after each failure. At least 1.
	 */
	private @Nullable Double multiplier;

	/**
	 * Maximum delay, without the jitter.
	 */
	private @Nullable Duration maxDelay;

	/**
	 * Maximum random time that is added to the first delay. Multiplied together with the
	 * delay. 0 for none.
	 */
	private @Nullable Duration jitter;

	/**
	 * Time without failures after which the next failure waits for the first delay again.
	 */
	private @Nullable Duration resetAfter;

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

	public @Nullable Duration getResetAfter() {
		return this.resetAfter;
	}

	public void setResetAfter(@Nullable Duration resetAfter) {
		this.resetAfter = resetAfter;
	}

	/**
	 * Override the values of a policy that are set here.
	 * @param policy the policy
	 * @return the new policy
	 */
	BackoffPolicy override(BackoffPolicy policy) {
		return Policies.override(policy, this.delay, this.multiplier, this.maxDelay, this.jitter, this.resetAfter);
	}

}
