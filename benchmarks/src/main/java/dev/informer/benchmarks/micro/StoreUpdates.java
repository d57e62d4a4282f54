/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.micro;

import java.util.ArrayList;
import java.util.List;

import dev.informer.benchmarks.client.StoreObjects;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * New states of objects, created in advance.
 */
final class StoreUpdates {

	private final StoreObjects objects;

	private final List<V1Pod> pods = new ArrayList<>();

	StoreUpdates(int count) {
		this.objects = new StoreObjects(count);
		for (int update = 0; update < count; update++) {
			this.pods.add(StoreObjects.next(this.objects.keys().get(update), update + 2L));
		}
	}

	StoreObjects objects() {
		return this.objects;
	}

	List<String> keys() {
		return this.objects.keys();
	}

	V1Pod pod(int update) {
		return this.pods.get(update);
	}

	String version(int update) {
		return String.valueOf(this.pods.get(update).getMetadata().getResourceVersion());
	}

}
