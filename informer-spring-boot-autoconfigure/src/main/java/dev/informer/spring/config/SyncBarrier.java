/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.SharedIndexInformer;

/**
 * Waits for informers to sync, all of them within one time. One that has given up for
 * good ends the waiting at once, also while another one is waited for.
 */
final class SyncBarrier {

	private static final Duration SLICE = Duration.ofMillis(50);

	private final List<SharedIndexInformer<?>> informers;

	SyncBarrier(List<SharedIndexInformer<?>> informers) {
		this.informers = informers;
	}

	/**
	 * Waits.
	 * @param timeout how long at most
	 * @return those that have not synced
	 * @throws InformerFailedException when one has given up for good
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	List<SharedIndexInformer<?>> await(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + timeout.toNanos();
		List<SharedIndexInformer<?>> pending = new ArrayList<>(this.informers);
		pending.removeIf(SharedIndexInformer::hasSynced);
		while (!pending.isEmpty()) {
			pending.forEach(SyncBarrier::failWhenGivenUp);
			long remaining = deadline - System.nanoTime();
			if (remaining <= 0) {
				break;
			}
			pending.get(0).awaitSynced(Duration.ofNanos(Math.min(remaining, SLICE.toNanos())));
			pending.removeIf(SharedIndexInformer::hasSynced);
		}
		return pending;
	}

	private static void failWhenGivenUp(SharedIndexInformer<?> informer) {
		InformerState state = informer.state();
		InformerFailure failure = state.failure();
		if (state.phase() == InformerState.Phase.FAILED && failure != null) {
			throw new InformerFailedException(informer.name(), failure);
		}
	}

}
