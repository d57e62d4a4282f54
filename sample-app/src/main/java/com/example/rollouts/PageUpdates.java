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
 * Tells the browsers what happens. Everything is passed on, also what looks the same as
 * before: a browser may have got a newer state with its snapshot, and has to be led back
 * from it.
 */
@Component
class PageUpdates {

	private final Browsers browsers;

	PageUpdates(Browsers browsers) {
		this.browsers = browsers;
	}

	@InformerHandler(id = "pagepods")
	void pod(ResourceEvent<V1Pod> event) {
		this.browsers.tell(PageEvent.pod(PodSummary.of(event.object()), isGone(event)));
	}

	@InformerHandler(id = "pagerollouts")
	void rollout(ResourceEvent<V1Deployment> event) {
		this.browsers.tell(PageEvent.rollout(Rollout.of(event.object()), isGone(event)));
	}

	private static boolean isGone(ResourceEvent<?> event) {
		return event.type() == ResourceEvent.Type.DELETED;
	}

}
