/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import dev.informer.RetryPolicy;
import dev.informer.spring.config.Policies;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Properties of the retries of a handler that throws.
 */
@ConfigurationPropertiesSource
public class RetryProperties extends ExponentialDelayProperties {

	/**
	 * Maximum number of retries of one event. 0 for none, 4 by default.
	 */
	private @Nullable Integer maxRetries;

	public @Nullable Integer getMaxRetries() {
		return this.maxRetries;
	}

	public void setMaxRetries(@Nullable Integer maxRetries) {
		this.maxRetries = maxRetries;
	}

	/**
	 * Override the values of a policy that are set here.
	 * @param policy the policy
	 * @return the new policy
	 */
	RetryPolicy override(RetryPolicy policy) {
		return Policies.override(policy, this.maxRetries, getDelay(), getMultiplier(), getMaxDelay(), getJitter());
	}

}
