/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import java.util.List;

import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Type;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Pod;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class WebPods {

	private final Lister<V1Pod> pods;

	WebPods(@Qualifier("webpodsLister") Lister<V1Pod> pods) {
		this.pods = pods;
	}

	List<V1Pod> pods() {
		return this.pods.list();
	}

	List<V1Pod> onNode(String node) {
		return this.pods.byIndex("byNode", node);
	}

	@InformerHandler(informer = "webpods")
	void handle(ResourceEvent<V1Pod> event) {
		if (event.type() == Type.DELETED) {
			gone(event.object());
		}
		else {
			changed(event.object());
		}
	}

	private void changed(V1Pod pod) {
	}

	private void gone(V1Pod pod) {
	}

}
