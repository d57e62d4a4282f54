/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;

class Sharded {

	@InformerHandler(sharded = true)
	void index(ResourceEvent<V1ConfigMap> event) {
		// invoked for an object by one replica at a time
	}

}
