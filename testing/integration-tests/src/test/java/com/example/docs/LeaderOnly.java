/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.ResourceEvent;
import dev.informer.spring.InformerHandler;
import io.kubernetes.client.openapi.models.V1Job;

class LeaderOnly {

	@InformerHandler(leaderOnly = "true")
	void charge(ResourceEvent<V1Job> event) {
		// invoked by one replica at a time
	}

	@InformerHandler(leader = "billing")
	void bill(ResourceEvent<V1Job> event) {
	}

}
