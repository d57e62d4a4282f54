/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

/**
 * The local copy was read before it was there for the first time. Wait for it by
 * {@link SharedIndexInformer#awaitSynced(java.time.Duration)}.
 */
public class NotSyncedException extends IllegalStateException {

	/**
	 * Creates an exception.
	 * @param informer the name of the informer
	 */
	public NotSyncedException(String informer) {
		super("Informer '" + informer + "' has not synced yet: its local copy is not there to be read. "
				+ "Wait with awaitSynced(), or look at its state() for what holds it up");
	}

}
