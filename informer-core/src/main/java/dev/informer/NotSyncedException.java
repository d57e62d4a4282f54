/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import dev.informer.support.UntrustedText;

/**
 * Thrown when the cache is read before the first sync, or in a namespace that matches the
 * namespace selector and was not listed yet. Use
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
	 * Create an exception for a namespace that has joined after the first sync.
	 * @param informer the name of the informer
	 * @param namespace the namespace
	 */
	public NotSyncedException(String informer, String namespace) {
		super("Cannot read the namespace '" + UntrustedText.of(namespace) + "' from the cache of informer '" + informer
				+ "': it was not listed yet. Repeat the read later, or see statesByNamespace() for the failure that "
				+ "prevents the list");
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
