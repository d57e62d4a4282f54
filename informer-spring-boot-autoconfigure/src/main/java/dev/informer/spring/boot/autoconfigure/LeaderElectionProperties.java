/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Properties of a leader election. Durations that are not set are those of
 * {@code informer.leader}.
 */
@ConfigurationPropertiesSource
public class LeaderElectionProperties {

	/**
	 * Name of the Lease. The name of the application by default, followed by the name of
	 * the election if it is not the default one.
	 */
	private @Nullable String leaseName;

	/**
	 * Namespace of the Lease. The namespace of the connection by default.
	 */
	private @Nullable String leaseNamespace;

	/**
	 * Time after which another replica takes over a Lease that was not renewed. 15s by
	 * default.
	 */
	private @Nullable Duration leaseDuration;

	/**
	 * Time after its last renewal at which a leader gives up. Shorter than the lease
	 * duration. 10s by default.
	 */
	private @Nullable Duration renewDeadline;

	/**
	 * Time between renewals, and before a failed request is repeated. 2s by default.
	 */
	private @Nullable Duration retryPeriod;

	public @Nullable String getLeaseName() {
		return this.leaseName;
	}

	public void setLeaseName(@Nullable String leaseName) {
		this.leaseName = leaseName;
	}

	public @Nullable String getLeaseNamespace() {
		return this.leaseNamespace;
	}

	public void setLeaseNamespace(@Nullable String leaseNamespace) {
		this.leaseNamespace = leaseNamespace;
	}

	public @Nullable Duration getLeaseDuration() {
		return this.leaseDuration;
	}

	public void setLeaseDuration(@Nullable Duration leaseDuration) {
		this.leaseDuration = leaseDuration;
	}

	public @Nullable Duration getRenewDeadline() {
		return this.renewDeadline;
	}

	public void setRenewDeadline(@Nullable Duration renewDeadline) {
		this.renewDeadline = renewDeadline;
	}

	public @Nullable Duration getRetryPeriod() {
		return this.retryPeriod;
	}

	public void setRetryPeriod(@Nullable Duration retryPeriod) {
		this.retryPeriod = retryPeriod;
	}

}
