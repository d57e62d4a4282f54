/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import java.time.Duration;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.Lister;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;

final class WithoutSpring {

	private WithoutSpring() {
	}

	static void follow(ApiClient apiClient) throws InterruptedException {
		try (InformerFactory informers = InformerFactory.create(apiClient)) {
			SharedIndexInformer<V1Pod> pods = informers.informer(V1Pod.class,
					(options) -> options.namespaces("shop").labelSelector("tier=web"));
			pods.addIndex("by-node", (pod) -> pod.getSpec().getNodeName());
			HandlerRegistration handler = pods.addHandler(WithoutSpring::audit,
					(options) -> options.name("audit").concurrency(4));
			informers.start();
			if (!informers.awaitSynced(Duration.ofSeconds(30))) {
				throw new IllegalStateException("Not synced: " + pods.state());
			}
			Lister<V1Pod> lister = pods.lister();
			lister.get("shop", "web-1").ifPresent(WithoutSpring::show);
			lister.byIndex("by-node", "node-7").forEach(WithoutSpring::show);
			handler.awaitIdle(Duration.ofSeconds(5));
		}
	}

	private static void audit(ResourceEvent<V1Pod> event) {
		System.out.println(event.type() + " " + event.object().getMetadata().getName());
	}

	private static void show(V1Pod pod) {
		System.out.println(pod.getMetadata().getName());
	}

}
