/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.processor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Added;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.ResourceEvent.Updated;
import dev.informer.client.ObjectKey;
import io.kubernetes.client.openapi.models.V1Pod;

import static dev.informer.test.support.TestObjects.pod;

/**
 * Store of some objects with random changes. Used by one thread.
 */
final class FakeStore {

	private static final int NAMES = 20;

	private final Map<String, V1Pod> contents = new HashMap<>();

	private final Random random;

	private int version;

	FakeStore(long seed) {
		this.random = new Random(seed);
	}

	/**
	 * Change an object.
	 * @return the resulting events
	 */
	List<ResourceEvent<V1Pod>> next() {
		String name = "pod" + this.random.nextInt(NAMES);
		V1Pod before = this.contents.get("ns/" + name);
		List<ResourceEvent<V1Pod>> events = new ArrayList<>();
		int action = this.random.nextInt(10);
		if (before != null && action < 6) {
			events.add(new Updated<>(before, store(pod(name, before.getMetadata().getUid(), ++this.version))));
			return events;
		}
		if (before != null) {
			this.contents.remove(ObjectKey.of(before));
			events.add(new Deleted<>(before, before, false));
		}
		if (before == null || action < 8) {
			events.add(new Added<>(store(pod(name, "uid" + ++this.version, this.version)), false));
		}
		return events;
	}

	private V1Pod store(V1Pod pod) {
		this.contents.put(ObjectKey.of(pod), pod);
		return pod;
	}

	Map<String, V1Pod> contents() {
		return this.contents;
	}

}
