/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEventHandler;
import dev.informer.shard.FakeSharding;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Handler that records its invocations, each with the slots on which work is running:
 * {@code ADDED web@1 in 3}. The test can block it.
 */
final class SlotCalls implements ResourceEventHandler<V1Pod> {

	private final FakeSharding sharding;

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final List<String> interrupted = new CopyOnWriteArrayList<>();

	/** Latches that invocations wait for, by the UID of the object. */
	private final Map<String, CountDownLatch> blocked = new ConcurrentHashMap<>();

	SlotCalls(FakeSharding sharding) {
		this.sharding = sharding;
	}

	@Override
	public void handle(ResourceEvent<V1Pod> event) throws InterruptedException {
		String uid = event.object().getMetadata().getUid();
		CountDownLatch latch = this.blocked.get(uid);
		if (latch != null) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				this.interrupted.add(uid);
				throw ex;
			}
		}
		boolean moved = event instanceof Deleted<V1Pod> deleted && deleted.reason() == Deleted.Reason.UNWATCHED;
		StringBuilder call = new StringBuilder(moved ? "MOVED" : event.type().name());
		call.append(' ').append(event.object().getMetadata().getName());
		call.append('@').append(event.object().getMetadata().getResourceVersion());
		for (int slot = 0; slot < this.sharding.slots(); slot++) {
			call.append((this.sharding.running(slot) > 0) ? " in " + slot : "");
		}
		this.calls.add(call.toString());
	}

	/**
	 * Block the invocations for an object.
	 * @return ends the block
	 */
	CountDownLatch block(V1Pod pod) {
		CountDownLatch latch = new CountDownLatch(1);
		this.blocked.put(pod.getMetadata().getUid(), latch);
		return latch;
	}

	/**
	 * End all blocks.
	 */
	void unblock() {
		this.blocked.values().forEach(CountDownLatch::countDown);
		this.blocked.clear();
	}

	void clear() {
		this.calls.clear();
	}

	List<String> calls() {
		return this.calls;
	}

	/**
	 * Return the UIDs of the objects whose invocations were interrupted.
	 */
	List<String> interrupted() {
		return this.interrupted;
	}

}
