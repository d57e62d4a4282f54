/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

/**
 * Exception thrown when a leader election has no permission for its Lease.
 */
public class MissingLeasePermissionException extends IllegalStateException {

	private final String leaseNamespace;

	private final String leaseName;

	/**
	 * Create an exception.
	 * @param message the reason
	 * @param leaseNamespace the namespace of the Lease
	 * @param leaseName the name of the Lease
	 */
	public MissingLeasePermissionException(String message, String leaseNamespace, String leaseName) {
		super(message);
		this.leaseNamespace = leaseNamespace;
		this.leaseName = leaseName;
	}

	/**
	 * Return the namespace of the Lease.
	 * @return the namespace
	 */
	public String leaseNamespace() {
		return this.leaseNamespace;
	}

	/**
	 * Return the name of the Lease.
	 * @return the name
	 */
	public String leaseName() {
		return this.leaseName;
	}

}
