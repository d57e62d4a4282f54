/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

/**
 * Exception thrown when a leader election has no permission for its Lease, or a member of
 * a group that divides objects has none for its Leases.
 */
public class MissingLeasePermissionException extends InformerConfigurationException {

	/**
	 * Create an exception.
	 * @param message the failure and its reason
	 * @param action the permissions to grant, with a manifest
	 */
	public MissingLeasePermissionException(String message, String action) {
		super(message, action, null);
	}

}
