/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import org.jspecify.annotations.Nullable;

/**
 * Exception thrown when a leader election has no permission for its Lease, or a member of
 * a group that divides objects has none for its Leases.
 */
public class MissingLeasePermissionException extends IllegalStateException {

	private final String leaseNamespace;

	private final @Nullable String leaseName;

	/**
	 * Create an exception.
	 * @param message the reason
	 * @param leaseNamespace the namespace of the Lease
	 * @param leaseName the name of the Lease; {@code null} for Leases with generated
	 * names
	 */
	public MissingLeasePermissionException(String message, String leaseNamespace, @Nullable String leaseName) {
		super(message);
		this.leaseNamespace = leaseNamespace;
		this.leaseName = leaseName;
	}

	/**
	 * Return the namespace of the Leases.
	 * @return the namespace
	 */
	public String leaseNamespace() {
		return this.leaseNamespace;
	}

	/**
	 * Return the name of the Lease.
	 * @return the name; {@code null} for Leases with generated names, those of a group
	 */
	public @Nullable String leaseName() {
		return this.leaseName;
	}

}
