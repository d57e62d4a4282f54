/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs;

import dev.informer.replicas.Leadership;

import org.springframework.scheduling.annotation.Scheduled;

class Billing {

	private final Leadership leadership;

	Billing(Leadership leadership) {
		this.leadership = leadership;
	}

	@Scheduled(fixedDelay = 60_000)
	void bill() {
		if (this.leadership.begin()) {
			try {
				// work of the leader
			}
			finally {
				this.leadership.end();
			}
		}
	}

}
