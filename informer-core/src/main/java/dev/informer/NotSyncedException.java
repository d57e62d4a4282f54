/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * Thrown when the cache is read before the first sync. Use
 * {@link SharedIndexInformer#awaitSynced(java.time.Duration)} to wait for it.
 */
public class NotSyncedException extends IllegalStateException {

	private final String informer;

	/**
	 * Create an exception.
	 * @param informer the name of the informer
	 */
	public NotSyncedException(String informer) {
		super("Cannot read the cache of informer '" + informer + "': it has not synced yet. "
				+ "Wait with awaitSynced(), or see state() for the failure that prevents it");
		this.informer = informer;
	}

	/**
	 * Return the name of the informer.
	 * @return the name
	 */
	public String informer() {
		return this.informer;
	}

}
