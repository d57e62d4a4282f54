/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Log of the events of an informer of the official client: {@code ADDED a}.
 */
public final class ClientJavaLog implements ResourceEventHandler<V1Pod> {

	private final List<String> story = new CopyOnWriteArrayList<>();

	public List<String> story() {
		return this.story;
	}

	@Override
	public void onAdd(V1Pod pod) {
		this.story.add("ADDED " + pod.getMetadata().getName());
	}

	@Override
	public void onUpdate(V1Pod before, V1Pod pod) {
		this.story.add("UPDATED " + pod.getMetadata().getName());
	}

	@Override
	public void onDelete(V1Pod pod, boolean finalStateUnknown) {
		this.story.add("DELETED " + pod.getMetadata().getName());
	}

}
