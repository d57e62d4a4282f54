/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.BitSet;

/**
 * Work of this process on objects of its slots.
 */
interface SlotWork {

	/**
	 * Set the slots on which work may begin from now on, which are not modified.
	 */
	void permit(BitSet owned);

	/**
	 * Return whether work on a slot is running. Work that began before the last
	 * {@link #permit} is included.
	 */
	boolean isRunning(int slot);

}
