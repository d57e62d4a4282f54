/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEvent.Deleted.Reason;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;

class ShardedCache {

	private final Map<String, Integer> sizes = new ConcurrentHashMap<>();

	@InformerHandler
	void index(ResourceEvent<V1ConfigMap> event) {
		String uid = event.object().getMetadata().getUid();
		if (event instanceof ResourceEvent.Deleted<V1ConfigMap> deleted) {
			this.sizes.remove(uid);
			if (deleted.reason() != Reason.UNWATCHED) {
				// remove external resources
			}
			return;
		}
		Map<String, String> data = event.object().getData();
		this.sizes.put(uid, (data != null) ? data.size() : 0);
	}

}
