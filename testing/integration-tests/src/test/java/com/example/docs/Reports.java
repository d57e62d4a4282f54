/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.replicas.Sharding;
import io.kubernetes.client.openapi.models.V1Job;

class Reports {

	private final Sharding sharding;

	Reports(Sharding sharding) {
		this.sharding = sharding;
	}

	void report(V1Job job) {
		int slot = this.sharding.slotOf(job.getMetadata().getNamespace(), job.getMetadata().getName());
		if (this.sharding.begin(slot)) {
			try {
				// work on the object
			}
			finally {
				this.sharding.end(slot);
			}
		}
	}

}
