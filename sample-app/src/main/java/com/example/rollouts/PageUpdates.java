/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.stereotype.Component;

/**
 * Sends changes to the browsers. Every event is sent, even without a visible difference:
 * the snapshot of a browser may be newer than the event, and the browser must follow the
 * events in order.
 */
@Component
class PageUpdates {

	private final Browsers browsers;

	PageUpdates(Browsers browsers) {
		this.browsers = browsers;
	}

	@InformerHandler(id = "pagepods")
	void pod(ResourceEvent<V1Pod> event) {
		this.browsers.send(PageEvent.pod(PodSummary.of(event.object()), isGone(event)));
	}

	@InformerHandler(id = "pagerollouts")
	void rollout(ResourceEvent<V1Deployment> event) {
		this.browsers.send(PageEvent.rollout(Rollout.of(event.object()), isGone(event)));
	}

	private static boolean isGone(ResourceEvent<?> event) {
		return event.type() == ResourceEvent.Type.DELETED;
	}

}
