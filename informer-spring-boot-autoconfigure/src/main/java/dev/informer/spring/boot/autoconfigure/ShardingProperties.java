/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import dev.informer.shard.ShardingOptions;
import dev.informer.shard.SlotKey;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Properties of the division of objects between the replicas of the application.
 */
@ConfigurationPropertiesSource
public class ShardingProperties {

	/**
	 * Whether to divide the objects of sharded handlers and informers between the
	 * replicas of the application.
	 */
	private boolean enabled;

	/**
	 * Name of the group of replicas, with which the names of its Leases begin. The name
	 * of the application by default.
	 */
	private @Nullable String group;

	/**
	 * Namespace of the Leases. The namespace of the connection by default.
	 */
	private @Nullable String leaseNamespace;

	/**
	 * Identity of this replica, unique for each process. The host name and a random part
	 * by default.
	 */
	private @Nullable String identity;

	/**
	 * Number of slots, the parts in which objects move between replicas. A power of two
	 * between 2 and 4096.
	 */
	private int slots = ShardingOptions.DEFAULT_SLOTS;

	/**
	 * Part of the name of an object that its slot follows from, the same on all replicas.
	 * Sharded informers and their handlers have their own property instead, shard.by.
	 */
	private SlotKey by = SlotKey.OBJECT;

	/**
	 * Time after which other replicas take over the slots of a replica that has not
	 * renewed its membership.
	 */
	private Duration leaseDuration = Duration.ofSeconds(15);

	/**
	 * Time after its last renewal at which a replica gives up its slots. Shorter than the
	 * lease duration.
	 */
	private Duration renewDeadline = Duration.ofSeconds(10);

	/**
	 * Time between renewals, and before a failed request is repeated.
	 */
	private Duration retryPeriod = Duration.ofSeconds(2);

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable String getGroup() {
		return this.group;
	}

	public void setGroup(@Nullable String group) {
		this.group = group;
	}

	public @Nullable String getLeaseNamespace() {
		return this.leaseNamespace;
	}

	public void setLeaseNamespace(@Nullable String leaseNamespace) {
		this.leaseNamespace = leaseNamespace;
	}

	public @Nullable String getIdentity() {
		return this.identity;
	}

	public void setIdentity(@Nullable String identity) {
		this.identity = identity;
	}

	public int getSlots() {
		return this.slots;
	}

	public void setSlots(int slots) {
		this.slots = slots;
	}

	public SlotKey getBy() {
		return this.by;
	}

	public void setBy(SlotKey by) {
		this.by = by;
	}

	public Duration getLeaseDuration() {
		return this.leaseDuration;
	}

	public void setLeaseDuration(Duration leaseDuration) {
		this.leaseDuration = leaseDuration;
	}

	public Duration getRenewDeadline() {
		return this.renewDeadline;
	}

	public void setRenewDeadline(Duration renewDeadline) {
		this.renewDeadline = renewDeadline;
	}

	public Duration getRetryPeriod() {
		return this.retryPeriod;
	}

	public void setRetryPeriod(Duration retryPeriod) {
		this.retryPeriod = retryPeriod;
	}

}
