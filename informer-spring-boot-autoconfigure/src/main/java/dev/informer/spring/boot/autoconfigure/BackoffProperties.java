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
public class BackoffProperties extends ExponentialDelayProperties {

	/**
	 * Time without failures after which the next failure waits for the first delay again.
	 */
	private @Nullable Duration resetAfter;

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
		return Policies.override(policy, getDelay(), getMultiplier(), getMaxDelay(), getJitter(), this.resetAfter);
	}

}
